package io.ananas.cache;

/** What became of an answer that was offered to the cache. */
public enum Insertion {
    /** It is in the cache and was not before. */
    STORED,
    /** It took the place of an older answer to the same question. */
    REPLACED,
    /**
     * Not an answer to keep: no question or another class than IN, truncated, not NOERROR or
     * NXDOMAIN.
     */
    NOT_AN_ANSWER,
    /** A denial without an SOA record, which must not be cached (RFC 2308, section 5). */
    NO_SOA,
    /** A TTL of 0: good for the transaction in progress only (RFC 1035, section 3.2.1). */
    TTL_ZERO,
    /** Larger than an entry may be, see {@link CacheOptions#maxEntry}. */
    TOO_LARGE,
    /** A question may have no more answers for subnets, see {@link AnswerCache#MAX_SUBNETS}. */
    TOO_MANY_SUBNETS,
    /** The index had no room and nothing could be evicted. */
    NO_ROOM;

    /** Whether the answer is in the cache now. */
    public boolean isCached() {
        return this == STORED || this == REPLACED;
    }
}
