package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.Wire;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A DNSKEY record (RFC 4034, section 2). Immutable but for the key, which is decoded once. */
final class Dnskey {
    static final int ZONE_KEY = 0x0100;
    static final int REVOKE = 0x0080;
    static final int SECURE_ENTRY_POINT = 0x0001;
    private static final int HEADER = 4;
    private static final int DNSSEC_PROTOCOL = 3;

    private final byte[] rdata;
    private final int tag;
    private volatile @Nullable PublicKey key;
    private volatile boolean malformed;

    private Dnskey(byte[] rdata) {
        this.rdata = rdata;
        tag = tag(rdata);
    }

    /** Null if the rdata is too short to be one. */
    static @Nullable Dnskey parse(byte[] rdata) {
        return rdata.length <= HEADER ? null : new Dnskey(rdata);
    }

    int flags() {
        return Wire.u16(rdata, 0);
    }

    int algorithm() {
        return Wire.u8(rdata, 3);
    }

    /** The key tag (RFC 4034, appendix B). */
    int tag() {
        return tag;
    }

    byte[] rdata() {
        return rdata;
    }

    boolean isZoneKey() {
        return (flags() & ZONE_KEY) != 0;
    }

    boolean isRevoked() {
        return (flags() & REVOKE) != 0;
    }

    boolean isSecureEntryPoint() {
        return (flags() & SECURE_ENTRY_POINT) != 0;
    }

    /** Whether it may sign a zone: zone key bit, protocol 3, not revoked (RFC 5011, s. 2.1). */
    boolean maySignZone() {
        return isZoneKey() && Wire.u8(rdata, 2) == DNSSEC_PROTOCOL && !isRevoked();
    }

    /** The key itself; null if its octets are no key of its algorithm, or that is not known. */
    @Nullable PublicKey key() {
        final PublicKey known = key;
        if (known != null || malformed) {
            return known;
        }
        final Algorithm algorithm = Algorithm.of(algorithm());
        if (algorithm == null) {
            return null;
        }
        try {
            final PublicKey decoded =
                    algorithm.decode(Arrays.copyOfRange(rdata, HEADER, rdata.length));
            key = decoded;
            return decoded;
        } catch (GeneralSecurityException | RuntimeException e) {
            malformed = true;
            return null;
        }
    }

    /** Whether the other is the same key, revoked or not. */
    boolean isSameKey(Dnskey other) {
        return rdata.length == other.rdata.length
                && ((flags() ^ other.flags()) & ~REVOKE) == 0
                && Arrays.equals(rdata, 2, rdata.length, other.rdata, 2, other.rdata.length);
    }

    /** The same key with its revoke bit clear, which changes its tag. */
    Dnskey withoutRevocation() {
        if (!isRevoked()) {
            return this;
        }
        final byte[] clear = rdata.clone();
        clear[1] &= (byte) ~REVOKE;
        return new Dnskey(clear);
    }

    /** What a DS record says of it: the hash over owner and rdata (RFC 4034, section 5.1.4). */
    byte[] digest(Name owner, MessageDigest hash) {
        hash.update(owner.toLowerCase().wire());
        return hash.digest(rdata);
    }

    /** {@code 257 3 8 AwEAA...}, as in a zone file. */
    String toText() {
        return "%d %d %d %s"
                .formatted(
                        flags(),
                        Wire.u8(rdata, 2),
                        algorithm(),
                        Base64.getEncoder()
                                .encodeToString(Arrays.copyOfRange(rdata, HEADER, rdata.length)));
    }

    private static int tag(byte[] rdata) {
        if (rdata[3] == 1) {
            return rdata.length < 7 ? 0 : Wire.u16(rdata, rdata.length - 3);
        }
        int sum = 0;
        for (int i = 0; i < rdata.length; i++) {
            sum += (i & 1) == 0 ? Wire.u8(rdata, i) << 8 : Wire.u8(rdata, i);
        }
        return (sum + (sum >> 16)) & 0xffff;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Dnskey that && Arrays.equals(rdata, that.rdata);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(rdata);
    }

    /** {@code key 20326, RSASHA256 (8)}. */
    @Override
    public String toString() {
        return "key %d, %s".formatted(tag, Algorithm.text(algorithm()));
    }
}
