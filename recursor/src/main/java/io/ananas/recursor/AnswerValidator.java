package io.ananas.recursor;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import java.util.List;
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
     * @param maxTtl seconds for which the response may be kept at most, 0 to 2^31-1: the least TTL,
     *     original TTL and remaining life of a signature that the verdict rests on (RFC 4035,
     *     section 5.3.3); meaningful if {@link Status#SECURE}
     * @param unproven records of the answer and authority sections, by their index in the response,
     *     that a {@link Status#SECURE} verdict does not speak for: they must be left out of an
     *     answer with AD (RFC 4035, section 3.2.3)
     * @param nodata the response says NXDOMAIN and the proof says that the name exists without the
     *     type: to be answered as NOERROR
     */
    record Verdict(
            Status status,
            @Nullable ExtendedError error,
            String text,
            long maxTtl,
            List<Integer> unproven,
            boolean nodata) {

        public static final long ANY_TTL = 0x7fff_ffffL;

        public Verdict {
            unproven = List.copyOf(unproven);
        }

        public Verdict(Status status, @Nullable ExtendedError error, String text) {
            this(status, error, text, ANY_TTL, List.of(), false);
        }
    }

    /**
     * Fetches what validation needs besides the response: DNSKEY and DS RRsets with their
     * signatures, and the denial of those that do not exist. Works within the budget of the
     * question at hand.
     */
    @FunctionalInterface
    interface Fetcher {
        /**
         * The whole response to (name, type), asked with DO and CD; null if no server gave one. DS
         * is asked of the servers of the zone above {@code name}, and every fetch gives a view of
         * its own.
         */
        @Nullable MessageView fetch(Name name, int type);

        /**
         * The same, past any cache and from a server that has not yet given a response to it within
         * this question, as the last one was bogus; null if there is none left.
         */
        default @Nullable MessageView refetch(Name name, int type) {
            return null;
        }
    }

    /**
     * Judges a response to (name, type) of class IN.
     *
     * @param zone the zone whose server gave it; the root for a forwarder of everything
     */
    Verdict validate(Name name, int type, MessageView response, Name zone, Fetcher fetcher);
}
