package io.ananas.recursor.dnssec;

import java.util.Arrays;

/**
 * An ECDSA signature as two ASN.1 numbers (RFC 3279, section 2.2.3) from its form in DNSSEC, two
 * plain ones of equal size (RFC 6605, section 4). Both are at most 48 octets, so lengths are of the
 * short form.
 */
final class EcdsaDer {
    private static final byte SEQUENCE = 0x30;
    private static final byte INTEGER = 0x02;

    private EcdsaDer() {}

    static byte[] of(byte[] signature) {
        final int half = signature.length / 2;
        final byte[] der = new byte[signature.length + 8];
        int at = 2;
        at = integer(signature, 0, half, der, at);
        at = integer(signature, half, signature.length, der, at);
        der[0] = SEQUENCE;
        der[1] = (byte) (at - 2);
        return Arrays.copyOf(der, at);
    }

    /** Without leading zeros, but with one where the first bit would make it negative. */
    private static int integer(byte[] from, int start, int end, byte[] der, int at) {
        int first = start;
        while (first < end - 1 && from[first] == 0) {
            first++;
        }
        final int pad = from[first] < 0 ? 1 : 0;
        der[at] = INTEGER;
        der[at + 1] = (byte) (pad + end - first);
        System.arraycopy(from, first, der, at + 2 + pad, end - first);
        return at + 2 + pad + end - first;
    }
}
