package io.ananas.benchmarks.replay;

/**
 * A policy's hit ratio.
 *
 * @param size entries that are compared: what the policy keeps, or what ours keeps in its memory
 * @param capacity entries that the policy keeps
 * @param policyOctets that it needs per entry
 * @param share of the trace's distinct questions that the size is, 0 to 1
 * @param hitRatio 0 to 1
 */
record PolicyResult(
        String trace,
        String policy,
        int size,
        int capacity,
        double policyOctets,
        double share,
        double hitRatio) {}
