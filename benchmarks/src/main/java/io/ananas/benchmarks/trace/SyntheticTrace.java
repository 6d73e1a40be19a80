package io.ananas.benchmarks.trace;

import io.ananas.testkit.Workload;
import java.util.Random;

/**
 * A made trace: popular names by Zipf's law, names that are asked once and never again, and drift:
 * now and then a popular name is replaced by a new one. Answers are those of the reference
 * workload.
 *
 * @param queries how many
 * @param names popular at a time
 * @param exponent of Zipf's law
 * @param oneShot share of queries for a name that nobody asks again, 0 to 1
 * @param drift popular names replaced per 1,000 queries
 * @param rate queries per second
 * @param clients who ask, uniformly
 * @param seed of the random numbers
 */
public record SyntheticTrace(
        int queries,
        int names,
        double exponent,
        double oneShot,
        double drift,
        double rate,
        int clients,
        long seed) {

    /** The parameters in one line. */
    public String describe() {
        return "synthetic: %,d queries, %,d names, Zipf %s, one-shot %s, drift %s per 1,000, %s queries/s, %d clients, seed %d"
                .formatted(queries, names, exponent, oneShot, drift, rate, clients, seed);
    }

    /** Makes the trace. */
    public Trace generate() {
        final Random random = new Random(seed);
        final double[] cumulated = new double[names];
        double sum = 0;
        for (int rank = 0; rank < names; rank++) {
            sum += Math.pow(rank + 1, -exponent);
            cumulated[rank] = sum;
        }
        final int[] nameOfRank = new int[names];
        for (int i = 0; i < names; i++) {
            nameOfRank[i] = i;
        }
        shuffle(nameOfRank, random);
        final long[] millis = new long[queries];
        final int[] key = new int[queries];
        final int[] client = new int[queries];
        int next = names;
        double time = 0;
        for (int i = 0; i < queries; i++) {
            time -= Math.log(1 - random.nextDouble()) * 1_000 / rate;
            millis[i] = (long) time;
            client[i] = random.nextInt(clients);
            if (random.nextDouble() < drift / 1_000) {
                nameOfRank[rank(cumulated, random)] = next++;
            }
            key[i] = random.nextDouble() < oneShot ? next++ : nameOfRank[rank(cumulated, random)];
        }
        if (next > Workload.MAX_ENTRIES) {
            throw new IllegalArgumentException(
                    "a synthetic trace of "
                            + next
                            + " names, expected at most "
                            + Workload.MAX_ENTRIES
                            + "; ask for fewer queries or names");
        }
        return new Trace("synthetic", millis, key, client, new WorkloadQuestions(next), 0);
    }

    private static void shuffle(int[] values, Random random) {
        for (int i = values.length - 1; i > 0; i--) {
            final int other = random.nextInt(i + 1);
            final int held = values[i];
            values[i] = values[other];
            values[other] = held;
        }
    }

    private static int rank(double[] cumulated, Random random) {
        final double draw = random.nextDouble() * cumulated[cumulated.length - 1];
        final int at = java.util.Arrays.binarySearch(cumulated, draw);
        return Math.min(cumulated.length - 1, at < 0 ? -at - 1 : at + 1);
    }
}
