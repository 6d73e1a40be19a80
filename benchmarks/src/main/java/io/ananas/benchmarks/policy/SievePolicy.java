package io.ananas.benchmarks.policy;

/**
 * SIEVE: as CLOCK, but what survives stays in its place, and the hand moves on from the end to the
 * front; so newcomers are sifted soon (Zhang et al., "SIEVE is simpler than LRU", NSDI 2024).
 */
final class SievePolicy implements EvictionPolicy {
    private final KeyLists lists;
    private final boolean[] visited;
    private final int capacity;
    private int hand = KeyLists.NONE;

    SievePolicy(int capacity, int keys) {
        this.capacity = capacity;
        lists = new KeyLists(1, keys);
        visited = new boolean[keys];
    }

    @Override
    public boolean contains(int key) {
        return lists.listOf(key) == 0;
    }

    @Override
    public void hit(int key) {
        visited[key] = true;
    }

    @Override
    public void insert(int key) {
        if (lists.size(0) == capacity) {
            evict();
        }
        visited[key] = false;
        lists.pushFront(0, key);
    }

    private void evict() {
        int at = hand == KeyLists.NONE ? lists.back(0) : hand;
        while (visited[at]) {
            visited[at] = false;
            at = lists.before(at);
            if (at == KeyLists.NONE) {
                at = lists.back(0);
            }
        }
        hand = lists.before(at);
        lists.remove(at);
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
