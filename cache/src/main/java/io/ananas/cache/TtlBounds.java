package io.ananas.cache;

/**
 * How long answers may be kept: bounds for what an upstream says, in seconds. Those of positive
 * answers never touch a denial, and the other way round.
 *
 * @param minTtl shortest lifetime of a positive answer; does not apply to a TTL of 0
 * @param maxTtl longest lifetime of any answer, 1 to {@link CacheOptions#MAX_TTL}
 * @param minNegativeTtl shortest lifetime of a denial
 * @param maxNegativeTtl longest lifetime of a denial
 */
public record TtlBounds(int minTtl, int maxTtl, int minNegativeTtl, int maxNegativeTtl) {
    public TtlBounds {
        require(maxTtl >= 1 && maxTtl <= CacheOptions.MAX_TTL, "max TTL", maxTtl);
        require(minTtl >= 0 && minTtl <= maxTtl, "min TTL", minTtl);
        require(
                maxNegativeTtl >= 0 && maxNegativeTtl <= CacheOptions.MAX_TTL,
                "max negative TTL",
                maxNegativeTtl);
        require(
                minNegativeTtl >= 0 && minNegativeTtl <= maxNegativeTtl,
                "min negative TTL",
                minNegativeTtl);
    }

    private static void require(boolean holds, String what, int found) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "%s: found %d s, expected at most %d s and no minimum above its maximum"
                            .formatted(what, found, CacheOptions.MAX_TTL));
        }
    }
}
