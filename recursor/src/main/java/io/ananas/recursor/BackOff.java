package io.ananas.recursor;

import java.time.Duration;

/**
 * How long something that failed is left alone: longer with each failure in a row, and at most five
 * minutes (RFC 9520, section 3.2). Immutable.
 *
 * @param until milliseconds since 1970
 * @param period milliseconds
 */
record BackOff(long until, long period) {
    static final long LONGEST_MILLIS = Duration.ofMinutes(5).toMillis();

    static BackOff first(long now, long period) {
        return new BackOff(now + period, period);
    }

    /** After one more failure; one that comes long after the last counts as the first. */
    BackOff next(long now, long first) {
        if (now < until) {
            return this;
        }
        if (now - until > 2 * LONGEST_MILLIS) {
            return first(now, first);
        }
        final long longer = Math.min(LONGEST_MILLIS, 2 * period);
        return new BackOff(now + longer, longer);
    }

    boolean holds(long now) {
        return now < until && until - now <= LONGEST_MILLIS;
    }
}
