package io.ananas.benchmarks.ladder;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cache around the entries of steps 0 to 5: shards with a monitor each, so sized that 27,500
 * entries use 32,768 buckets, and {@link ArcShard ARC} in each. Any thread may use it.
 */
final class HeapCache {
    /** A step of the ladder: how an entry is made. */
    interface Builder {
        HeapEntry build(SourceAnswer source, int hash, int now);
    }

    private static final int MEAN_PER_SHARD = 27_500;
    private static final int SHARD_CAPACITY = 28_600;
    private static final long SEED = 0x5b1d0e7a3c96f284L;

    private final Builder builder;
    private final ArcShard[] shards;

    private HeapCache(Builder builder, int shardCount, int shardCapacity) {
        this.builder = builder;
        shards = new ArcShard[shardCount];
        final int buckets = Integer.highestOneBit(Math.max(2, shardCapacity) - 1) << 1;
        for (int i = 0; i < shardCount; i++) {
            shards[i] = new ArcShard(shardCapacity, buckets);
        }
    }

    /** Room for {@code entries} without any eviction: 4 % in each shard for uneven filling. */
    static HeapCache holding(Builder builder, int entries) {
        final int count = Math.max(1, (entries + MEAN_PER_SHARD - 1) / MEAN_PER_SHARD);
        return new HeapCache(builder, count, SHARD_CAPACITY);
    }

    /** At most {@code entries}, spread evenly over the shards. */
    static HeapCache limitedTo(Builder builder, int entries) {
        final int count = Math.max(1, (entries + MEAN_PER_SHARD - 1) / MEAN_PER_SHARD);
        return new HeapCache(builder, count, Math.max(2, entries / count));
    }

    /** Inserts an answer, in place of the one with the same key if there is one. */
    void insert(SourceAnswer source, int now) {
        final long hash =
                hash(
                        source.octets,
                        0,
                        source.nameLength,
                        source.type,
                        source.validated,
                        source.tag);
        final HeapEntry entry = builder.build(source, (int) hash, now);
        final ArcShard shard = shard(hash);
        synchronized (shard) {
            shard.insert(entry, source);
        }
    }

    /** Builds the response to a query; false for a miss. */
    boolean lookup(HeapQuery query, int now, ResponseBuffer out) {
        final long hash =
                hash(
                        query.octets,
                        query.nameAt,
                        query.nameLength,
                        query.type,
                        query.validated,
                        query.tag);
        final ArcShard shard = shard(hash);
        final HeapEntry entry;
        synchronized (shard) {
            entry = shard.find(query, (int) hash);
        }
        if (entry == null || entry.isExpired(now)) {
            return false;
        }
        entry.hits++;
        entry.respond(query, now, out);
        return true;
    }

    private ArcShard shard(long hash) {
        return shards[(int) (((hash >>> 32) * shards.length) >>> 32)];
    }

    private static long hash(
            byte[] octets,
            int from,
            int length,
            int type,
            boolean validated,
            byte @Nullable [] tag) {
        final long meta = type | (validated ? 1L << 16 : 0);
        final long hash = Octets.hash(octets, from, length, SEED ^ meta << 24);
        return tag == null ? hash : Octets.hash(Objects.requireNonNull(tag), 0, tag.length, hash);
    }

    int size() {
        int sum = 0;
        for (ArcShard shard : shards) {
            synchronized (shard) {
                sum += shard.size();
            }
        }
        return sum;
    }
}
