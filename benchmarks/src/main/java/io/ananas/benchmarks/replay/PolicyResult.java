package io.ananas.benchmarks.replay;

/**
 * A policy's hit ratio.
 *
 * @param capacity entries
 * @param share of the trace's distinct questions that the capacity is, 0 to 1
 * @param hitRatio 0 to 1
 */
record PolicyResult(String trace, String policy, int capacity, double share, double hitRatio) {}
