package io.ananas.cache;

/**
 * How answers are given behind their expiry where no fresh one can be had (RFC 8767).
 *
 * @param maxAge seconds behind its expiry for which an answer may be given, at most 259,200; 0 to
 *     give none
 * @param answerTtl the TTL of such an answer, in seconds
 */
public record ServeStale(int maxAge, int answerTtl) {
    public ServeStale {
        CacheOptions.require(
                maxAge >= 0 && maxAge <= Shard.MAX_STALE,
                "max stale",
                maxAge,
                "0 to " + Shard.MAX_STALE + " s");
        CacheOptions.require(answerTtl >= 1, "stale TTL", answerTtl, "1 s to the max TTL");
    }
}
