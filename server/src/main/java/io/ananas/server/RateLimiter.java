package io.ananas.server;

import io.ananas.message.Memory;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often each client may ask: a token bucket per client network in a table of fixed size.
 *
 * <p>A bucket is one long. Instead of a number of tokens it holds the time when it would be full
 * again (the "theoretical arrival time" of the generic cell rate algorithm, ITU-T I.371): each
 * query moves that time by one interval, and is over the limit if the time would then lie further
 * ahead than the burst allows. So nothing has to be refilled, and one compare-and-set does it.
 *
 * <pre>
 *   63            40 39                              0
 *   +---------------+--------------------------------+
 *   | tag of client | full again at, in units of 64 ns |
 *   +---------------+--------------------------------+
 * </pre>
 *
 * <p>A client may be in any of four neighbouring places. One that is new takes the place that was
 * full first, so idle clients give way. Two networks with the same tag in the same places share a
 * bucket: one in some millions. IPv4 counts by address, IPv6 by /64, for who has one has them all.
 *
 * <p>Allocates nothing; thread-safe.
 */
final class RateLimiter {
    private static final int WAYS = 4;
    private static final int PLACES = 1 << 16;
    private static final int TIME_BITS = 40;
    private static final long TIME_MASK = (1L << TIME_BITS) - 1;
    private static final int UNIT_SHIFT = 6;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final AtomicLongArray table;
    private final long interval;
    private final long burst;
    private final long seed;

    private RateLimiter(long interval, long burst, long seed) {
        this.interval = interval;
        this.burst = burst;
        this.seed = seed;
        table = new AtomicLongArray(interval == 0 ? WAYS : PLACES);
    }

    /** No limit. */
    static RateLimiter none() {
        return new RateLimiter(0, 0, 0);
    }

    /**
     * A limit per client.
     *
     * @param perSecond queries per second, 1 to 1,000,000
     * @param burst queries at once after a pause, at least 1
     * @param seed secret, so that nobody can choose addresses that share a bucket
     */
    static RateLimiter of(int perSecond, int burst, long seed) {
        if (perSecond < 1 || perSecond > 1_000_000 || burst < 1 || burst > 1_000_000) {
            throw new IllegalArgumentException(
                    "queries per second and burst must be 1 to 1000000, not %d and %d"
                            .formatted(perSecond, burst));
        }
        final long interval = (NANOS_PER_SECOND / perSecond) >> UNIT_SHIFT;
        return new RateLimiter(interval, interval * burst, seed | 1);
    }

    boolean isUnlimited() {
        return interval == 0;
    }

    /**
     * The network that an address of 4 or 16 octets in native memory counts for: equal for two
     * addresses that share a bucket.
     */
    static long client(long address, int length) {
        final long network =
                length == 4 ? Memory.getIntBE(address) & 0xffff_ffffL : Memory.getLongBE(address);
        return network + length;
    }

    /**
     * Takes tokens of a client, as many as it has of those wanted: one atomic instruction for all,
     * because that of a client whose queries come to several threads costs as much as a lookup.
     *
     * @param client from {@link #client}
     * @param wanted how many, at least 1
     * @param nanos a time that never goes back
     * @return how many it got, 0 to {@code wanted}
     */
    int take(long client, int wanted, long nanos) {
        if (interval == 0) {
            return wanted;
        }
        final long hash = hash(client);
        final long tag = (hash >>> TIME_BITS) == 0 ? 1 : hash >>> TIME_BITS;
        final int first = (int) hash & (PLACES - WAYS);
        final long now = nanos >>> UNIT_SHIFT & TIME_MASK;
        while (true) {
            final int place = place(first, tag, now);
            final long old = table.get(place);
            final long ahead = old >>> TIME_BITS == tag ? ahead(old, now) : 0;
            final int taken = (int) Math.min(wanted, (burst - ahead) / interval);
            if (taken <= 0) {
                return 0;
            }
            final long fullAt = now + ahead + taken * interval & TIME_MASK;
            if (table.compareAndSet(place, old, tag << TIME_BITS | fullAt)) {
                return taken;
            }
        }
    }

    private int place(int first, long tag, long now) {
        int best = first;
        long least = Long.MAX_VALUE;
        for (int i = first; i < first + WAYS; i++) {
            final long bucket = table.get(i);
            if (bucket >>> TIME_BITS == tag) {
                return i;
            }
            final long ahead = ahead(bucket, now);
            if (ahead < least) {
                least = ahead;
                best = i;
            }
        }
        return best;
    }

    /** How far ahead of now a bucket is full again; 0 if it is full, or from long ago. */
    private long ahead(long bucket, long now) {
        final long ahead = bucket - now & TIME_MASK;
        return ahead > burst ? 0 : ahead;
    }

    private long hash(long client) {
        final long x = (client ^ seed) * MIX;
        final long y = (x ^ x >>> 32) * MIX;
        return y ^ y >>> 29;
    }
}
