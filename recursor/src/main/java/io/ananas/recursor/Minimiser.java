package io.ananas.recursor;

import io.ananas.message.Name;

/**
 * Which part of a name a server gets to see (RFC 9156, section 2.3): one label more than its zone
 * has, then one more each time; names with many labels go faster after the first four steps, so
 * that no more than the allowed number is needed.
 */
final class Minimiser {
    private static final int ONE_LABEL_STEPS = 4;

    private final Name full;
    private final int maxSteps;
    private int steps;

    Minimiser(Name full, int maxSteps) {
        this.full = full;
        this.maxSteps = maxSteps;
    }

    /** The name to ask after {@code known}, a zone or a name that exists, at or above the full. */
    Name next(Name known) {
        final int have = known.labelCount();
        final int missing = full.labelCount() - have;
        final int stepsLeft = maxSteps - steps;
        if (missing <= 1 || stepsLeft <= 0) {
            return full;
        }
        steps++;
        if (steps <= ONE_LABEL_STEPS || missing <= stepsLeft) {
            return full.suffix(have + 1);
        }
        return full.suffix(have + (missing + stepsLeft - 1) / stepsLeft);
    }

    /** Whether all steps are used up. */
    boolean isExhausted() {
        return steps >= maxSteps;
    }
}
