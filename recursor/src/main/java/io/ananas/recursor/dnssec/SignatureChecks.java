package io.ananas.recursor.dnssec;

/**
 * Who computes whether a signature holds. Which algorithms there are is up to {@link Algorithm}:
 * all implementations agree on every signature. Thread-safe.
 */
sealed interface SignatureChecks permits JdkChecks, OpenSslChecks {
    /**
     * Whether {@code signature} over {@code data} is by {@code key}; false for a malformed one, and
     * for a key that is none or of an algorithm not known here.
     */
    boolean verify(Dnskey key, byte[] data, byte[] signature);

    /** What computes, for people: {@code OpenSSL 3.0.19}. */
    String text();
}
