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
        final int most = CacheOptions.MAX_TTL;
        require(maxTtl >= 1 && maxTtl <= most, "max TTL", maxTtl, "1 to " + most);
        require(minTtl >= 0 && minTtl <= maxTtl, "min TTL", minTtl, "0 to the max TTL, " + maxTtl);
        require(
                maxNegativeTtl >= 0 && maxNegativeTtl <= most,
                "max negative TTL",
                maxNegativeTtl,
                "0 to " + most);
        require(
                minNegativeTtl >= 0 && minNegativeTtl <= maxNegativeTtl,
                "min negative TTL",
                minNegativeTtl,
                "0 to the max negative TTL, " + maxNegativeTtl);
    }

    private static void require(boolean holds, String what, int found, String seconds) {
        CacheOptions.require(holds, what, found, seconds + " s");
    }
}
