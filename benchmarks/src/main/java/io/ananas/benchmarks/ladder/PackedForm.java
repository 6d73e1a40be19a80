package io.ananas.benchmarks.ladder;

/** How an answer becomes octets, and octets a response: what steps 6 and 7 differ in. */
sealed interface PackedForm permits PlainForm, GroupedForm {
    /**
     * Writes an entry.
     *
     * @return its length
     */
    int encode(SourceAnswer source, int now, byte[] out);

    /** Whether the entry at {@code at} is the one that a query asks for. */
    boolean answers(byte[] in, int at, HeapQuery query);

    /** Octets of the entry at most, as its first 256 octets tell. */
    int reach(byte[] in, int at);

    /** Whether the entry has expired. */
    boolean isExpired(byte[] in, int at, int now);

    /** Builds the response; the entry starts at {@code at} of octets that reach beyond its end. */
    void respond(byte[] in, int at, HeapQuery query, int now, ResponseBuffer out);
}
