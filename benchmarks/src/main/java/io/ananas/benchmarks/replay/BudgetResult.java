package io.ananas.benchmarks.replay;

/**
 * What one cache made of a trace within a budget.
 *
 * @param cache which
 * @param subnets groups of clients that see different answers; 1 without ECS
 * @param entries that the budget held at the end, or at most
 * @param octetsPerEntry everything counted
 * @param hitRatio 0 to 1, of all queries that got an answer
 * @param upstreamQueries misses
 * @param meanMillis response time
 * @param p99Millis response time that one of a hundred exceeds
 */
record BudgetResult(
        String trace,
        String cache,
        long budget,
        int subnets,
        long entries,
        double octetsPerEntry,
        double hitRatio,
        long upstreamQueries,
        double meanMillis,
        double p99Millis) {}
