package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.Wire;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An NSEC3 record (RFC 5155, section 3): no name of the zone hashes to a value between that of its
 * owner and the next.
 *
 * <pre>
 *   0      1       2            4      5      5+s     6+s
 *   +------+-------+------------+------+------+-------+------------+----------
 *   | hash | flags | iterations |  s   | salt |  n    | next hash  | types
 *   +------+-------+------------+------+------+-------+------------+----------
 * </pre>
 */
final class Nsec3 {
    static final int SHA1 = 1;
    static final int OPT_OUT = 1;
    static final int HASH_LENGTH = 20;
    private static final int SALT = 5;

    /**
     * What two records must share for their hashes to be comparable.
     *
     * @param salt in hexadecimal
     */
    record Parameters(int iterations, String salt) {
        byte[] saltOctets() {
            return HexFormat.of().parseHex(salt);
        }
    }

    private final Parameters parameters;
    private final boolean optOut;
    private final byte[] hash;
    private final byte[] next;
    private final byte[] rdata;
    private final int bitmap;

    private Nsec3(Parameters parameters, byte[] hash, byte[] next, byte[] rdata, int bitmap) {
        this.parameters = parameters;
        optOut = (Wire.u8(rdata, 1) & OPT_OUT) != 0;
        this.hash = hash;
        this.next = next;
        this.rdata = rdata;
        this.bitmap = bitmap;
    }

    /**
     * Null if it is none, or one to be ignored: an unknown hash or flag (RFC 5155, section 8.2), or
     * an owner that is no hash directly below {@code zone}.
     */
    static @Nullable Nsec3 parse(Name zone, Name owner, byte[] rdata) {
        if (rdata.length < SALT || Wire.u8(rdata, 0) != SHA1 || (rdata[1] & ~OPT_OUT) != 0) {
            return null;
        }
        final int salt = Wire.u8(rdata, 4);
        final int nextAt = SALT + salt + 1;
        final int bitmap = nextAt + HASH_LENGTH;
        if (bitmap > rdata.length
                || Wire.u8(rdata, nextAt - 1) != HASH_LENGTH
                || !TypeBitmap.isSound(rdata, bitmap)
                || owner.isRoot()
                || !owner.parent().equals(zone)) {
            return null;
        }
        final byte[] hash = Base32Hex.decode(owner.wire(), 1, owner.wire()[0]);
        if (hash == null || hash.length != HASH_LENGTH) {
            return null;
        }
        return new Nsec3(
                new Parameters(
                        Wire.u16(rdata, 2), HexFormat.of().formatHex(rdata, SALT, SALT + salt)),
                hash,
                Arrays.copyOfRange(rdata, nextAt, bitmap),
                rdata,
                bitmap);
    }

    Parameters parameters() {
        return parameters;
    }

    boolean isOptOut() {
        return optOut;
    }

    byte[] hash() {
        return hash;
    }

    boolean has(int type) {
        return TypeBitmap.has(rdata, bitmap, type);
    }

    boolean isDelegation() {
        return has(RecordType.NS) && !has(RecordType.SOA);
    }

    boolean matches(byte[] other) {
        return Arrays.equals(hash, other);
    }

    /** Whether a hash is strictly between owner and next, round the end of the ring. */
    boolean covers(byte[] other) {
        final boolean after = Arrays.compareUnsigned(hash, other) < 0;
        final boolean before = Arrays.compareUnsigned(other, next) < 0;
        return Arrays.compareUnsigned(hash, next) < 0
                ? after && before
                : (after || before) && !Arrays.equals(hash, other);
    }
}
