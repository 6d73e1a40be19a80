package io.ananas.benchmarks.policy;

/**
 * S3-FIFO: a small queue for newcomers, a main queue for what was asked for there more than once,
 * and a ghost queue of what left the small one (Yang et al., "FIFO queues are all you need for
 * cache eviction", SOSP 2023). Counts up to 3.
 */
final class S3FifoPolicy implements EvictionPolicy {
    private static final int SMALL = 0;
    private static final int MAIN = 1;
    private static final int GHOST = 2;
    private static final int MOST = 3;
    private static final int TO_MAIN = 2;
    private static final int SMALL_SHARE = 10;

    private final KeyLists lists;
    private final byte[] count;
    private final int capacity;
    private final int smallCapacity;

    S3FifoPolicy(int capacity, int keys) {
        this.capacity = capacity;
        smallCapacity = Math.max(1, capacity / SMALL_SHARE);
        lists = new KeyLists(3, keys);
        count = new byte[keys];
    }

    @Override
    public boolean contains(int key) {
        return lists.listOf(key) == SMALL || lists.listOf(key) == MAIN;
    }

    @Override
    public void hit(int key) {
        count[key] = (byte) Math.min(MOST, count[key] + 1);
    }

    @Override
    public void insert(int key) {
        final boolean known = lists.listOf(key) == GHOST;
        if (known) {
            lists.remove(key);
        }
        while (size() >= capacity) {
            evict();
        }
        count[key] = 0;
        lists.pushFront(known ? MAIN : SMALL, key);
    }

    private void evict() {
        if (lists.size(SMALL) >= smallCapacity || lists.size(MAIN) == 0) {
            evictFromSmall();
        } else {
            evictFromMain();
        }
    }

    private void evictFromSmall() {
        final int key = lists.popBack(SMALL);
        if (count[key] >= TO_MAIN) {
            count[key] = 0;
            lists.pushFront(MAIN, key);
            return;
        }
        lists.pushFront(GHOST, key);
        if (lists.size(GHOST) > capacity - smallCapacity) {
            lists.popBack(GHOST);
        }
    }

    private void evictFromMain() {
        int key = lists.popBack(MAIN);
        while (count[key] > 0) {
            count[key]--;
            lists.pushFront(MAIN, key);
            key = lists.popBack(MAIN);
        }
    }

    @Override
    public void renew(int key) {
        hit(key);
    }

    @Override
    public int size() {
        return lists.size(SMALL) + lists.size(MAIN);
    }
}
