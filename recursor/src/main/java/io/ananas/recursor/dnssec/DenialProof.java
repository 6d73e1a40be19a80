package io.ananas.recursor.dnssec;

import io.ananas.message.Name;

/** The validated NSEC or NSEC3 records of one zone, from one response. */
sealed interface DenialProof permits NsecProof, Nsec3Proof {
    /** That {@code name} has no RRset of {@code type}, though it or something below it exists. */
    Proof noData(Name name, int type);

    /** That {@code name} does not exist and no wildcard stands for it. */
    Proof nameError(Name name);

    /**
     * That nothing exists between {@code name} and the wildcard that an answer was made from.
     *
     * @param encloser the parent of that wildcard
     */
    Proof noCloserMatch(Name name, Name encloser);

    /** What the absence of a DS RRset means for {@code name}. */
    Delegation delegation(Name name);
}
