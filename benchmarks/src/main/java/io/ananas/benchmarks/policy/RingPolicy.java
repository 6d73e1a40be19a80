package io.ananas.benchmarks.policy;

import java.util.function.IntPredicate;

/**
 * What a shard of the answer cache does ({@code io.ananas.cache.Shard}), entries counting one each:
 * a ring in order of arrival, two marks per entry, at most sixteen copies to the head per
 * insertion, and no copy of what has expired.
 */
final class RingPolicy implements EvictionPolicy {
    private static final int MOST_MARKS = 3;
    private static final int MAX_COPIES = 16;

    private final KeyLists lists;
    private final byte[] marks;
    private final int capacity;
    private final IntPredicate expired;

    RingPolicy(int capacity, int keys, IntPredicate expired) {
        this.capacity = capacity;
        this.expired = expired;
        lists = new KeyLists(1, keys);
        marks = new byte[keys];
    }

    @Override
    public boolean contains(int key) {
        return lists.listOf(key) == 0;
    }

    @Override
    public void hit(int key) {
        marks[key] = (byte) Math.min(MOST_MARKS, marks[key] + 1);
    }

    @Override
    public void insert(int key) {
        int copies = MAX_COPIES;
        while (lists.size(0) == capacity) {
            final int last = lists.popBack(0);
            if (copies > 0 && marks[last] > 0 && !expired.test(last)) {
                marks[last]--;
                lists.pushFront(0, last);
                copies--;
            }
        }
        marks[key] = 0;
        lists.pushFront(0, key);
    }

    @Override
    public void renew(int key) {}

    @Override
    public int size() {
        return lists.size(0);
    }
}
