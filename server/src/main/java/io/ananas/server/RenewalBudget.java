package io.ananas.server;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many answers may be renewed before their end, all names together: a rate with a burst of one
 * second, kept as the time when the next may go (as in {@link RateLimiter}). Thread-safe.
 */
final class RenewalBudget {
    private static final long SECOND = 1_000_000_000L;

    private final long interval;
    private final AtomicLong next;

    /**
     * @param perSecond 0 for none at all
     */
    RenewalBudget(int perSecond, long nanoTime) {
        interval = perSecond == 0 ? 0 : SECOND / perSecond;
        next = new AtomicLong(nanoTime - SECOND);
    }

    /** Takes one; false if there is none left. */
    boolean take(long nanoTime) {
        if (interval == 0) {
            return false;
        }
        while (true) {
            final long before = next.get();
            final long from = Math.max(before - nanoTime, -SECOND) + nanoTime;
            if (from - nanoTime > 0) {
                return false;
            }
            if (next.compareAndSet(before, from + interval)) {
                return true;
            }
        }
    }
}
