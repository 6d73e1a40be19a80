package io.ananas.recursor.dnssec;

import org.jspecify.annotations.Nullable;

/** The encoding of hashes in owner names (RFC 4648, section 7; without padding). */
final class Base32Hex {
    private static final String DIGITS = "0123456789abcdefghijklmnopqrstuv";

    private Base32Hex() {}

    /** Null if there is anything but digits of either case. */
    static byte @Nullable [] decode(byte[] text, int start, int length) {
        final byte[] octets = new byte[length * 5 / 8];
        int bits = 0;
        int have = 0;
        int to = 0;
        for (int i = start; i < start + length; i++) {
            final int digit = digit(text[i]);
            if (digit < 0) {
                return null;
            }
            bits = bits << 5 | digit;
            have += 5;
            if (have >= 8) {
                have -= 8;
                octets[to++] = (byte) (bits >> have);
            }
        }
        return octets;
    }

    private static int digit(byte c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        final int letter = (c | 0x20) - 'a';
        return letter >= 0 && letter < 22 ? letter + 10 : -1;
    }

    static String encode(byte[] octets) {
        final StringBuilder text = new StringBuilder(octets.length * 8 / 5 + 1);
        int bits = 0;
        int have = 0;
        for (final byte octet : octets) {
            bits = (bits << 8 | (octet & 0xff)) & 0xfff;
            have += 8;
            while (have >= 5) {
                have -= 5;
                text.append(DIGITS.charAt(bits >> have & 31));
            }
        }
        if (have > 0) {
            text.append(DIGITS.charAt(bits << (5 - have) & 31));
        }
        return text.toString();
    }
}
