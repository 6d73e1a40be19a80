package io.ananas.recursor;

import java.time.Duration;

/**
 * How long something that failed is left alone: longer with each failure in a row, up to a limit of
 * at most five minutes (RFC 9520, section 3.2). Immutable.
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
        return next(now, first, LONGEST_MILLIS);
    }

    /** The same, never longer than {@code longest} milliseconds. */
    BackOff next(long now, long first, long longest) {
        if (now < until) {
            return this;
        }
        if (now - until > 2 * longest) {
            return first(now, first);
        }
        final long longer = Math.min(longest, 2 * period);
        return new BackOff(now + longer, longer);
    }

    boolean holds(long now) {
        return now < until && until - now <= LONGEST_MILLIS;
    }
}
