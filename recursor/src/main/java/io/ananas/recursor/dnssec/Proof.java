package io.ananas.recursor.dnssec;

/** What the NSEC or NSEC3 records of a response prove. */
enum Proof {
    /** It is so. */
    PROVEN,
    /**
     * It rests on an opt-out range, in which unsigned delegations may hide: true of the signed part
     * of the zone, so the answer is insecure (RFC 5155, section 9.2).
     */
    OPT_OUT,
    /** Nothing. */
    NONE
}
