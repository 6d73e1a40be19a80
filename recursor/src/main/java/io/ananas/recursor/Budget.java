package io.ananas.recursor;

import io.ananas.recursor.ResolutionFailure.LimitReached;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What is left to spend on one question.
 *
 * <p>All that is done for the question pays from here: the branches that look up servers, the names
 * behind aliases, the keys that validation needs. A limit per branch would not bound their sum:
 * that is how one query became thousands (NXNSAttack, Afek, Bremler-Barr and Shafir 2020; TsuNAME,
 * Moura et al. 2021). For one thread at a time.
 */
final class Budget {
    private final Limits limits;
    private final Events events;
    private final LongSupplier nanoTime;
    private final long start;
    private int upstreamQueries;
    private int aliasSteps;
    private int minimisationSteps;

    Budget(Limits limits, Events events, LongSupplier nanoTime) {
        this.limits = limits;
        this.events = events;
        this.nanoTime = nanoTime;
        start = nanoTime.getAsLong();
    }

    Limits limits() {
        return limits;
    }

    /** Pays for one query to a server. */
    void spendQuery() throws LimitReached {
        if (upstreamQueries >= limits.upstreamQueries()) {
            throw reached(
                    Limit.UPSTREAM_QUERIES,
                    "gave up after %d queries to servers".formatted(upstreamQueries));
        }
        upstreamQueries++;
        events.add(Event.UPSTREAM_QUERY);
    }

    /** Pays for one alias. */
    void spendAlias() throws LimitReached {
        if (aliasSteps >= limits.aliasSteps()) {
            throw reached(
                    Limit.ALIAS_STEPS, "gave up after %d aliases in a row".formatted(aliasSteps));
        }
        aliasSteps++;
    }

    void countMinimised() {
        minimisationSteps++;
        events.add(Event.MINIMISED_QUERY);
    }

    /** Time that is left, above zero. */
    Duration remaining() throws LimitReached {
        final long left = limits.wallTime().toNanos() - (nanoTime.getAsLong() - start);
        if (left <= 0) {
            throw reached(
                    Limit.WALL_TIME,
                    "gave up after %d ms and %d queries to servers"
                            .formatted(limits.wallTime().toMillis(), upstreamQueries));
        }
        return Duration.ofNanos(left);
    }

    LimitReached reached(Limit limit, String text) {
        events.add(limit.event());
        return new LimitReached(limit, text);
    }

    int upstreamQueries() {
        return upstreamQueries;
    }

    int aliasSteps() {
        return aliasSteps;
    }

    int minimisationSteps() {
        return minimisationSteps;
    }
}
