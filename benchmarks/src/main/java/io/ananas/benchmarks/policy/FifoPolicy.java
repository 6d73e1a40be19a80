package io.ananas.benchmarks.policy;

/** First in, first out: use does not matter. */
final class FifoPolicy implements EvictionPolicy {
    private final KeyLists lists;
    private final int capacity;

    FifoPolicy(int capacity, int keys) {
        this.capacity = capacity;
        lists = new KeyLists(1, keys);
    }

    @Override
    public boolean contains(int key) {
        return lists.listOf(key) == 0;
    }

    @Override
    public void hit(int key) {}

    @Override
    public void insert(int key) {
        if (lists.size(0) == capacity) {
            lists.popBack(0);
        }
        lists.pushFront(0, key);
    }

    @Override
    public void renew(int key) {}

    @Override
    public int size() {
        return lists.size(0);
    }
}
