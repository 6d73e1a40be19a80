package io.ananas.message;

import org.jspecify.annotations.Nullable;

/**
 * Why an answer is as it is: the INFO-CODEs of Extended DNS Errors (RFC 8914, section 4, and the
 * registry that it founds), with words for people.
 */
public enum ExtendedError {
    OTHER(0, "an error without a code of its own"),
    UNSUPPORTED_DNSKEY_ALGORITHM(
            1, "the zone is signed only with DNSKEY algorithms not known here"),
    UNSUPPORTED_DS_DIGEST_TYPE(2, "the delegation has only DS digest types not known here"),
    STALE_ANSWER(3, "no fresh answer in time, so this is an expired one"),
    FORGED_ANSWER(4, "a policy put this answer in place of the real one"),
    DNSSEC_INDETERMINATE(5, "whether the answer must be signed could not be found out"),
    DNSSEC_BOGUS(6, "the answer failed DNSSEC validation"),
    SIGNATURE_EXPIRED(7, "every signature of the answer has expired"),
    SIGNATURE_NOT_YET_VALID(8, "no signature of the answer is valid yet"),
    DNSKEY_MISSING(9, "no DNSKEY of the zone fits its DS record"),
    RRSIGS_MISSING(10, "the zone is signed but the answer came without signatures"),
    NO_ZONE_KEY_BIT_SET(11, "no DNSKEY of the zone has the zone key bit set"),
    NSEC_MISSING(12, "the proof that the name or type does not exist is missing"),
    CACHED_ERROR(13, "a failure found a short while ago, answered from the cache"),
    NOT_READY(14, "the server is starting and cannot answer yet"),
    BLOCKED(15, "blocked by the operator of this server"),
    CENSORED(16, "blocked by an order from outside"),
    FILTERED(17, "blocked by a filter that the client asked for"),
    PROHIBITED(18, "this client may not use this server"),
    STALE_NXDOMAIN_ANSWER(19, "no fresh answer in time, so this is an expired name error"),
    NOT_AUTHORITATIVE(20, "the server is not authoritative for the name and does not recurse"),
    NOT_SUPPORTED(21, "the request is not supported here"),
    NO_REACHABLE_AUTHORITY(22, "none of the servers for the name could be reached"),
    NETWORK_ERROR(23, "the network failed between this server and another"),
    INVALID_DATA(24, "the server of the zone has no usable data for it"),
    SIGNATURE_EXPIRED_BEFORE_VALID(25, "a signature expires before it becomes valid"),
    TOO_EARLY(26, "the request came as replayable early data"),
    UNSUPPORTED_NSEC3_ITERATIONS(27, "the NSEC3 iterations of the zone are above the limit here"),
    UNABLE_TO_CONFORM_TO_POLICY(28, "the server could not answer within its policy"),
    SYNTHESIZED(29, "made from cached proofs of non-existence or a wildcard"),
    INVALID_QUERY_TYPE(30, "the type asked for can never have an answer");

    private static final ExtendedError[] BY_CODE = values();

    private final int code;
    private final String text;

    ExtendedError(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** INFO-CODE, 0 to 65,535. */
    public int code() {
        return code;
    }

    /** What it means, for people. */
    public String text() {
        return text;
    }

    /** The error with this INFO-CODE; null for one not known here. */
    public static @Nullable ExtendedError of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
