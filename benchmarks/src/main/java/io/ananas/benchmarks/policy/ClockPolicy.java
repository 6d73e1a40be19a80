package io.ananas.benchmarks.policy;

/**
 * CLOCK: a queue in order of arrival; what was asked for since it was last at the end goes round
 * again (Corbató, "A paging experiment with the Multics system", 1968). One bit per key.
 */
final class ClockPolicy implements EvictionPolicy {
    private final KeyLists lists;
    private final boolean[] asked;
    private final int capacity;

    ClockPolicy(int capacity, int keys) {
        this.capacity = capacity;
        lists = new KeyLists(1, keys);
        asked = new boolean[keys];
    }

    @Override
    public boolean contains(int key) {
        return lists.listOf(key) == 0;
    }

    @Override
    public void hit(int key) {
        asked[key] = true;
    }

    @Override
    public void insert(int key) {
        if (lists.size(0) == capacity) {
            int last = lists.popBack(0);
            while (asked[last]) {
                asked[last] = false;
                lists.pushFront(0, last);
                last = lists.popBack(0);
            }
        }
        asked[key] = false;
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
