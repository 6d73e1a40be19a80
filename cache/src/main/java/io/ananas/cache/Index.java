package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * The index of a shard: two-choice hashing over {@link BucketLayout buckets} of 15.
 *
 * <p>A key may stand in two buckets. The second is computed from the first and the tag alone
 * (partial-key cuckoo hashing: Fan, Andersen, Kaminsky, Mitzenmacher, "Cuckoo Filter", 2014), so an
 * entry moves to its other bucket without its key being read. Unlike there, the number of buckets
 * need not be a power of two: the buckets of a tag are {@code b} and {@code c(tag) - b mod n},
 * which is its own inverse for any {@code n}. A place is made by breadth-first search for the
 * nearest empty slot; with 15 slots and two choices the index takes 97 % of its slots.
 *
 * <p>Tags are compared eight at a time in a long. The search for zero octets may also report an
 * octet above a real match; a caller looks at the entry anyway.
 *
 * <p>Static functions over an address and a number of buckets. Writers hold the shard's lock and
 * have its sequence odd.
 */
final class Index {
    static final int NOT_FOUND = -1;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long TAG_MIX = 0x5bd1e995L;
    private static final int MAX_SEARCH = 512;

    private Index() {}

    /** The tag of a hash, 1 to 255. */
    static int tag(long hash) {
        final int tag = (int) (hash >>> 32) & 0xff;
        return tag == 0 ? 1 : tag;
    }

    /** The first bucket of a hash. */
    static int bucket(long hash, int buckets) {
        return (int) (((hash & 0xffff_ffffL) * buckets) >>> 32);
    }

    /** The other bucket of a tag that may stand in {@code bucket}. */
    static int other(int bucket, int tag, int buckets) {
        final int sum = (int) (((tag * TAG_MIX & 0xffff_ffffL) * buckets) >>> 32);
        final int other = sum - bucket;
        return other < 0 ? other + buckets : other;
    }

    /**
     * The slots whose tag is {@code tag}, one bit each, of which {@link #slot} reads the lowest:
     * those of slots 0 to 7 are the first of each octet, those of slots 8 to 14 the second, from
     * the second octet on. Both halves in one word, for a branch between them is one that nobody
     * foresees, and it waits for memory.
     */
    private static long match(long bucket, int tag) {
        final long wanted = tag * ONES;
        final long low = zeroOctets(Memory.getLongLE(bucket) ^ wanted);
        final long high = zeroOctets(Memory.getLongLE(bucket, 7) ^ wanted) & ~0xffL;
        return low >>> 7 | high >>> 6;
    }

    /** The slot of the lowest bit of a {@link #match}. */
    private static int slot(long matches) {
        final int bit = Long.numberOfTrailingZeros(matches);
        return (bit >>> 3) + 7 * (bit & 1);
    }

    private static long zeroOctets(long word) {
        return (word - ONES) & ~word & HIGHS;
    }

    static int offset(long bucket, int slot) {
        return Memory.getIntLE(bucket + BucketLayout.OFFSETS + 3L * slot) & 0xff_ffff;
    }

    private static void setOffset(long bucket, int slot, int offset) {
        final long at = bucket + BucketLayout.OFFSETS + 3L * slot;
        Memory.putShortLE(at, offset);
        Memory.putByte(at + 2, offset >>> 16);
    }

    /** How often the entry of a slot was asked for since it was last looked at, 0 to 3. */
    static int mark(long bucket, int slot) {
        return Memory.getIntLE(bucket, BucketLayout.MARKS) >>> (2 * slot) & 3;
    }

    static void setMark(long bucket, int slot, int mark) {
        final int marks = Memory.getIntLE(bucket, BucketLayout.MARKS);
        Memory.putIntLE(
                bucket, BucketLayout.MARKS, (marks & ~(3 << (2 * slot))) | mark << (2 * slot));
    }

    /** Counts a hit; writes only while the mark still grows, so that popular lines stay shared. */
    static void touch(long bucket, int slot) {
        final int marks = Memory.getIntLE(bucket, BucketLayout.MARKS);
        if ((marks >>> (2 * slot) & 3) != 3) {
            Memory.putIntLE(bucket, BucketLayout.MARKS, marks + (1 << (2 * slot)));
        }
    }

    /**
     * The slot of the entry that has a key, as {@code bucket << 4 | slot}; {@link #NOT_FOUND} if
     * there is none.
     *
     * @param base what offsets count from
     */
    static int locate(long index, int buckets, long hash, long base, EntryKey key) {
        final int tag = tag(hash);
        final int first = bucket(hash, buckets);
        final int place = locateIn(index, first, tag, base, key);
        return place != NOT_FOUND
                ? place
                : locateIn(index, other(first, tag, buckets), tag, base, key);
    }

    private static int locateIn(long index, int bucket, int tag, long base, EntryKey key) {
        final long at = index + (long) bucket * BucketLayout.SIZE;
        for (long matches = match(at, tag); matches != 0; matches &= matches - 1) {
            final int slot = slot(matches);
            if (key.matches(base + offset(at, slot))) {
                return bucket << 4 | slot;
            }
        }
        return NOT_FOUND;
    }

    /** As {@link Shard#approach}. */
    static int approach(long index, int buckets, long hash) {
        final int first = bucket(hash, buckets);
        final int second = other(first, tag(hash), buckets);
        return Prefetch.lines(
                index + (long) first * BucketLayout.SIZE,
                index + (long) second * BucketLayout.SIZE);
    }

    /** The offset in the first slot that has the hash's tag; 0 if there is none. */
    static int likelyOffset(long index, int buckets, long hash) {
        final int tag = tag(hash);
        final int first = bucket(hash, buckets);
        final int offset = likelyOffsetIn(index + (long) first * BucketLayout.SIZE, tag);
        if (offset != 0) {
            return offset;
        }
        final int other = other(first, tag, buckets);
        return likelyOffsetIn(index + (long) other * BucketLayout.SIZE, tag);
    }

    private static int likelyOffsetIn(long bucket, int tag) {
        final long matches = match(bucket, tag);
        return matches == 0 ? 0 : offset(bucket, slot(matches));
    }

    /**
     * The slot that points at {@code offset}, as {@code bucket << 4 | slot}; {@link #NOT_FOUND} if
     * none does.
     */
    static int find(long index, int buckets, long hash, int offset) {
        final int tag = tag(hash);
        final int first = bucket(hash, buckets);
        final int found = findIn(index, first, tag, offset);
        return found != NOT_FOUND ? found : findIn(index, other(first, tag, buckets), tag, offset);
    }

    private static int findIn(long index, int bucket, int tag, int offset) {
        final long at = index + (long) bucket * BucketLayout.SIZE;
        for (int slot = 0; slot < BucketLayout.SLOTS; slot++) {
            if (Memory.getUnsignedByte(at + slot) == tag && offset(at, slot) == offset) {
                return bucket << 4 | slot;
            }
        }
        return NOT_FOUND;
    }

    /** Points a slot, given as {@code bucket << 4 | slot}, somewhere else; its mark stays. */
    static void redirect(long index, int place, int offset) {
        setOffset(index + (long) (place >> 4) * BucketLayout.SIZE, place & 15, offset);
    }

    static void clear(long index, int place) {
        Memory.putByte(index + (long) (place >> 4) * BucketLayout.SIZE + (place & 15), 0);
    }

    static int markOf(long index, int place) {
        return mark(index + (long) (place >> 4) * BucketLayout.SIZE, place & 15);
    }

    static void setMarkOf(long index, int place, int mark) {
        setMark(index + (long) (place >> 4) * BucketLayout.SIZE, place & 15, mark);
    }

    /** The slots of a bucket that are taken, one bit each. */
    static int taken(long bucket) {
        int taken = 0;
        for (int slot = 0; slot < BucketLayout.SLOTS; slot++) {
            taken |= Memory.getByte(bucket + slot) != 0 ? 1 << slot : 0;
        }
        return taken;
    }

    private static int emptySlot(long bucket) {
        final long low = zeroOctets(Memory.getLongLE(bucket));
        if (low != 0) {
            return Long.numberOfTrailingZeros(low) >>> 3;
        }
        final long high = zeroOctets(Memory.getLongLE(bucket, 7));
        return high == 0 ? NOT_FOUND : 7 + (Long.numberOfTrailingZeros(high) >>> 3);
    }

    private static void put(long bucket, int slot, int tag, int offset, int mark) {
        setOffset(bucket, slot, offset);
        setMark(bucket, slot, mark);
        Memory.putByte(bucket + slot, tag);
    }

    /**
     * Adds an entry that is not in the index yet, moving others to their second bucket where that
     * makes room.
     *
     * @return false if no room was found; the index is then as it was
     */
    static boolean add(long index, int buckets, long hash, int offset, int mark, Search search) {
        final int tag = tag(hash);
        final int first = bucket(hash, buckets);
        final long firstAt = index + (long) first * BucketLayout.SIZE;
        int slot = emptySlot(firstAt);
        if (slot != NOT_FOUND) {
            put(firstAt, slot, tag, offset, mark);
            return true;
        }
        final int second = other(first, tag, buckets);
        final long secondAt = index + (long) second * BucketLayout.SIZE;
        slot = emptySlot(secondAt);
        if (slot != NOT_FOUND) {
            put(secondAt, slot, tag, offset, mark);
            return true;
        }
        final int node = search.run(index, buckets, first, second);
        if (node == NOT_FOUND) {
            return false;
        }
        final int freed = search.moveAlong(index, node);
        put(index + (long) (freed >> 4) * BucketLayout.SIZE, freed & 15, tag, offset, mark);
        return true;
    }

    /** The breadth-first search for an empty slot; scratch of a shard's writer, reused. */
    static final class Search {
        private final int[] bucket = new int[MAX_SEARCH];
        private final int[] parent = new int[MAX_SEARCH];
        private final int[] slotInParent = new int[MAX_SEARCH];
        private int emptySlot;

        /**
         * The node whose bucket has an empty slot; {@link Index#NOT_FOUND} after {@link
         * #MAX_SEARCH}.
         */
        int run(long index, int buckets, int first, int second) {
            bucket[0] = first;
            bucket[1] = second;
            parent[0] = NOT_FOUND;
            parent[1] = NOT_FOUND;
            int count = 2;
            for (int node = 0; node < count; node++) {
                final long at = index + (long) bucket[node] * BucketLayout.SIZE;
                for (int slot = 0; slot < BucketLayout.SLOTS && count < MAX_SEARCH; slot++) {
                    final int next =
                            other(bucket[node], Memory.getUnsignedByte(at + slot), buckets);
                    bucket[count] = next;
                    parent[count] = node;
                    slotInParent[count] = slot;
                    emptySlot = Index.emptySlot(index + (long) next * BucketLayout.SIZE);
                    if (emptySlot != NOT_FOUND && !onPath(node, next)) {
                        return count;
                    }
                    count++;
                }
            }
            return NOT_FOUND;
        }

        /**
         * Whether a bucket is among the ancestors of a node: moving along such a path would move a
         * slot twice.
         */
        private boolean onPath(int node, int wanted) {
            for (int at = node; at != NOT_FOUND; at = parent[at]) {
                if (bucket[at] == wanted) {
                    return true;
                }
            }
            return false;
        }

        /**
         * Moves the entries on the path one step each, last first; returns the slot that became
         * free.
         */
        int moveAlong(long index, int leaf) {
            int freeSlot = emptySlot;
            int node = leaf;
            while (parent[node] != NOT_FOUND) {
                final long to = index + (long) bucket[node] * BucketLayout.SIZE;
                final long from = index + (long) bucket[parent[node]] * BucketLayout.SIZE;
                final int slot = slotInParent[node];
                put(
                        to,
                        freeSlot,
                        Memory.getUnsignedByte(from + slot),
                        offset(from, slot),
                        mark(from, slot));
                Memory.putByte(from + slot, 0);
                freeSlot = slot;
                node = parent[node];
            }
            return bucket[node] << 4 | freeSlot;
        }
    }
}
