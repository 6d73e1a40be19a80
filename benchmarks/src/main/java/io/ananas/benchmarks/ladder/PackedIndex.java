package io.ananas.benchmarks.ladder;

import static io.ananas.benchmarks.ladder.PackedLayout.*;

import io.ananas.message.Memory;

/**
 * The index of a shard of steps 6 and 7: buckets of 15 slots, two choices, the other bucket
 * computed from the tag (Fan, Andersen, Kaminsky, Mitzenmacher, "Cuckoo Filter", 2014). A place is
 * made by a walk that moves one entry after the other to its other bucket.
 *
 * <p>Not thread-safe.
 */
final class PackedIndex {
    static final int NONE = -1;
    private static final int MAX_KICKS = 2_000;

    private final long base;
    private final int buckets;
    private int walk;

    PackedIndex(long base, int buckets) {
        this.base = base;
        this.buckets = buckets;
    }

    static int tag(int hash) {
        return Math.max(1, hash >>> 24);
    }

    int first(int hash) {
        return (int) (((hash * 0x9e3779b1L & 0xffff_ffffL) * buckets) >>> 32);
    }

    int other(int bucket, int tag) {
        final int sum = (int) (((tag * 0x5bd1e995L & 0xffff_ffffL) * buckets) >>> 32);
        return sum - bucket < 0 ? sum - bucket + buckets : sum - bucket;
    }

    private long address(int bucket) {
        return base + (long) bucket * BUCKET;
    }

    /**
     * The next slot of a bucket from {@code from} on that has a tag; {@link #NONE} if none does.
     */
    int slot(int bucket, int tag, int from) {
        final long at = address(bucket);
        for (int slot = from; slot < SLOTS; slot++) {
            if (Memory.getUnsignedByte(at + slot) == tag) {
                return slot;
            }
        }
        return NONE;
    }

    int offset(int bucket, int slot) {
        return Memory.getIntLE(address(bucket) + OFFSETS + 3L * slot) & 0xff_ffff;
    }

    /** Marks the entry of a slot as asked for. */
    void touch(int bucket, int slot) {
        final long at = address(bucket) + MARKS;
        final int marks = Memory.getIntLE(at);
        if ((marks >>> (2 * slot) & 3) != 3) {
            Memory.putIntLE(at, marks + (1 << (2 * slot)));
        }
    }

    /** Points an existing slot at a newer entry. */
    void redirect(int bucket, int slot, int offset) {
        final long at = address(bucket) + OFFSETS + 3L * slot;
        Memory.putShortLE(at, offset);
        Memory.putByte(at + 2, offset >>> 16);
    }

    /** Adds an entry; false if no place was found, and one entry is then lost. */
    boolean add(int hash, int newOffset) {
        int tag = tag(hash);
        int offset = newOffset;
        int bucket = first(hash);
        if (put(bucket, tag, offset)) {
            return true;
        }
        bucket = other(bucket, tag);
        for (int kick = 0; !put(bucket, tag, offset); kick++) {
            if (kick == MAX_KICKS) {
                return false;
            }
            final int slot = walk++ % SLOTS;
            final int movedTag = Memory.getUnsignedByte(address(bucket) + slot);
            final int movedOffset = offset(bucket, slot);
            redirect(bucket, slot, offset);
            Memory.putByte(address(bucket) + slot, tag);
            bucket = other(bucket, movedTag);
            tag = movedTag;
            offset = movedOffset;
        }
        return true;
    }

    private boolean put(int bucket, int tag, int offset) {
        final int slot = slot(bucket, 0, 0);
        if (slot == NONE) {
            return false;
        }
        redirect(bucket, slot, offset);
        Memory.putByte(address(bucket) + slot, tag);
        return true;
    }
}
