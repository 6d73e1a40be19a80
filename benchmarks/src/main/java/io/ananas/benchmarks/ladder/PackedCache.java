package io.ananas.benchmarks.ladder;

import io.ananas.message.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The cache of steps 6 and 7: entries in native memory, appended to the log of their shard, and an
 * index of 64-octet buckets. It measures what an encoding costs, so it holds a known number of
 * entries and evicts none; readers and writers share a monitor per shard.
 */
final class PackedCache implements AutoCloseable {
    private static final double LOAD = 0.955;
    private static final int SLACK = 64;
    private static final int FIRST_COPY = 256 + 64;
    private static final long SEED = 0x2545f4914f6cdd1dL;
    private static final double UNEVEN = 1.01;

    private final PackedForm form;
    private final Arena arena = Arena.ofShared();
    private final Shard[] shards;

    private static final class Shard {
        private final long base;
        private final int logSize;
        private final int buckets;
        private final PackedIndex index;
        private int head;
        private int entries;

        Shard(long base, int logSize, int buckets) {
            this.base = base;
            this.logSize = logSize;
            this.buckets = buckets;
            index = new PackedIndex(base + logSize, buckets);
        }
    }

    /**
     * @param entries how many there will be
     * @param meanEntry octets of an entry, on average
     */
    PackedCache(PackedForm form, int entries, double meanEntry) {
        this.form = form;
        final double perEntry = meanEntry + PackedLayout.BUCKET / (PackedLayout.SLOTS * LOAD);
        final double fits = PackedLayout.MAX_SHARD * 0.94 / perEntry;
        final int count = (int) Math.ceil(entries / fits);
        final double most = (double) entries / count * UNEVEN + 64;
        final int logSize = ((int) (most * meanEntry) + SLACK + 63) & -64;
        final int buckets = (int) Math.ceil(most / (PackedLayout.SLOTS * LOAD));
        final long size = logSize + (long) buckets * PackedLayout.BUCKET;
        final MemorySegment all = arena.allocate(size * count + SLACK, 64);
        shards = new Shard[count];
        for (int i = 0; i < count; i++) {
            shards[i] = new Shard(all.address() + i * size, logSize, buckets);
        }
    }

    private Shard shard(long hash) {
        return shards[(int) (((hash >>> 32) * shards.length) >>> 32)];
    }

    private static long hash(byte[] octets, int from, int length, int type) {
        return Octets.hash(octets, from, length, SEED ^ type);
    }

    /**
     * Inserts an answer.
     *
     * @param work scratch of the calling thread, 128 KiB at least
     */
    void insert(SourceAnswer source, int now, byte[] work) {
        final int length = form.encode(source, now, work);
        final long hash = hash(source.octets, 0, source.nameLength, source.type);
        final Shard shard = shard(hash);
        synchronized (shard) {
            if (shard.head + length + SLACK > shard.logSize) {
                throw new IllegalStateException(
                        "the log of a shard is full; the mean entry given is too small");
            }
            Memory.copyFrom(work, 0, shard.base + shard.head, length);
            if (!shard.index.add((int) hash, shard.head)) {
                throw new IllegalStateException("the index of a shard is full");
            }
            shard.head += length;
            shard.entries++;
        }
    }

    /**
     * Builds the response to a query; false for a miss.
     *
     * @param work scratch of the calling thread, 128 KiB at least
     */
    boolean lookup(HeapQuery query, int now, ResponseBuffer out, byte[] work) {
        final long hash = hash(query.octets, query.nameAt, query.nameLength, query.type);
        final Shard shard = shard(hash);
        final int tag = PackedIndex.tag((int) hash);
        synchronized (shard) {
            final int first = shard.index.first((int) hash);
            if (!find(shard, first, tag, query, work)
                    && !find(shard, shard.index.other(first, tag), tag, query, work)) {
                return false;
            }
        }
        if (form.isExpired(work, 0, now)) {
            return false;
        }
        form.respond(work, 0, query, now, out);
        return true;
    }

    private boolean find(Shard shard, int bucket, int tag, HeapQuery query, byte[] work) {
        final PackedIndex index = shard.index;
        int slot = index.slot(bucket, tag, 0);
        while (slot != PackedIndex.NONE) {
            final int offset = index.offset(bucket, slot);
            if (copyAndCompare(shard, offset, query, work)) {
                index.touch(bucket, slot);
                return true;
            }
            slot = index.slot(bucket, tag, slot + 1);
        }
        return false;
    }

    private boolean copyAndCompare(Shard shard, int offset, HeapQuery query, byte[] work) {
        final int room = shard.logSize - offset;
        final int first = Math.min(room, FIRST_COPY);
        Memory.copyTo(shard.base + offset, work, 0, first);
        if (!form.answers(work, 0, query)) {
            return false;
        }
        final int reach = Math.min(room, form.reach(work, 0));
        if (reach > first) {
            Memory.copyTo(shard.base + offset + first, work, first, reach - first);
        }
        return true;
    }

    int size() {
        int sum = 0;
        for (Shard shard : shards) {
            sum += shard.entries;
        }
        return sum;
    }

    /** Octets in use: logs and indexes. */
    long octets() {
        long sum = 0;
        for (Shard shard : shards) {
            sum += shard.head + (long) shard.buckets * PackedLayout.BUCKET;
        }
        return sum;
    }

    @Override
    public void close() {
        arena.close();
    }
}
