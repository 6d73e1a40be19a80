package io.ananas.benchmarks.ladder;

import org.jspecify.annotations.Nullable;

/**
 * A part of a heap cache: a map with chained buckets, and ARC, the adaptive replacement cache
 * (Megiddo and Modha, "ARC: a self-tuning, low overhead replacement cache", FAST 2003).
 *
 * <p>T1 holds entries that were asked for once since they came, T2 those that were asked for again;
 * both in order of use. B1 and B2 are the {@link ArcGhosts} of what left T1 and T2. A miss that is
 * in B1 says that T1 is too small, one in B2 that T2 is: the target {@code p} of T1's size follows.
 * With capacity c: |T1| + |T2| &le; c, |T1| + |B1| &le; c, and all four together &le; 2c.
 *
 * <p>Not thread-safe: {@link HeapCache} holds the monitor.
 */
final class ArcShard {
    static final byte RECENT = 0;
    static final byte FREQUENT = 1;

    private final int capacity;
    private final @Nullable HeapEntry[] table;
    private final @Nullable HeapEntry[] newest = new HeapEntry[2];
    private final @Nullable HeapEntry[] oldest = new HeapEntry[2];
    private final int[] sizes = new int[2];
    private final ArcGhosts ghosts = new ArcGhosts();
    private int target;

    /**
     * @param capacity entries at most
     * @param buckets a power of two
     */
    ArcShard(int capacity, int buckets) {
        this.capacity = capacity;
        table = new HeapEntry[buckets];
    }

    int size() {
        return sizes[RECENT] + sizes[FREQUENT];
    }

    /** Sizes of T1, T2, B1, B2 and the target of T1. */
    int[] state() {
        return new int[] {
            sizes[RECENT], sizes[FREQUENT], ghosts.size(RECENT), ghosts.size(FREQUENT), target
        };
    }

    /** The entry of a query, moved to the front of T2; null if there is none. */
    @Nullable HeapEntry find(HeapQuery query, int hash) {
        HeapEntry entry = table[hash & table.length - 1];
        while (entry != null && (entry.hash != hash || !entry.answers(query))) {
            entry = entry.chain;
        }
        if (entry != null && newest[FREQUENT] != entry) {
            unlink(entry);
            link(entry, FREQUENT);
        }
        return entry;
    }

    /** Puts an entry in, in place of the one with the same key or of whom ARC lets go. */
    void insert(HeapEntry entry, SourceAnswer source) {
        final HeapEntry old = findSame(source, entry.hash);
        if (old != null) {
            unlink(old);
            removeFromTable(old);
            addToTable(entry);
            link(entry, FREQUENT);
            return;
        }
        final byte list = admit(entry.hash);
        addToTable(entry);
        link(entry, list);
    }

    private @Nullable HeapEntry findSame(SourceAnswer source, int hash) {
        HeapEntry entry = table[hash & table.length - 1];
        while (entry != null && (entry.hash != hash || !entry.sameKey(source))) {
            entry = entry.chain;
        }
        return entry;
    }

    /** Makes room for a key that is not here; the list that it belongs to. */
    private byte admit(int hash) {
        final int b1 = ghosts.size(RECENT);
        final int b2 = ghosts.size(FREQUENT);
        if (b1 + b2 > 0) {
            final int ghost = ghosts.take(hash);
            if (ghost == RECENT) {
                target = Math.min(capacity, target + Math.max(1, b2 / b1));
                replace(false);
                return FREQUENT;
            }
            if (ghost == FREQUENT) {
                target = Math.max(0, target - Math.max(1, b1 / b2));
                replace(true);
                return FREQUENT;
            }
        }
        makeRoom(b1, b2);
        return RECENT;
    }

    private void makeRoom(int b1, int b2) {
        final int all = size() + b1 + b2;
        if (sizes[RECENT] + b1 >= capacity) {
            if (sizes[RECENT] < capacity) {
                ghosts.dropOldest(RECENT);
                replace(false);
            } else {
                evict(RECENT, false);
            }
        } else if (all >= capacity) {
            if (all >= 2 * capacity) {
                ghosts.dropOldest(FREQUENT);
            }
            replace(false);
        }
    }

    private void replace(boolean inB2) {
        if (size() < capacity) {
            return;
        }
        final int t1 = sizes[RECENT];
        final boolean recent = t1 > 0 && (t1 > target || (inB2 && t1 == target));
        evict(recent || sizes[FREQUENT] == 0 ? RECENT : FREQUENT, true);
    }

    private void evict(byte list, boolean keepGhost) {
        final HeapEntry victim = oldest[list];
        if (victim == null) {
            return;
        }
        unlink(victim);
        removeFromTable(victim);
        if (keepGhost) {
            ghosts.add(list, victim.hash);
        }
    }

    private void link(HeapEntry entry, byte list) {
        final HeapEntry front = newest[list];
        entry.list = list;
        entry.older = front;
        entry.newer = null;
        if (front == null) {
            oldest[list] = entry;
        } else {
            front.newer = entry;
        }
        newest[list] = entry;
        sizes[list]++;
    }

    private void unlink(HeapEntry entry) {
        final HeapEntry newer = entry.newer;
        final HeapEntry older = entry.older;
        if (newer == null) {
            newest[entry.list] = older;
        } else {
            newer.older = older;
        }
        if (older == null) {
            oldest[entry.list] = newer;
        } else {
            older.newer = newer;
        }
        sizes[entry.list]--;
    }

    private void addToTable(HeapEntry entry) {
        final int bucket = entry.hash & table.length - 1;
        entry.chain = table[bucket];
        table[bucket] = entry;
    }

    private void removeFromTable(HeapEntry entry) {
        final int bucket = entry.hash & table.length - 1;
        HeapEntry at = table[bucket];
        if (at == entry) {
            table[bucket] = entry.chain;
            return;
        }
        while (at != null && at.chain != entry) {
            at = at.chain;
        }
        if (at != null) {
            at.chain = entry.chain;
        }
    }
}
