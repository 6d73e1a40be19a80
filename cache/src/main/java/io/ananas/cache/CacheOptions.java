package io.ananas.cache;

/**
 * What a cache is opened with. Immutable; start from {@link #ofSize} and change one thing at a
 * time.
 *
 * @param size the budget in octets: index, entries and everything else that the cache keeps per
 *     entry
 * @param meanEntry expected octets per entry without its place in the index, so that the index has
 *     its final size from the start; 0 lets it grow with use
 * @param hugePages whether to ask the system for huge pages
 * @param rotate whether A and AAAA records are given in another order from answer to answer
 * @param minTtl shortest lifetime of a positive answer, in seconds; does not apply to a TTL of 0
 * @param maxTtl longest lifetime of any answer, in seconds, at most 604,800
 * @param minNegativeTtl shortest lifetime of a denial, in seconds
 * @param maxNegativeTtl longest lifetime of a denial, in seconds
 * @param maxStale seconds behind its expiry for which an answer may be given where no fresh one can
 *     be had (RFC 8767), at most 259,200; 0 to give none
 * @param staleTtl the TTL of such an answer, in seconds
 * @param maxEntry the largest entry that is kept, in octets
 * @param maxAnswerTtl the longest TTL that clients see, in seconds; answers may be kept longer
 */
public record CacheOptions(
        long size,
        int meanEntry,
        boolean hugePages,
        boolean rotate,
        int minTtl,
        int maxTtl,
        int minNegativeTtl,
        int maxNegativeTtl,
        int maxStale,
        int staleTtl,
        int maxEntry,
        int maxAnswerTtl) {
    /** Seven days: the longest TTL that RFC 8767, section 4, advises to keep. */
    public static final int MAX_TTL = 604_800;

    /** The smallest budget. */
    public static final long MIN_SIZE = 1 << 20;

    private static final int DEFAULT_MAX_STALE = 86_400;

    public CacheOptions {
        require(size >= MIN_SIZE, "cache size", size, "at least " + MIN_SIZE + " octets");
        require(meanEntry >= 0, "mean entry", meanEntry, "0 or more octets");
        require(maxTtl >= 1 && maxTtl <= MAX_TTL, "max TTL", maxTtl, "1 to " + MAX_TTL + " s");
        require(
                minTtl >= 0 && minTtl <= maxTtl,
                "min TTL",
                minTtl,
                "0 to the max TTL, " + maxTtl + " s");
        require(
                maxNegativeTtl >= 0 && maxNegativeTtl <= MAX_TTL,
                "max negative TTL",
                maxNegativeTtl,
                "0 to " + MAX_TTL + " s");
        require(
                minNegativeTtl >= 0 && minNegativeTtl <= maxNegativeTtl,
                "min negative TTL",
                minNegativeTtl,
                "0 to the max negative TTL, " + maxNegativeTtl + " s");
        require(
                maxStale >= 0 && maxStale <= Shard.MAX_STALE,
                "max stale",
                maxStale,
                "0 to " + Shard.MAX_STALE + " s");
        require(staleTtl >= 1 && staleTtl <= maxTtl, "stale TTL", staleTtl, "1 s to the max TTL");
        require(
                maxAnswerTtl >= 1 && maxAnswerTtl <= MAX_TTL,
                "max answer TTL",
                maxAnswerTtl,
                "1 to " + MAX_TTL + " s");
        require(maxEntry >= 512, "max entry", maxEntry, "at least 512 octets");
    }

    private static void require(boolean holds, String what, long found, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(
                    what + ": found " + found + ", expected " + expected);
        }
    }

    /** The defaults, with a budget in octets. */
    public static CacheOptions ofSize(long size) {
        return new CacheOptions(
                size, 0, true, true, 0, 86_400, 0, 10_800, DEFAULT_MAX_STALE, 30, 70_000, MAX_TTL);
    }

    public CacheOptions withSize(long octets) {
        return new CacheOptions(
                octets,
                meanEntry,
                hugePages,
                rotate,
                minTtl,
                maxTtl,
                minNegativeTtl,
                maxNegativeTtl,
                maxStale,
                staleTtl,
                maxEntry,
                maxAnswerTtl);
    }

    public CacheOptions withMeanEntry(int octets) {
        return new CacheOptions(
                size,
                octets,
                hugePages,
                rotate,
                minTtl,
                maxTtl,
                minNegativeTtl,
                maxNegativeTtl,
                maxStale,
                staleTtl,
                maxEntry,
                maxAnswerTtl);
    }

    public CacheOptions withHugePages(boolean wanted) {
        return new CacheOptions(
                size,
                meanEntry,
                wanted,
                rotate,
                minTtl,
                maxTtl,
                minNegativeTtl,
                maxNegativeTtl,
                maxStale,
                staleTtl,
                maxEntry,
                maxAnswerTtl);
    }

    public CacheOptions withRotate(boolean wanted) {
        return new CacheOptions(
                size,
                meanEntry,
                hugePages,
                wanted,
                minTtl,
                maxTtl,
                minNegativeTtl,
                maxNegativeTtl,
                maxStale,
                staleTtl,
                maxEntry,
                maxAnswerTtl);
    }

    /** Bounds for the lifetime of positive answers, in seconds. */
    public CacheOptions withTtl(int min, int max) {
        return new CacheOptions(
                size,
                meanEntry,
                hugePages,
                rotate,
                min,
                max,
                minNegativeTtl,
                maxNegativeTtl,
                maxStale,
                staleTtl,
                maxEntry,
                maxAnswerTtl);
    }

    /** Bounds for the lifetime of denials, in seconds. */
    public CacheOptions withNegativeTtl(int min, int max) {
        return new CacheOptions(
                size,
                meanEntry,
                hugePages,
                rotate,
                minTtl,
                maxTtl,
                min,
                max,
                maxStale,
                staleTtl,
                maxEntry,
                maxAnswerTtl);
    }

    /** How long an answer may be given behind its expiry, and with which TTL, both in seconds. */
    public CacheOptions withStale(int max, int ttl) {
        return new CacheOptions(
                size,
                meanEntry,
                hugePages,
                rotate,
                minTtl,
                maxTtl,
                minNegativeTtl,
                maxNegativeTtl,
                max,
                ttl,
                maxEntry,
                maxAnswerTtl);
    }

    /** The longest TTL that clients see, in seconds. */
    public CacheOptions withMaxAnswerTtl(int seconds) {
        return new CacheOptions(
                size,
                meanEntry,
                hugePages,
                rotate,
                minTtl,
                maxTtl,
                minNegativeTtl,
                maxNegativeTtl,
                maxStale,
                staleTtl,
                maxEntry,
                seconds);
    }

    /** The bounds for the lifetime of answers. */
    public TtlBounds bounds() {
        return new TtlBounds(minTtl, maxTtl, minNegativeTtl, maxNegativeTtl);
    }
}
