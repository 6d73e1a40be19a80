package io.ananas.benchmarks.ladder;

import java.util.Arrays;

/**
 * The keys that left lately: B1 and B2 of ARC, two lists in order of eviction over one pool, found
 * by a 32-bit hash of the key.
 *
 * <p>Two keys of equal hash pass for one: among 28,000 ghosts a wrong match happens once in 150,000
 * insertions, and costs a wrong hint. Grows with use, up to the capacity of its shard.
 */
final class ArcGhosts {
    private static final int NONE = -1;

    /** Four ints, a list number and a bucket; the free room of arrays that grew not counted. */
    static final int OCTETS_PER_KEY = 21;

    private static final int FIRST_SIZE = 64;

    private int[] hashes = new int[FIRST_SIZE];
    private int[] newer = new int[FIRST_SIZE];
    private int[] older = new int[FIRST_SIZE];
    private int[] chain = new int[FIRST_SIZE];
    private byte[] lists = new byte[FIRST_SIZE];
    private int[] table = filled(FIRST_SIZE);
    private final int[] newest = {NONE, NONE};
    private final int[] oldest = {NONE, NONE};
    private final int[] sizes = new int[2];
    private int used;
    private int free = NONE;

    private static int[] filled(int size) {
        final int[] array = new int[size];
        Arrays.fill(array, NONE);
        return array;
    }

    int size(int list) {
        return sizes[list];
    }

    private int find(int hash) {
        int at = table[hash & table.length - 1];
        while (at != NONE && hashes[at] != hash) {
            at = chain[at];
        }
        return at;
    }

    /** Adds a key as the newest of a list; one that is there already stays where it is. */
    void add(int list, int hash) {
        if (find(hash) != NONE) {
            return;
        }
        final int at = allocate();
        hashes[at] = hash;
        lists[at] = (byte) list;
        newer[at] = NONE;
        older[at] = newest[list];
        if (newest[list] == NONE) {
            oldest[list] = at;
        } else {
            newer[newest[list]] = at;
        }
        newest[list] = at;
        sizes[list]++;
        final int bucket = hash & table.length - 1;
        chain[at] = table[bucket];
        table[bucket] = at;
    }

    private int allocate() {
        if (free != NONE) {
            final int at = free;
            free = chain[at];
            return at;
        }
        if (used == hashes.length) {
            grow();
        }
        return used++;
    }

    private void grow() {
        final int size = 2 * used;
        hashes = Arrays.copyOf(hashes, size);
        newer = Arrays.copyOf(newer, size);
        older = Arrays.copyOf(older, size);
        chain = Arrays.copyOf(chain, size);
        lists = Arrays.copyOf(lists, size);
        table = filled(size);
        for (int at = 0; at < used; at++) {
            final int bucket = hashes[at] & size - 1;
            chain[at] = table[bucket];
            table[bucket] = at;
        }
    }

    /** Removes a key; the list it was in, or -1. */
    int take(int hash) {
        final int at = find(hash);
        return at == NONE ? NONE : remove(at);
    }

    /** Forgets the oldest key of a list, if it has any. */
    void dropOldest(int list) {
        if (oldest[list] != NONE) {
            remove(oldest[list]);
        }
    }

    private int remove(int at) {
        final int list = lists[at];
        if (newer[at] == NONE) {
            newest[list] = older[at];
        } else {
            older[newer[at]] = older[at];
        }
        if (older[at] == NONE) {
            oldest[list] = newer[at];
        } else {
            newer[older[at]] = newer[at];
        }
        final int bucket = hashes[at] & table.length - 1;
        int before = table[bucket];
        if (before == at) {
            table[bucket] = chain[at];
        } else {
            while (chain[before] != at) {
                before = chain[before];
            }
            chain[before] = chain[at];
        }
        chain[at] = free;
        free = at;
        sizes[list]--;
        return list;
    }
}
