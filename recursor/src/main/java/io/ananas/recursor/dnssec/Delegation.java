package io.ananas.recursor.dnssec;

/** What the denial of a DS RRset proves about its owner (RFC 4035, section 5.2). */
enum Delegation {
    /** A zone cut without DS, or one that may hide in an opt-out range: the child is insecure. */
    INSECURE,
    /** The name exists, or something below it does, and it is no zone cut. */
    NO_CUT,
    /** Neither the name nor anything below it exists in the zone. */
    NO_NAME,
    /** Nothing. */
    UNPROVEN
}
