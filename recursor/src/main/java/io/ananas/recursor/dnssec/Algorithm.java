package io.ananas.recursor.dnssec;

import io.ananas.message.Wire;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Signature algorithms that are validated here (RFC 8624, section 3.1): how a DNSKEY's octets
 * become a key, and how one signature is checked.
 *
 * <p>RSA (RFC 3110, RFC 5702) of 512 to 4096 bits with an exponent of up to 64 bits, as a longer
 * one makes each check cost more than its sender pays; ECDSA (RFC 6605); EdDSA (RFC 8080). An
 * algorithm that this JVM has not got counts as unknown, and a zone signed only with those is
 * insecure (RFC 4035, section 5.2).
 */
enum Algorithm {
    RSASHA1(5, "SHA1withRSA"),
    RSASHA1_NSEC3_SHA1(7, "SHA1withRSA"),
    RSASHA256(8, "SHA256withRSA"),
    RSASHA512(10, "SHA512withRSA"),
    ECDSAP256SHA256(13, "SHA256withECDSAinP1363Format"),
    ECDSAP384SHA384(14, "SHA384withECDSAinP1363Format"),
    ED25519(15, "Ed25519"),
    ED448(16, "Ed448");

    private static final int MIN_MODULUS_BITS = 512;
    private static final int MAX_MODULUS_BITS = 4096;
    private static final int MAX_EXPONENT_BITS = 64;
    private static final byte[] ED25519_PREFIX =
            HexFormat.of().parseHex("302a300506032b6570032100");
    private static final byte[] ED448_PREFIX = HexFormat.of().parseHex("3043300506032b6571033a00");

    private final int number;
    private final String scheme;
    private final boolean available;

    Algorithm(int number, String scheme) {
        this.number = number;
        this.scheme = scheme;
        available = isAvailable(scheme);
    }

    private static boolean isAvailable(String scheme) {
        try {
            return Signature.getInstance(scheme) != null;
        } catch (NoSuchAlgorithmException e) {
            return false;
        }
    }

    /** The algorithm with this number; null if it is not known here or the JVM lacks it. */
    static @Nullable Algorithm of(int number) {
        for (final Algorithm algorithm : values()) {
            if (algorithm.number == number) {
                return algorithm.available ? algorithm : null;
            }
        }
        return null;
    }

    /** {@code RSASHA256 (8)}, or {@code algorithm 12} for one not known here. */
    static String text(int number) {
        final Algorithm known = of(number);
        return known == null ? "algorithm " + number : known + " (" + number + ")";
    }

    /**
     * The key in the public key field of a DNSKEY record.
     *
     * @throws InvalidKeySpecException if it is none; the message says why
     */
    PublicKey decode(byte[] octets) throws GeneralSecurityException {
        return switch (this) {
            case RSASHA1, RSASHA1_NSEC3_SHA1, RSASHA256, RSASHA512 -> rsa(octets);
            case ECDSAP256SHA256 -> ecdsa(octets, "secp256r1", 32);
            case ECDSAP384SHA384 -> ecdsa(octets, "secp384r1", 48);
            case ED25519 -> eddsa(octets, ED25519_PREFIX, 32);
            case ED448 -> eddsa(octets, ED448_PREFIX, 57);
        };
    }

    private static PublicKey rsa(byte[] octets) throws GeneralSecurityException {
        if (octets.length < 3) {
            throw new InvalidKeySpecException("an RSA key of %d octets".formatted(octets.length));
        }
        final boolean longForm = octets[0] == 0;
        final int exponentAt = longForm ? 3 : 1;
        final int exponentLength = longForm ? Wire.u16(octets, 1) : Wire.u8(octets, 0);
        final int modulusAt = exponentAt + exponentLength;
        if (exponentLength == 0 || modulusAt >= octets.length) {
            throw new InvalidKeySpecException("an RSA key whose exponent fills it");
        }
        final BigInteger exponent = new BigInteger(1, octets, exponentAt, exponentLength);
        final BigInteger modulus = new BigInteger(1, octets, modulusAt, octets.length - modulusAt);
        if (exponent.bitLength() > MAX_EXPONENT_BITS
                || modulus.bitLength() < MIN_MODULUS_BITS
                || modulus.bitLength() > MAX_MODULUS_BITS) {
            throw new InvalidKeySpecException(
                    "an RSA key of %d bits with an exponent of %d, expected 512 to 4096 and up to 64"
                            .formatted(modulus.bitLength(), exponent.bitLength()));
        }
        return KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(modulus, exponent));
    }

    private static PublicKey ecdsa(byte[] octets, String curve, int size)
            throws GeneralSecurityException {
        requireLength(octets, 2 * size);
        final AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(curve));
        final ECPoint point =
                new ECPoint(
                        new BigInteger(1, octets, 0, size), new BigInteger(1, octets, size, size));
        return KeyFactory.getInstance("EC")
                .generatePublic(
                        new ECPublicKeySpec(
                                point, parameters.getParameterSpec(ECParameterSpec.class)));
    }

    private static PublicKey eddsa(byte[] octets, byte[] prefix, int size)
            throws GeneralSecurityException {
        requireLength(octets, size);
        final byte[] encoded = Arrays.copyOf(prefix, prefix.length + size);
        System.arraycopy(octets, 0, encoded, prefix.length, size);
        return KeyFactory.getInstance("EdDSA").generatePublic(new X509EncodedKeySpec(encoded));
    }

    private static void requireLength(byte[] octets, int expected) throws InvalidKeySpecException {
        if (octets.length != expected) {
            throw new InvalidKeySpecException(
                    "a key of %d octets, expected %d".formatted(octets.length, expected));
        }
    }

    /**
     * Whether {@code signature} over {@code data} is by {@code key}; false for any malformed one.
     */
    boolean verify(PublicKey key, byte[] data, byte[] signature) {
        try {
            final Signature verifier = Signature.getInstance(scheme);
            verifier.initVerify(key);
            verifier.update(data);
            return verifier.verify(signature);
        } catch (GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }
}
