package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.recursor.AnswerValidator.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a name as a link in a chain of trust. */
sealed interface ZoneTrust {
    /** Until when it may be relied on, seconds since 1970. */
    long expires();

    /**
     * A zone with keys that the chain of trust leads to.
     *
     * @param keys all of its keys that may sign the zone
     */
    record Secure(Name zone, List<Dnskey> keys, long expires) implements ZoneTrust {}

    /**
     * Below this name nothing needs to be signed.
     *
     * @param error null where there is nothing amiss
     */
    record Insecure(Name name, @Nullable ExtendedError error, String text, long expires)
            implements ZoneTrust {}

    /**
     * A zone whose parent says which keys it must have; not looked at yet.
     *
     * @param signers of known digest and algorithm, at least one
     */
    record Delegated(Name zone, List<DelegationSigner> signers, long expires)
            implements ZoneTrust {}

    /** The chain breaks at this name: {@link Status#BOGUS} or {@link Status#INDETERMINATE}. */
    record Broken(Name name, Status status, Failure failure, long expires) implements ZoneTrust {}

    /**
     * No zone begins at this name.
     *
     * @param last nor at any name below it, as there is none
     */
    record NoCut(Name name, boolean last, long expires) implements ZoneTrust {}
}
