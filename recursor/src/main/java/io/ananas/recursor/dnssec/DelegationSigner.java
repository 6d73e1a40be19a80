package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.Wire;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A DS record (RFC 4034, section 5): which key the parent expects at the apex of the child. */
final class DelegationSigner {
    static final int SHA1 = 1;
    static final int SHA256 = 2;
    static final int SHA384 = 4;
    private static final int HEADER = 4;

    private final byte[] rdata;

    private DelegationSigner(byte[] rdata) {
        this.rdata = rdata;
    }

    /** Null if the rdata is too short to be one. */
    static @Nullable DelegationSigner parse(byte[] rdata) {
        return rdata.length <= HEADER ? null : new DelegationSigner(rdata);
    }

    int keyTag() {
        return Wire.u16(rdata, 0);
    }

    int algorithm() {
        return Wire.u8(rdata, 2);
    }

    int digestType() {
        return Wire.u8(rdata, 3);
    }

    boolean hasKnownDigest() {
        return hashName(digestType()) != null;
    }

    boolean isUsable() {
        return hasKnownDigest() && Algorithm.of(algorithm()) != null;
    }

    /** Whether tag and algorithm are those of the key, which costs no hash. */
    boolean mayMatch(Dnskey key) {
        return key.tag() == keyTag() && key.algorithm() == algorithm();
    }

    /** Whether it stands for this key of {@code owner}; one hash. */
    boolean matches(Name owner, Dnskey key) {
        final String hash = hashName(digestType());
        if (hash == null || !mayMatch(key)) {
            return false;
        }
        try {
            final byte[] digest = key.digest(owner, MessageDigest.getInstance(hash));
            return Arrays.equals(digest, 0, digest.length, rdata, HEADER, rdata.length);
        } catch (NoSuchAlgorithmException e) {
            return false;
        }
    }

    private static @Nullable String hashName(int digestType) {
        return switch (digestType) {
            case SHA1 -> "SHA-1";
            case SHA256 -> "SHA-256";
            case SHA384 -> "SHA-384";
            default -> null;
        };
    }

    /**
     * The ones to go by: of known digest and algorithm, without those of SHA-1 where one of a later
     * digest is there too (RFC 4509, section 3). Empty: the delegation is insecure.
     */
    static List<DelegationSigner> usable(List<DelegationSigner> all) {
        final List<DelegationSigner> usable = new ArrayList<>(all);
        usable.removeIf(ds -> !ds.isUsable());
        final List<DelegationSigner> strong = new ArrayList<>(usable);
        strong.removeIf(ds -> ds.digestType() == SHA1);
        return strong.isEmpty() ? usable : strong;
    }

    /** {@code 20326 8 2 E06D...}, as in a zone file. */
    @Override
    public String toString() {
        return "%d %d %d %s"
                .formatted(
                        keyTag(),
                        algorithm(),
                        digestType(),
                        HexFormat.of().withUpperCase().formatHex(rdata, HEADER, rdata.length));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DelegationSigner that && Arrays.equals(rdata, that.rdata);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(rdata);
    }
}
