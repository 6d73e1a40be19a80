package io.ananas.recursor;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import org.jspecify.annotations.Nullable;

/**
 * Decides what DNSSEC says of a response: the port between iteration and validation.
 *
 * <p>Blocking, made for virtual threads; thread-safe.
 */
public interface AnswerValidator {
    /** What validation found (RFC 4035, section 4.3). */
    enum Status {
        /** A chain of trust leads to every RRset, or to the proof that there is none. */
        SECURE,
        /** Proven to lie outside the signed tree, or below a negative trust anchor. */
        INSECURE,
        /** Should be signed and is not, or the signatures do not hold. */
        BOGUS,
        /** It could not be found out: a server that was needed did not answer. */
        INDETERMINATE
    }

    /**
     * The verdict on a response.
     *
     * @param error the reason where it is not {@link Status#SECURE}; null where there is none to
     *     tell
     * @param text for people: which name, which key, what was expected; empty if there is nothing
     *     to add
     */
    record Verdict(Status status, @Nullable ExtendedError error, String text) {}

    /**
     * Fetches what validation needs besides the response: DNSKEY and DS RRsets with their
     * signatures, and the denial of those that do not exist. Works within the budget of the
     * question at hand.
     */
    @FunctionalInterface
    interface Fetcher {
        /** The whole response to (name, type), asked with DO and CD; null if no server gave one. */
        @Nullable MessageView fetch(Name name, int type);
    }

    /**
     * Judges a response to (name, type).
     *
     * @param zone the zone whose server gave it
     */
    Verdict validate(Name name, int type, MessageView response, Name zone, Fetcher fetcher);
}
