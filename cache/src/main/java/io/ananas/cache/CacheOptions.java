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
 * @param bounds how long answers may be kept
 * @param stale how they are given behind their expiry
 * @param maxEntry the largest entry that is kept, in octets
 * @param maxAnswerTtl the longest TTL that clients see, in seconds; answers may be kept longer
 */
public record CacheOptions(
        long size,
        int meanEntry,
        boolean hugePages,
        boolean rotate,
        TtlBounds bounds,
        ServeStale stale,
        int maxEntry,
        int maxAnswerTtl) {
    /** Seven days: the longest TTL that RFC 8767, section 4, advises to keep. */
    public static final int MAX_TTL = 604_800;

    /** The smallest budget. */
    public static final long MIN_SIZE = 1 << 20;

    private static final TtlBounds DEFAULT_BOUNDS = new TtlBounds(0, 86_400, 0, 10_800);
    private static final ServeStale DEFAULT_STALE = new ServeStale(86_400, 30);
    private static final int DEFAULT_MAX_ENTRY = 70_000;

    public CacheOptions {
        require(size >= MIN_SIZE, "cache size", size, "at least " + MIN_SIZE + " octets");
        require(meanEntry >= 0, "mean entry", meanEntry, "0 or more octets");
        require(
                stale.answerTtl() <= bounds.maxTtl(),
                "stale TTL",
                stale.answerTtl(),
                "1 s to the max TTL");
        require(
                maxAnswerTtl >= 1 && maxAnswerTtl <= MAX_TTL,
                "max answer TTL",
                maxAnswerTtl,
                "1 to " + MAX_TTL + " s");
        require(maxEntry >= 512, "max entry", maxEntry, "at least 512 octets");
    }

    static void require(boolean holds, String what, long found, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(
                    what + ": found " + found + ", expected " + expected);
        }
    }

    /** The defaults, with a budget in octets. */
    public static CacheOptions ofSize(long size) {
        return new CacheOptions(
                size, 0, true, true, DEFAULT_BOUNDS, DEFAULT_STALE, DEFAULT_MAX_ENTRY, MAX_TTL);
    }

    public CacheOptions withSize(long octets) {
        return new CacheOptions(
                octets, meanEntry, hugePages, rotate, bounds, stale, maxEntry, maxAnswerTtl);
    }

    public CacheOptions withMeanEntry(int octets) {
        return new CacheOptions(
                size, octets, hugePages, rotate, bounds, stale, maxEntry, maxAnswerTtl);
    }

    public CacheOptions withHugePages(boolean wanted) {
        return new CacheOptions(
                size, meanEntry, wanted, rotate, bounds, stale, maxEntry, maxAnswerTtl);
    }

    public CacheOptions withRotate(boolean wanted) {
        return new CacheOptions(
                size, meanEntry, hugePages, wanted, bounds, stale, maxEntry, maxAnswerTtl);
    }

    public CacheOptions withBounds(TtlBounds other) {
        return new CacheOptions(
                size, meanEntry, hugePages, rotate, other, stale, maxEntry, maxAnswerTtl);
    }

    /** Bounds for the lifetime of positive answers, in seconds. */
    public CacheOptions withTtl(int min, int max) {
        return withBounds(
                new TtlBounds(min, max, bounds.minNegativeTtl(), bounds.maxNegativeTtl()));
    }

    /** Bounds for the lifetime of denials, in seconds. */
    public CacheOptions withNegativeTtl(int min, int max) {
        return withBounds(new TtlBounds(bounds.minTtl(), bounds.maxTtl(), min, max));
    }

    /** How long an answer may be given behind its expiry, and with which TTL, both in seconds. */
    public CacheOptions withStale(int maxAge, int answerTtl) {
        final ServeStale other = new ServeStale(maxAge, answerTtl);
        return new CacheOptions(
                size, meanEntry, hugePages, rotate, bounds, other, maxEntry, maxAnswerTtl);
    }

    /** The longest TTL that clients see, in seconds. */
    public CacheOptions withMaxAnswerTtl(int seconds) {
        return new CacheOptions(
                size, meanEntry, hugePages, rotate, bounds, stale, maxEntry, seconds);
    }
}
