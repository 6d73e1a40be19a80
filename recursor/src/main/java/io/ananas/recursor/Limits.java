package io.ananas.recursor;

import java.time.Duration;

/**
 * How much work one question may cause.
 *
 * @param upstreamQueries see {@link Limit#UPSTREAM_QUERIES}; at least 1
 * @param serverLookups names per referral, see {@link Limit#SERVER_LOOKUPS}; at least 1
 * @param aliasSteps see {@link Limit#ALIAS_STEPS}; at least 1
 * @param minimisationSteps per name, see {@link Limit#MINIMISATION_STEPS}; at least 0
 * @param depth see {@link Limit#DEPTH}; at least 1
 * @param wallTime see {@link Limit#WALL_TIME}; above zero
 * @param inFlight see {@link Limit#IN_FLIGHT}; at least 1
 */
public record Limits(
        int upstreamQueries,
        int serverLookups,
        int aliasSteps,
        int minimisationSteps,
        int depth,
        Duration wallTime,
        int inFlight) {
    /** 64 queries, 6 server names, 16 aliases, 10 minimised queries, depth 8, 5 s, 10,000. */
    public static final Limits DEFAULT =
            new Limits(64, 6, 16, 10, 8, Duration.ofSeconds(5), 10_000);

    public Limits {
        if (upstreamQueries < 1
                || serverLookups < 1
                || aliasSteps < 1
                || minimisationSteps < 0
                || depth < 1
                || inFlight < 1
                || wallTime.isNegative()
                || wallTime.isZero()) {
            throw new IllegalArgumentException(
                    "limits must be positive, and only minimisationSteps may be 0; got "
                            + "upstreamQueries %d, serverLookups %d, aliasSteps %d, minimisationSteps %d, depth %d, wallTime %s, inFlight %d"
                                    .formatted(
                                            upstreamQueries,
                                            serverLookups,
                                            aliasSteps,
                                            minimisationSteps,
                                            depth,
                                            wallTime,
                                            inFlight));
        }
    }

    public Limits withUpstreamQueries(int queries) {
        return new Limits(
                queries, serverLookups, aliasSteps, minimisationSteps, depth, wallTime, inFlight);
    }

    public Limits withAliasSteps(int steps) {
        return new Limits(
                upstreamQueries,
                serverLookups,
                steps,
                minimisationSteps,
                depth,
                wallTime,
                inFlight);
    }

    public Limits withServerLookups(int names) {
        return new Limits(
                upstreamQueries, names, aliasSteps, minimisationSteps, depth, wallTime, inFlight);
    }

    public Limits withMinimisationSteps(int steps) {
        return new Limits(
                upstreamQueries, serverLookups, aliasSteps, steps, depth, wallTime, inFlight);
    }

    public Limits withWallTime(Duration time) {
        return new Limits(
                upstreamQueries,
                serverLookups,
                aliasSteps,
                minimisationSteps,
                depth,
                time,
                inFlight);
    }

    public Limits withInFlight(int questions) {
        return new Limits(
                upstreamQueries,
                serverLookups,
                aliasSteps,
                minimisationSteps,
                depth,
                wallTime,
                questions);
    }
}
