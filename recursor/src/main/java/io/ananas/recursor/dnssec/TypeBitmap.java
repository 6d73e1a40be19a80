package io.ananas.recursor.dnssec;

import io.ananas.message.Wire;
import java.util.ArrayList;
import java.util.List;

/** The types that exist at a name, as NSEC and NSEC3 list them (RFC 4034, section 4.1.2). */
final class TypeBitmap {
    private TypeBitmap() {}

    /** Whether the bitmap from {@code start} to the end of the rdata is well formed. */
    static boolean isSound(byte[] rdata, int start) {
        int at = start;
        int lastWindow = -1;
        while (at < rdata.length) {
            if (at + 2 > rdata.length) {
                return false;
            }
            final int window = Wire.u8(rdata, at);
            final int length = Wire.u8(rdata, at + 1);
            if (window <= lastWindow || length < 1 || length > 32) {
                return false;
            }
            lastWindow = window;
            at += 2 + length;
        }
        return at == rdata.length;
    }

    /** Whether a sound bitmap has this type. */
    static boolean has(byte[] rdata, int start, int type) {
        int at = start;
        while (at < rdata.length) {
            final int length = Wire.u8(rdata, at + 1);
            if (Wire.u8(rdata, at) == type >> 8) {
                final int octet = (type & 0xff) >> 3;
                return octet < length && (rdata[at + 2 + octet] & 0x80 >> (type & 7)) != 0;
            }
            at += 2 + length;
        }
        return false;
    }

    /** All types of a sound bitmap, ascending. */
    static List<Integer> types(byte[] rdata, int start) {
        final List<Integer> types = new ArrayList<>();
        for (int at = start; at < rdata.length; at += 2 + Wire.u8(rdata, at + 1)) {
            for (int bit = 0; bit < 8 * Wire.u8(rdata, at + 1); bit++) {
                if ((rdata[at + 2 + (bit >> 3)] & 0x80 >> (bit & 7)) != 0) {
                    types.add(Wire.u8(rdata, at) << 8 | bit);
                }
            }
        }
        return types;
    }
}
