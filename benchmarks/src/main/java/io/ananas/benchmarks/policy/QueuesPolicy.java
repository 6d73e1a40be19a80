package io.ananas.benchmarks.policy;

import java.util.function.IntPredicate;

/**
 * What a full shard of the answer cache does ({@code io.ananas.cache.Queues}), entries counting one
 * each: a small queue for newcomers, a main queue for who was asked for there or came back, fading
 * ghosts of one octet, and a border that is learned. The shard moves its border in steps and its
 * entries have lengths; both keep nearly the same entries, which a test shows.
 */
final class QueuesPolicy implements EvictionPolicy {
    private static final int SMALL = 0;
    private static final int MAIN = 1;
    private static final int MOST_MARKS = 3;
    private static final int MAX_COPIES = 16;
    private static final double SLOTS_PER_ENTRY = 1 / 0.955;
    private static final double GHOSTS_PER_ENTRY = 10.0 / 15 * SLOTS_PER_ENTRY;

    /** Ghosts and two mark bits per slot. */
    static final double OCTETS_PER_ENTRY = GHOSTS_PER_ENTRY + SLOTS_PER_ENTRY * 2 / 8;

    private final KeyLists lists;
    private final byte[] marks;
    private final int capacity;
    private final IntPredicate expired;
    private final byte[] mainGhosts;
    private final byte[] smallGhosts;
    private double target;

    QueuesPolicy(int capacity, int keys, IntPredicate expired) {
        this.capacity = capacity;
        this.expired = expired;
        lists = new KeyLists(2, keys);
        marks = new byte[keys];
        final int ghosts = (int) Math.ceil(capacity * GHOSTS_PER_ENTRY);
        mainGhosts = new byte[Math.max(1, ghosts / 4)];
        smallGhosts = new byte[Math.max(1, ghosts - ghosts / 4)];
        target = Math.max(1, capacity / 10.0);
    }

    @Override
    public boolean contains(int key) {
        return lists.listOf(key) != KeyLists.NONE;
    }

    @Override
    public void hit(int key) {
        marks[key] = (byte) Math.min(MOST_MARKS, marks[key] + 1);
    }

    @Override
    public void renew(int key) {
        hit(key);
    }

    @Override
    public void insert(int key) {
        final boolean known = isKnown(key);
        int copies = MAX_COPIES;
        while (size() >= capacity) {
            final boolean small =
                    lists.size(SMALL) > 0 && (lists.size(SMALL) >= target || lists.size(MAIN) == 0);
            copies -= letGo(small ? SMALL : MAIN, copies > 0) ? 0 : 1;
        }
        marks[key] = 0;
        lists.pushFront(known ? MAIN : SMALL, key);
    }

    private boolean isKnown(int key) {
        if (take(mainGhosts, key)) {
            target = Math.max(target - 2.5, Math.max(1, 0.02 * capacity));
            return true;
        }
        if (take(smallGhosts, key)) {
            target = Math.min(target + 1, 0.9 * capacity);
            return true;
        }
        return false;
    }

    /** Whether the key at the back of a queue leaves; otherwise it is in the main queue then. */
    private boolean letGo(int queue, boolean mayStay) {
        final int key = lists.popBack(queue);
        if (mayStay && marks[key] > 0 && !expired.test(key)) {
            marks[key] = (byte) (queue == SMALL ? 0 : Math.clamp(marks[key] - 1, 0, 1));
            lists.pushFront(MAIN, key);
            return false;
        }
        final byte[] ghosts = queue == SMALL ? smallGhosts : mainGhosts;
        ghosts[place(ghosts, key)] = tag(key);
        return true;
    }

    private static boolean take(byte[] ghosts, int key) {
        final int place = place(ghosts, key);
        if (ghosts[place] != tag(key)) {
            return false;
        }
        ghosts[place] = 0;
        return true;
    }

    private static int place(byte[] ghosts, int key) {
        return (int) (((hash(key) >>> 32) * ghosts.length) >>> 32);
    }

    private static byte tag(int key) {
        final byte tag = (byte) hash(key);
        return tag == 0 ? 1 : tag;
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
    static long hash(int key) {
        long z = (key + 1L) * 0x9e37_79b9_7f4a_7c15L;
        z = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ z >>> 27) * 0x94d0_49bb_1331_11ebL;
        return z ^ z >>> 31;
    }

    @Override
    public int size() {
        return lists.size(SMALL) + lists.size(MAIN);
    }
}
