package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.QueryView;
import java.lang.foreign.Arena;

/**
 * Looks answers up and writes the responses in place: one per thread.
 *
 * <p><b>One at a time</b> ({@link #lookup}): hash the name, touch its second bucket, compare the
 * tags of the first, compare the name with that of the entry, write the response. <b>In batches</b>
 * ({@link #lookupBatch}): hash all names and touch their buckets, compare all tags and touch the
 * entries, and only then the rest, so that the memory accesses of different queries overlap. A
 * plain load whose result is wanted later serves here as well as the instruction of {@link
 * Prefetch} does.
 *
 * <p>Takes no lock and allocates nothing; {@link ShardReader} says how.
 *
 * <p><b>What a lookup tries</b>, in this order: the answer; for a client that set CD, the answer
 * that was not validated; a failure that is remembered (RFC 9520), in whose place a stale answer is
 * given if there is one and the options allow it (RFC 8767). {@link #notes} tells which it was.
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

    /** Note: the answer had expired; it went out with a short TTL and EDE 3. */
    public static final int STALE = 1;

    /** Note: a failure that is remembered. */
    public static final int FAILURE = 2;

    /** Note: a popular answer in the last tenth of its life, which should be fetched anew. */
    public static final int RENEW = 4;

    /** Note: the answer was not validated, and is for clients that set CD. */
    public static final int UNCHECKED = 8;

    private static final int LINE = 64;

    /** Octets of native memory that a reader works in. */
    static final long SCRATCH = (long) NameCompressor.SCRATCH + SubnetLookup.SCRATCH;

    private static final int MISS = ShardReader.MISS;
    private static final int EXPIRED = ShardReader.EXPIRED;

    private final AnswerCache cache;
    private final KeyHash hashes;
    private final int maxStale;
    private final Arena arena = Arena.ofShared();
    private final ShardReader shards;
    private final SubnetLookup subnets;
    private final long[] hash = new long[MAX_BATCH];
    private final long[] near = new long[MAX_BATCH];
    private final EntryKey key = new EntryKey();
    private final int[] notes = new int[MAX_BATCH];

    @SuppressWarnings("UnusedVariable") // written so that the loads that warm the caches stay
    private long touched;

    private int note;

    CacheReader(AnswerCache cache, KeyHash hashes, long base, int shardSize, int shardCount) {
        this.cache = cache;
        this.hashes = hashes;
        final CacheOptions options = cache.options();
        maxStale = options.stale().maxAge();
        final long scratch = arena.allocate(SCRATCH, LINE).address();
        final GeneralWriter general =
                new GeneralWriter(scratch, new QueryView(), options.maxAnswerTtl());
        shards = new ShardReader(base, shardSize, shardCount, options, general);
        subnets = new SubnetLookup(shards, hashes, scratch + NameCompressor.SCRATCH);
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
        final long wanted = hashOf(query, 0);
        touched = Memory.getByte(shards.otherBucketAddress(wanted));
        final int length = answer(query, wanted, 0, now, reply, limit, 0);
        final int octets = length > 0 ? length : fallBack(query, length, now, reply, limit);
        notes[0] = note;
        return octets;
    }

    /**
     * Answers a query with an answer that has expired, but not longer ago than the options allow:
     * TTL and EDE as RFC 8767 asks. For who has tried to get a fresh one and could not.
     *
     * @return octets of the response; 0 if there is none
     */
    public int lookupStale(QueryView query, int now, long reply, int limit) {
        final int length = stale(query, now, reply, limit);
        notes[0] = note;
        return length;
    }

    private int stale(QueryView query, int now, long reply, int limit) {
        final int length = answer(query, hashOf(query, 0), 0, now, reply, limit, maxStale);
        if (length > 0 || !query.checkingDisabled()) {
            return Math.max(MISS, length);
        }
        final int flags = GeneralLayout.UNCHECKED;
        final long wanted = hashOf(query, flags);
        return Math.max(MISS, answer(query, wanted, flags, now, reply, limit, maxStale));
    }

    /**
     * Answers up to {@link #MAX_BATCH} queries; each as {@link #lookup} does.
     *
     * @param queries parsed and answerable up to {@code count}
     * @param replies where each response goes
     * @param limits octets that each client can take
     * @param lengths receives octets of each response, 0 for a miss
     */
    public void lookupBatch(
            QueryView[] queries, int count, int now, long[] replies, int[] limits, int[] lengths) {
        for (int i = 0; i < count; i++) {
            hash[i] = hashOf(queries[i], 0);
            near[i] = shards.bucketAddress(hash[i]);
        }
        long sink = touch(count, 0);
        for (int i = 0; i < count; i++) {
            near[i] = shards.likelyEntry(hash[i]);
        }
        sink += touch(count, 0);
        sink += touch(count, LINE);
        touched = sink;
        for (int i = 0; i < count; i++) {
            final QueryView query = queries[i];
            final int length = answer(query, hash[i], 0, now, replies[i], limits[i], 0);
            lengths[i] = length > 0 ? length : fallBack(query, length, now, replies[i], limits[i]);
            notes[i] = note;
        }
    }

    /**
     * Loads an octet from each address: nothing but loads, so that they all wait for memory at the
     * same time.
     */
    private long touch(int count, int offset) {
        final long[] at = near;
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Memory.getByte(at[i] + offset);
        }
        return sum;
    }

    /**
     * {@link #STALE}, {@link #FAILURE}, {@link #RENEW}, {@link #UNCHECKED} of the answer to query
     * {@code i}; 0 after a single lookup.
     */
    public int notes(int i) {
        return notes[i];
    }

    /**
     * Answers a query of a client whose subnet counts (RFC 7871): with the answer for the longest
     * prefix that fits, or with one that is for everyone. A client that does not want to be known
     * (source prefix 0) gets what was asked for without an address, or what is for everyone.
     *
     * @param family 1 or 2
     * @param address where the address stands, 4 octets or 16
     * @param source bits of it that count
     * @return octets of the response; 0 for a miss. Where the query had the option, the response
     *     has it too, with the scope of the answer.
     */
    public int lookupSubnet(
            QueryView query, int family, long address, int source, int now, long reply, int limit) {
        final int room = limit - (query.ecsOffset() == 0 ? 0 : SubnetOption.length(query));
        final int tailored = tailored(query, family, address, source, now, reply, room, 0);
        if (tailored > 0) {
            return tailored;
        }
        final int length = answer(query, hashOf(query, 0), 0, now, reply, room, 0);
        int octets = length > 0 ? length : fallBack(query, length, now, reply, room);
        if (octets > 0 && note == FAILURE && maxStale > 0) {
            final int stale = tailored(query, family, address, source, now, reply, room, maxStale);
            if (stale > 0) {
                return stale;
            }
            octets = fallBack(query, MISS, now, reply, room);
        }
        notes[0] = note;
        return octets == MISS ? MISS : withSubnet(query, 0, reply, octets);
    }

    /**
     * As {@link #lookupStale}, for a client whose subnet counts; see {@link #lookupSubnet}.
     *
     * @return octets of the response; 0 if there is none
     */
    public int lookupStaleSubnet(
            QueryView query, int family, long address, int source, int now, long reply, int limit) {
        final int room = limit - (query.ecsOffset() == 0 ? 0 : SubnetOption.length(query));
        final int length = tailored(query, family, address, source, now, reply, room, maxStale);
        if (length > 0) {
            return length;
        }
        final int octets = stale(query, now, reply, room);
        notes[0] = note;
        return octets == MISS ? MISS : withSubnet(query, 0, reply, octets);
    }

    private int tailored(
            QueryView query,
            int family,
            long address,
            int source,
            int now,
            long reply,
            int room,
            int stale) {
        final int length = subnets.find(query, family, address, source, now, reply, room, stale);
        if (length == MISS) {
            return MISS;
        }
        note = shards.note();
        notes[0] = subnets.isUnchecked() ? note | UNCHECKED : note;
        return withSubnet(query, subnets.prefix(), reply, length);
    }

    private int withSubnet(QueryView query, int scope, long reply, int length) {
        if (query.ecsOffset() == 0) {
            return length;
        }
        return SubnetOption.append(query, scope, reply + shards.optAt(), reply + length) + length;
    }

    /** What else there may be where the answer is missing or has expired. */
    private int fallBack(QueryView query, int length, int now, long reply, int limit) {
        boolean expired = length == EXPIRED;
        if (query.checkingDisabled()) {
            final int found = variant(query, GeneralLayout.UNCHECKED, now, reply, limit);
            if (found > 0) {
                note |= UNCHECKED;
                return found;
            }
            expired |= found == EXPIRED;
        }
        final int flags =
                query.checkingDisabled()
                        ? GeneralLayout.FAILURE | GeneralLayout.UNCHECKED
                        : GeneralLayout.FAILURE;
        final int failure = variant(query, flags, now, reply, limit);
        if (failure <= 0) {
            note = 0;
            return MISS;
        }
        int octets = failure;
        if (expired && maxStale > 0) {
            final int stale = stale(query, now, reply, limit);
            if (stale > 0) {
                return stale;
            }
            octets = Math.max(MISS, variant(query, flags, now, reply, limit));
        }
        note = FAILURE;
        return octets;
    }

    private int variant(QueryView query, int flags, int now, long reply, int limit) {
        return answer(query, hashOf(query, flags), flags, now, reply, limit, 0);
    }

    private int answer(
            QueryView query, long wanted, int flags, int now, long reply, int limit, int stale) {
        key.set(query.nameAddress(), query.nameLength(), query.type(), flags);
        final int length = shards.answer(query, wanted, key, now, reply, limit, stale);
        note = shards.note();
        return length;
    }

    private long hashOf(QueryView query, int flags) {
        return hashes.of(query.nameAddress(), query.nameLength(), query.type(), flags);
    }

    /** Gives the reader's scratch memory back. */
    @Override
    public void close() {
        cache.forget(this);
        arena.close();
    }
}
