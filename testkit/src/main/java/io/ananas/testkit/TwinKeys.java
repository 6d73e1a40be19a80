package io.ananas.testkit;

import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;

/** Keys made to have the tag of another: what an attacker makes with little work. */
public final class TwinKeys {
    private TwinKeys() {}

    /** An RSA key of the same tag and algorithm: two pairs of octets of the modulus swapped. */
    public static DNSKEYRecord of(DNSKEYRecord key) {
        return of(key, 1);
    }

    /** The {@code n}th of them, from 1; each different. */
    public static DNSKEYRecord of(DNSKEYRecord key, int n) {
        final byte[] octets = key.getKey();
        int at = 10;
        int left = n;
        while (left > 0) {
            if ((left & 1) == 1) {
                swap(octets, at);
            }
            left >>= 1;
            at += 4;
        }
        return new DNSKEYRecord(
                key.getName(),
                DClass.IN,
                key.getTTL(),
                key.getFlags(),
                key.getProtocol(),
                key.getAlgorithm(),
                octets);
    }

    /** The tag is a sum of octet pairs, so their order does not show in it. */
    private static void swap(byte[] octets, int at) {
        for (int i = 0; i < 2; i++) {
            final byte kept = octets[at + i];
            octets[at + i] = octets[at + i + 2];
            octets[at + i + 2] = kept;
        }
    }
}
