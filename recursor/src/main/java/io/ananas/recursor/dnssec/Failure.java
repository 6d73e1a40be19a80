package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;

/**
 * Why something did not validate.
 *
 * @param text a sentence for people, without a full stop
 */
record Failure(ExtendedError error, String text) implements Checked {
    /**
     * Of two signatures that did not hold, the one whose failure says more: one that was checked,
     * before one out of time, before one without a key.
     */
    Failure or(Failure other) {
        return rank() <= other.rank() ? this : other;
    }

    private int rank() {
        return switch (error) {
            case DNSSEC_BOGUS -> 0;
            case SIGNATURE_EXPIRED -> 1;
            case SIGNATURE_NOT_YET_VALID -> 2;
            case SIGNATURE_EXPIRED_BEFORE_VALID -> 3;
            case NO_ZONE_KEY_BIT_SET -> 4;
            case DNSKEY_MISSING -> 5;
            case UNSUPPORTED_DNSKEY_ALGORITHM -> 6;
            default -> 7;
        };
    }
}
