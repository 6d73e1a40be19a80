package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An RRSIG record (RFC 4034, section 3).
 *
 * <pre>
 *   0      2     3      4        8          12          16      18
 *   +------+-----+------+--------+----------+-----------+-------+--------+-----------
 *   | type | alg | lbls | o. TTL | expires  | inception | tag   | signer | signature
 *   +------+-----+------+--------+----------+-----------+-------+--------+-----------
 * </pre>
 */
final class Rrsig {
    private static final int SIGNER = 18;

    private final byte[] rdata;
    private final Name signer;

    private Rrsig(byte[] rdata, Name signer) {
        this.rdata = rdata;
        this.signer = signer;
    }

    /** Null if the rdata is none. */
    static @Nullable Rrsig parse(byte[] rdata) {
        if (rdata.length <= SIGNER) {
            return null;
        }
        try {
            final Name signer = Name.ofWire(rdata, SIGNER);
            return rdata.length <= SIGNER + signer.length() ? null : new Rrsig(rdata, signer);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    int typeCovered() {
        return Wire.u16(rdata, 0);
    }

    int algorithm() {
        return Wire.u8(rdata, 2);
    }

    int labels() {
        return Wire.u8(rdata, 3);
    }

    long originalTtl() {
        return Wire.i32(rdata, 4) & 0xffff_ffffL;
    }

    /** Seconds since 1970, modulo 2^32. */
    int expiration() {
        return Wire.i32(rdata, 8);
    }

    /** Seconds since 1970, modulo 2^32. */
    int inception() {
        return Wire.i32(rdata, 12);
    }

    int keyTag() {
        return Wire.u16(rdata, 16);
    }

    Name signer() {
        return signer;
    }

    byte[] signature() {
        return Arrays.copyOfRange(rdata, SIGNER + signer.length(), rdata.length);
    }

    byte[] rdata() {
        return rdata;
    }

    /** What of it is signed: all but the signature, with the signer in lower case. */
    byte[] signedPart() {
        final byte[] part = Arrays.copyOf(rdata, SIGNER + signer.length());
        signer.toLowerCase().copyTo(part, SIGNER);
        return part;
    }

    /** {@code RRSIG A by key 12345 of example.com.}. */
    @Override
    public String toString() {
        return "RRSIG %s by key %d of %s"
                .formatted(RecordType.text(typeCovered()), keyTag(), signer);
    }
}
