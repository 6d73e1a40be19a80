package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import org.jspecify.annotations.Nullable;

/** What becomes of NSEC3 records that ask for too much hashing (RFC 9276, section 3.2). */
final class Nsec3Iterations {
    private Nsec3Iterations() {}

    /** Null if so many are fine; else insecure, or bogus above the upper limit. */
    static @Nullable Failure judge(Name name, int iterations, ValidationLimits limits) {
        if (iterations <= limits.insecureIterations()) {
            return null;
        }
        return new Failure(
                ExtendedError.UNSUPPORTED_NSEC3_ITERATIONS,
                "the proof for %s has %d NSEC3 iterations, above %d it counts as %s; the zone should use 0"
                        .formatted(
                                name,
                                iterations,
                                iterations > limits.bogusIterations()
                                        ? limits.bogusIterations()
                                        : limits.insecureIterations(),
                                iterations > limits.bogusIterations() ? "bogus" : "insecure"));
    }
}
