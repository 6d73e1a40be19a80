package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.QueryView;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;

/**
 * Looks answers up and writes the responses in place: one per thread.
 *
 * <p><b>One at a time</b> ({@link #lookup}): hash the name, touch the bucket, encode the name while
 * the bucket is on its way, compare tags, compare the entry, write the response. <b>In batches</b>
 * ({@link #lookupBatch}): each of these stages for all queries before the next stage, so that the
 * memory accesses of different queries overlap; Java has no prefetch instruction, a plain load
 * whose result is wanted later serves as one.
 *
 * <p>Takes no lock and allocates nothing. A writer that changes the shard meanwhile makes the
 * reader look again; after {@link #MAX_ATTEMPTS} the query counts as a miss, so that no stream of
 * insertions can hold a reader up.
 *
 * <p>Not thread-safe. Valid until its cache is closed.
 */
public final class CacheReader implements AutoCloseable {
    /** The most queries of one batch. */
    public static final int MAX_BATCH = 64;

    /**
     * Octets that the buffer of a response must have at least, whatever the limit of the response.
     */
    public static final int MIN_CAPACITY = AnswerWriter.SHORT_CAPACITY;

    /** Octets of native memory that a reader works in. */
    static final long SCRATCH = (long) MAX_BATCH * NameCode.MAX_ENCODED + NameCompressor.SCRATCH;

    private static final int MISS = 0;
    private static final int MAX_ATTEMPTS = 64;
    private static final int RETRY = -1;
    private static final int LINE = 64;
    private static final int ROTATION_STEP = 0x9e3779b9;

    private final AnswerCache cache;
    private final KeyHash hashes;
    private final long base;
    private final int shardSize;
    private final int shards;
    private final boolean rotate;
    private final Arena arena = Arena.ofShared();
    private final long encoded;
    private final GeneralWriter general;
    private final long[] hash = new long[MAX_BATCH];
    private final int[] codeLength = new int[MAX_BATCH];

    @SuppressWarnings(
            "UnusedVariable") // written so that the loads that warm the caches are not dropped
    private long touched;

    private int rotation;
    private int remaining;
    private int lifetime;

    CacheReader(
            AnswerCache cache,
            KeyHash hashes,
            long base,
            int shardSize,
            int shards,
            boolean rotate) {
        this.cache = cache;
        this.hashes = hashes;
        this.base = base;
        this.shardSize = shardSize;
        this.shards = shards;
        this.rotate = rotate;
        encoded = arena.allocate(SCRATCH, LINE).address();
        general =
                new GeneralWriter(
                        encoded + (long) MAX_BATCH * NameCode.MAX_ENCODED, new QueryView());
    }

    /**
     * Answers a query from the cache.
     *
     * @param query parsed and answerable; eight octets behind it must be readable
     * @param now seconds since 1970
     * @param reply where the response goes: {@link #MIN_CAPACITY} octets at least, and {@code
     *     limit} plus 8
     * @param limit octets that the client can take, 512 to 65,535; what is longer is cut with TC
     * @return octets of the response; 0 for a miss
     */
    public int lookup(QueryView query, int now, long reply, int limit) {
        final long key = hashes.of(query.nameAddress(), query.nameLength(), query.type(), 0);
        final long bucket = bucketAddress(key);
        // a load with acquire is not moved down to its use: the bucket comes while the name is
        // encoded
        touched = Memory.getIntAcquire(bucket);
        final int octets = NameCode.encode(query.nameAddress(), query.nameLength() - 1, encoded);
        final int length = answer(query, key, encoded, octets, 0, now, reply, limit);
        return length != MISS || !query.checkingDisabled()
                ? length
                : lookupUnchecked(query, octets, encoded, now, reply, limit);
    }

    /** A client that checks by itself may also have what was not validated. */
    private int lookupUnchecked(
            QueryView query, int octets, long code, int now, long reply, int limit) {
        final int variant = GeneralLayout.UNCHECKED;
        final long key = hashes.of(query.nameAddress(), query.nameLength(), query.type(), variant);
        return answer(query, key, code, octets, variant, now, reply, limit);
    }

    /**
     * Answers up to {@link #MAX_BATCH} queries; each as {@link #lookup} does.
     *
     * @param queries parsed and answerable, {@code null} or unparsed beyond {@code count}
     * @param replies where each response goes
     * @param limits octets that each client can take
     * @param lengths receives octets of each response, 0 for a miss
     */
    public void lookupBatch(
            QueryView[] queries, int count, int now, long[] replies, int[] limits, int[] lengths) {
        long sink = 0;
        for (int i = 0; i < count; i++) {
            final QueryView query = queries[i];
            hash[i] = hashes.of(query.nameAddress(), query.nameLength(), query.type(), 0);
            sink += Memory.getByte(bucketAddress(hash[i]));
        }
        for (int i = 0; i < count; i++) {
            final QueryView query = queries[i];
            codeLength[i] =
                    NameCode.encode(
                            query.nameAddress(),
                            query.nameLength() - 1,
                            encoded + (long) i * NameCode.MAX_ENCODED);
        }
        for (int i = 0; i < count; i++) {
            sink += Memory.getByte(likelyEntry(hash[i]));
        }
        touched = sink;
        for (int i = 0; i < count; i++) {
            final QueryView query = queries[i];
            final long code = encoded + (long) i * NameCode.MAX_ENCODED;
            int length = answer(query, hash[i], code, codeLength[i], 0, now, replies[i], limits[i]);
            if (length == MISS && query.checkingDisabled()) {
                length = lookupUnchecked(query, codeLength[i], code, now, replies[i], limits[i]);
            }
            lengths[i] = length;
        }
    }

    private long shard(long key) {
        return base + (((key >>> 40) * shards) >>> 24) * shardSize;
    }

    private long bucketAddress(long key) {
        final long shard = shard(key);
        final int buckets = Memory.getIntLE(shard + ShardLayout.BUCKETS);
        return shard
                + shardSize
                - (long) (buckets - Index.bucket(key, buckets)) * BucketLayout.SIZE;
    }

    /**
     * The first entry of the first bucket that has the key's tag; the shard itself if there is
     * none.
     */
    private long likelyEntry(long key) {
        final long shard = shard(key);
        final int buckets = Memory.getIntLE(shard + ShardLayout.BUCKETS);
        final long index = shard + shardSize - (long) buckets * BucketLayout.SIZE;
        final int tag = Index.tag(key);
        final int first = Index.bucket(key, buckets);
        final long at = index + (long) first * BucketLayout.SIZE;
        final int slot = likelySlot(at, tag);
        if (slot != Index.NOT_FOUND) {
            return shard + Index.offset(at, slot);
        }
        final long other = index + (long) Index.other(first, tag, buckets) * BucketLayout.SIZE;
        final int otherSlot = likelySlot(other, tag);
        return otherSlot == Index.NOT_FOUND ? shard : shard + Index.offset(other, otherSlot);
    }

    private static int likelySlot(long bucket, int tag) {
        final long low = Index.matchLow(bucket, tag);
        if (low != 0) {
            return Long.numberOfTrailingZeros(low) >>> 3;
        }
        final long high = Index.matchHigh(bucket, tag);
        return high == 0 ? Index.NOT_FOUND : 7 + (Long.numberOfTrailingZeros(high) >>> 3);
    }

    private int answer(
            QueryView query,
            long key,
            long code,
            int octets,
            int flags,
            int now,
            long reply,
            int limit) {
        final long shard = shard(key);
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            final int sequence = Memory.getIntAcquire(shard + ShardLayout.SEQUENCE);
            if ((sequence & 1) != 0) {
                Thread.onSpinWait();
                continue;
            }
            final int length = find(query, shard, key, code, octets, flags, now, reply, limit);
            VarHandle.loadLoadFence();
            if (Memory.getIntLE(shard + ShardLayout.SEQUENCE) == sequence) {
                return Math.max(MISS, length);
            }
        }
        return MISS;
    }

    private int find(
            QueryView query,
            long shard,
            long key,
            long code,
            int octets,
            int flags,
            int now,
            long reply,
            int limit) {
        if (now - Memory.getIntLE(shard + ShardLayout.HORIZON) > 0) {
            return MISS;
        }
        final int buckets = Memory.getIntLE(shard + ShardLayout.BUCKETS);
        final long index = shard + shardSize - (long) buckets * BucketLayout.SIZE;
        final int tag = Index.tag(key);
        final int first = Index.bucket(key, buckets);
        final long firstAt = index + (long) first * BucketLayout.SIZE;
        final int length =
                findIn(query, shard, firstAt, tag, code, octets, flags, now, reply, limit);
        if (length != RETRY) {
            return length;
        }
        final long otherAt = index + (long) Index.other(first, tag, buckets) * BucketLayout.SIZE;
        return findIn(query, shard, otherAt, tag, code, octets, flags, now, reply, limit);
    }

    /**
     * Octets of the response; 0 if the answer has expired; {@link #RETRY} if the bucket has no
     * entry of the key.
     */
    private int findIn(
            QueryView query,
            long shard,
            long bucket,
            int tag,
            long code,
            int octets,
            int flags,
            int now,
            long reply,
            int limit) {
        final int type = query.type();
        final int firstForm = EntryLayout.firstForm(type);
        final int maxCount = EntryLayout.maxCount(type);
        long matches = Index.matchLow(bucket, tag);
        int slotBase = 0;
        while (true) {
            if (matches == 0) {
                if (slotBase != 0) {
                    return RETRY;
                }
                slotBase = 7;
                matches = Index.matchHigh(bucket, tag);
                continue;
            }
            final int slot = slotBase + (Long.numberOfTrailingZeros(matches) >>> 3);
            matches &= matches - 1;
            final long entry = shard + Index.offset(bucket, slot);
            if (EntryKey.sameOctets(entry + EntryLayout.HEADER, code, octets)) {
                final int header = Memory.getIntLE(entry);
                final long body = entry + EntryLayout.HEADER + octets;
                if (EntryKey.matchesType(header, body, type, firstForm, maxCount, flags)) {
                    return respond(query, shard, bucket, slot, header, body, now, reply, limit);
                }
            }
        }
    }

    private int respond(
            QueryView query,
            long shard,
            long bucket,
            int slot,
            int header,
            long body,
            int now,
            long reply,
            int limit) {
        remaining = EntryLayout.remaining(header, now);
        if (remaining <= 0) {
            return MISS;
        }
        lifetime = EntryLayout.lifetimeClass(header);
        Index.touch(bucket, slot);
        final int form = EntryLayout.form(header);
        if (form == EntryLayout.GENERAL) {
            final int first = rotate ? (rotation += ROTATION_STEP) >>> 16 : 0;
            return general.write(
                    query, header, body, shard + shardSize, remaining, first, reply, limit);
        }
        int first = 0;
        if (rotate) {
            final int count = EntryLayout.countOf(form);
            rotation += ROTATION_STEP;
            first = ((rotation >>> 16) * count) >>> 16;
        }
        return AnswerWriter.write(query, header, body, remaining, first, reply, limit);
    }

    /** Seconds until the answer given last expires. */
    public int lastRemaining() {
        return remaining;
    }

    /** Seconds, to the nearest of sixteen steps, that the answer given last was to live in all. */
    public int lastLifetime() {
        return Lifetime.secondsOf(lifetime);
    }

    /** Gives the reader's scratch memory back. */
    @Override
    public void close() {
        cache.forget(this);
        arena.close();
    }
}
