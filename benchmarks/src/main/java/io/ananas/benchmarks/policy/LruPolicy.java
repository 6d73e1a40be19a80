package io.ananas.benchmarks.policy;

/** The least recently used leaves. */
final class LruPolicy implements EvictionPolicy {
    private final KeyLists lists;
    private final int capacity;

    LruPolicy(int capacity, int keys) {
        this.capacity = capacity;
        lists = new KeyLists(1, keys);
    }

    @Override
    public boolean contains(int key) {
        return lists.listOf(key) == 0;
    }

    @Override
    public void hit(int key) {
        lists.moveToFront(0, key);
    }

    @Override
    public void insert(int key) {
        if (lists.size(0) == capacity) {
            lists.popBack(0);
        }
        lists.pushFront(0, key);
    }

    @Override
    public void renew(int key) {
        hit(key);
    }

    @Override
    public int size() {
        return lists.size(0);
    }
}
