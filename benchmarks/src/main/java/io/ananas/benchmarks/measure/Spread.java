package io.ananas.benchmarks.measure;

import java.util.Arrays;
import java.util.Locale;

/**
 * What repeated measurements of one quantity gave.
 *
 * @param median the middle one; of an even number the lower of the two
 * @param runs how many there were, 1 or more
 */
public record Spread(double median, double min, double max, int runs) {
    public static Spread of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no measurement, at least one expected");
        }
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Spread(
                sorted[(sorted.length - 1) / 2],
                sorted[0],
                sorted[sorted.length - 1],
                sorted.length);
    }

    /** Median with extremes. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,.1f [%,.1f .. %,.1f]", median, min, max);
    }
}
