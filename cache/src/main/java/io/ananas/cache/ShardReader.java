package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.QueryView;
import java.lang.invoke.VarHandle;

/**
 * The readers' side of the shards: finds the entry of one key and writes its response, while a
 * writer may be at work ({@link Shard} has the other side of that). Part of a {@link CacheReader},
 * which decides what keys to try.
 *
 * <p>A writer that changes the shard meanwhile makes the reader look again; after {@link
 * #MAX_ATTEMPTS} the query counts as a miss, so that no stream of insertions can hold a reader up.
 */
final class ShardReader {
    static final int MISS = 0;
    static final int EXPIRED = -2;
    static final int MAX_ATTEMPTS = 64;

    private static final int ROTATION_STEP = 0x9e3779b9;
    private static final int POPULAR = 2;

    private final long base;
    private final int shardSize;
    private final int shardCount;
    private final boolean rotate;
    private final int staleTtl;
    private final int maxTtl;
    private final GeneralWriter general;
    private int rotation;
    private int note;
    private int optAt;

    ShardReader(
            long base, int shardSize, int shardCount, CacheOptions options, GeneralWriter general) {
        this.base = base;
        this.shardSize = shardSize;
        this.shardCount = shardCount;
        this.general = general;
        rotate = options.rotate();
        staleTtl = options.stale().answerTtl();
        maxTtl = options.maxAnswerTtl();
    }

    /** {@link CacheReader#STALE} or {@link CacheReader#RENEW} of the last answer found; or 0. */
    int note() {
        return note;
    }

    /** Where the OPT record of the last response begins, if it has one. */
    int optAt() {
        return optAt;
    }

    /** The shard of a key. */
    long shard(long key) {
        return base + (((key >>> 40) * shardCount) >>> 24) * shardSize;
    }

    /** The index of a shard. */
    long index(long shard, int buckets) {
        return shard + shardSize - (long) buckets * BucketLayout.SIZE;
    }

    /** The first bucket that may have a key. */
    long bucketAddress(long key) {
        final long shard = shard(key);
        final int buckets = Memory.getIntLE(shard, ShardLayout.BUCKETS);
        return shard
                + shardSize
                - (long) (buckets - Index.bucket(key, buckets)) * BucketLayout.SIZE;
    }

    /** The second bucket that may have a key. */
    long otherBucketAddress(long key) {
        final long shard = shard(key);
        final int buckets = Memory.getIntLE(shard, ShardLayout.BUCKETS);
        final int other = Index.other(Index.bucket(key, buckets), Index.tag(key), buckets);
        return shard + shardSize - (long) (buckets - other) * BucketLayout.SIZE;
    }

    /** The first entry that has the key's tag; the shard itself if there is none. */
    long likelyEntry(long key) {
        final long shard = shard(key);
        final int buckets = Memory.getIntLE(shard, ShardLayout.BUCKETS);
        final long index = index(shard, buckets);
        return shard + Index.likelyOffset(index, buckets, key);
    }

    /** Octets of the response; {@link #MISS}, or {@link #EXPIRED} if the entry is too old. */
    int answer(
            QueryView query, long wanted, EntryKey key, int now, long reply, int limit, int stale) {
        final long shard = shard(wanted);
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            final int sequence = Memory.getIntAcquire(shard + ShardLayout.SEQUENCE);
            if ((sequence & 1) != 0) {
                Thread.onSpinWait();
                continue;
            }
            final int length = find(query, shard, wanted, key, now, reply, limit, stale);
            VarHandle.loadLoadFence();
            if (Memory.getIntLE(shard, ShardLayout.SEQUENCE) == sequence) {
                return length;
            }
        }
        return MISS;
    }

    private int find(
            QueryView query,
            long shard,
            long wanted,
            EntryKey key,
            int now,
            long reply,
            int limit,
            int stale) {
        if (now - Memory.getIntLE(shard, ShardLayout.HORIZON) > 0) {
            return MISS;
        }
        final int buckets = Memory.getIntLE(shard, ShardLayout.BUCKETS);
        final long index = index(shard, buckets);
        final int place = Index.locate(index, buckets, wanted, shard, key);
        if (place == Index.NOT_FOUND) {
            return MISS;
        }
        final long bucket = index + (long) (place >> 4) * BucketLayout.SIZE;
        final long entry = shard + Index.offset(bucket, place & 15);
        final int header = key.header();
        final int remaining = EntryLayout.remaining(header, now);
        if (remaining <= -stale) {
            return EXPIRED;
        }
        Index.touch(bucket, place & 15);
        note(header, remaining, bucket, place & 15);
        final long body = entry + EntryLayout.HEADER + key.codeLength();
        return respond(query, key, body, shard + shardSize, remaining, reply, limit);
    }

    private void note(int header, int remaining, long bucket, int slot) {
        if (remaining <= 0) {
            note = CacheReader.STALE;
        } else {
            final int lifetime = Lifetime.secondsOf(EntryLayout.lifetimeClass(header));
            note =
                    10 * remaining <= lifetime && Index.mark(bucket, slot) >= POPULAR
                            ? CacheReader.RENEW
                            : 0;
        }
    }

    private int respond(
            QueryView query,
            EntryKey key,
            long body,
            long bound,
            int remaining,
            long reply,
            int limit) {
        final int ttl = Math.min(maxTtl, remaining > 0 ? remaining : staleTtl);
        final boolean stale = remaining <= 0;
        final int header = key.header();
        if (rotate) {
            rotation += ROTATION_STEP;
        }
        if (EntryLayout.form(header) == EntryLayout.GENERAL) {
            final int first = rotation >>> 16;
            final int length =
                    general.write(query, header, body, bound, ttl, first, stale, reply, limit);
            optAt = general.optAt();
            return Math.max(MISS, length);
        }
        final int count = key.count();
        final int first = ((rotation >>> 16) * count) >>> 16;
        final int length =
                AnswerWriter.write(query, header, count, body, ttl, first, stale, reply, limit);
        optAt = AnswerWriter.optAt(reply, length, stale);
        return length;
    }
}
