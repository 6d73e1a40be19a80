package io.ananas.recursor.dnssec;

/**
 * How much work validation may cost (KeyTrap, CVE-2023-50387; NSEC3 hashing, CVE-2023-50868; RFC
 * 9276).
 *
 * <p>The limits per RRset are a property of the zone: one that passes them is bogus, and that is
 * remembered. The limits per question may be passed by a chain of innocent zones, so they end the
 * question and say nothing of any zone.
 *
 * @param keysPerTag keys of one tag and algorithm that are tried for a signature, 1 to 16; a zone
 *     that rolls over needs 1, and 2 happens by chance
 * @param signaturesPerRrset signatures that are tried for an RRset, 1 to 64
 * @param failuresPerRrset failed checks after which an RRset is bogus, 1 to 256
 * @param checksPerQuestion signature checks for a question, chain of trust included, 1 to 65,536
 * @param failuresPerQuestion failed ones of those, 1 to 65,536
 * @param digestsPerQuestion hashes of keys compared with DS records, 1 to 65,536
 * @param hashBlocksPerQuestion blocks of 64 octets hashed for NSEC3, 1 to 10,000,000
 * @param fetchesPerQuestion DS and DNSKEY RRsets asked for, 1 to 1,024
 * @param insecureIterations NSEC3 iterations above which a proof counts as none and the zone as
 *     insecure, 0 to 65,535
 * @param bogusIterations iterations above which it counts as bogus, at least the former
 * @param denialSets NSEC or NSEC3 RRsets of one response that are looked at, 4 to 64
 * @param cachedZones zones whose keys, or lack of keys, are remembered, 16 to 10,000,000
 * @param bogusSeconds how long a bogus zone is remembered as such, 1 to 300 (RFC 9520, section 3.2)
 * @param clockSkewSeconds by how much a signature may be too old or too new, 0 to 86,400
 */
public record ValidationLimits(
        int keysPerTag,
        int signaturesPerRrset,
        int failuresPerRrset,
        int checksPerQuestion,
        int failuresPerQuestion,
        int digestsPerQuestion,
        int hashBlocksPerQuestion,
        int fetchesPerQuestion,
        int insecureIterations,
        int bogusIterations,
        int denialSets,
        int cachedZones,
        int bogusSeconds,
        int clockSkewSeconds) {

    /** What suits a public resolver. */
    public static final ValidationLimits DEFAULT =
            new ValidationLimits(4, 8, 8, 128, 32, 128, 16_384, 64, 50, 500, 12, 50_000, 30, 0);

    /**
     * @throws IllegalArgumentException if a limit is outside its range; the message says which
     */
    public ValidationLimits {
        require("keysPerTag", keysPerTag, 1, 16);
        require("signaturesPerRrset", signaturesPerRrset, 1, 64);
        require("failuresPerRrset", failuresPerRrset, 1, 256);
        require("checksPerQuestion", checksPerQuestion, 1, 65_536);
        require("failuresPerQuestion", failuresPerQuestion, 1, 65_536);
        require("digestsPerQuestion", digestsPerQuestion, 1, 65_536);
        require("hashBlocksPerQuestion", hashBlocksPerQuestion, 1, 10_000_000);
        require("fetchesPerQuestion", fetchesPerQuestion, 1, 1_024);
        require("insecureIterations", insecureIterations, 0, 65_535);
        require("bogusIterations", bogusIterations, insecureIterations, 65_535);
        require("denialSets", denialSets, 4, 64);
        require("cachedZones", cachedZones, 16, 10_000_000);
        require("bogusSeconds", bogusSeconds, 1, 300);
        require("clockSkewSeconds", clockSkewSeconds, 0, 86_400);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be %d to %d, got %d".formatted(what, least, most, value));
        }
    }
}
