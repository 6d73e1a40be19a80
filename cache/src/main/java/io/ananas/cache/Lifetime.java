package io.ananas.cache;

/**
 * How long an answer was to live when it came, in sixteen classes.
 *
 * <p>The TTL that clients see follows from the expiry alone. The whole lifetime is wanted for one
 * decision only, whether a popular answer is in the last tenth of it and should be fetched anew,
 * and for that a class of four bits is near enough.
 */
final class Lifetime {
    private static final int[] SECONDS = {
        1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400
    };

    private Lifetime() {}

    /** The class nearest to a lifetime in seconds. */
    static int classOf(int seconds) {
        int best = 0;
        for (int i = 1; i < SECONDS.length; i++) {
            if (Math.abs(SECONDS[i] - seconds) <= Math.abs(SECONDS[best] - seconds)) {
                best = i;
            }
        }
        return best;
    }

    /** The lifetime that a class stands for, in seconds. */
    static int secondsOf(int lifetimeClass) {
        return SECONDS[lifetimeClass];
    }
}
