package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import org.jspecify.annotations.Nullable;

/** Verdicts for what can be found. */
final class Verdicts {
    static final Verdict SECURE = new Verdict(Status.SECURE, null, "");

    private Verdicts() {}

    /** For a chain of trust that does not lead to keys. */
    static Verdict of(ZoneTrust end) {
        return switch (end) {
            case ZoneTrust.Insecure it -> new Verdict(Status.INSECURE, it.error(), it.text());
            case ZoneTrust.Broken it ->
                    new Verdict(it.status(), it.failure().error(), it.failure().text());
            case ZoneTrust.Secure it -> throw noEnd(it);
            case ZoneTrust.NoCut it -> throw noEnd(it);
            case ZoneTrust.Delegated it -> throw noEnd(it);
        };
    }

    private static IllegalStateException noEnd(ZoneTrust trust) {
        return new IllegalStateException("a chain of trust cannot end without keys at " + trust);
    }

    static Verdict optOut(Name name) {
        return new Verdict(
                Status.INSECURE, null, "the denial for " + name + " rests on an opt-out range");
    }

    /** For a proof that is missing: the failure of what could have been it, if there is one. */
    static Verdict missing(Denials denials, String text) {
        final Failure failure = denials.failure();
        return failure != null ? bogus(failure) : bogus(ExtendedError.NSEC_MISSING, text);
    }

    static Verdict bogus(ExtendedError error, String text) {
        return new Verdict(Status.BOGUS, error, text);
    }

    static Verdict bogus(Failure failure) {
        return bogus(failure.error(), failure.text());
    }

    /** For too many NSEC3 iterations; null if there are not. */
    static @Nullable Verdict iterations(Name name, Denials denials, ValidationLimits limits) {
        final Failure failure = Nsec3Iterations.judge(name, denials.iterations(), limits);
        if (failure == null) {
            return null;
        }
        final boolean bogus = denials.iterations() > limits.bogusIterations();
        return new Verdict(bogus ? Status.BOGUS : Status.INSECURE, failure.error(), failure.text());
    }
}
