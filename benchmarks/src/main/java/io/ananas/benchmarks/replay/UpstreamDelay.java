package io.ananas.benchmarks.replay;

import java.util.Random;

/**
 * How long an upstream takes to answer: a lognormal distribution, which is what resolution times of
 * recursive servers look like.
 *
 * @param medianMillis half of the answers take longer
 * @param sigma standard deviation of the logarithm
 * @param hitMillis what an answer from the cache takes
 * @param seed of the random numbers
 */
record UpstreamDelay(double medianMillis, double sigma, double hitMillis, long seed) {
    /** Milliseconds for query {@code i}: the same whichever cache had to ask. */
    double millis(int i) {
        final Random random = new Random(seed * 0x9e3779b97f4a7c15L + i);
        return medianMillis * Math.exp(sigma * random.nextGaussian());
    }

    @Override
    public String toString() {
        return "upstream delay lognormal, median %s ms, sigma %s; a hit takes %s ms"
                .formatted(medianMillis, sigma, hitMillis);
    }
}
