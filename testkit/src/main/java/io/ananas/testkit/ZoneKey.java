package io.ananas.testkit;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.Name;

/** A key pair of any algorithm, to sign test zones with. */
public record ZoneKey(int algorithm, int flags, PrivateKey privateKey, PublicKey publicKey) {
    public static final int KSK = 257;
    public static final int ZSK = 256;

    private static final Map<String, ZoneKey> MADE = new ConcurrentHashMap<>();

    /** The same key for the same arguments, as making RSA keys is slow. */
    public static ZoneKey of(int algorithm, String label) {
        return MADE.computeIfAbsent(algorithm + label, it -> fresh(algorithm));
    }

    /** An RSA key as short as there is, so that hundreds fit in a message. */
    public static ZoneKey shortRsa() {
        try {
            final KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(512);
            final KeyPair pair = generator.generateKeyPair();
            return new ZoneKey(8, KSK, pair.getPrivate(), pair.getPublic());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static ZoneKey fresh(int algorithm) {
        try {
            final KeyPair pair = generator(algorithm).generateKeyPair();
            return new ZoneKey(algorithm, KSK, pair.getPrivate(), pair.getPublic());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPairGenerator generator(int algorithm) throws GeneralSecurityException {
        final KeyPairGenerator generator =
                KeyPairGenerator.getInstance(
                        switch (algorithm) {
                            case 13, 14 -> "EC";
                            case 15 -> "Ed25519";
                            case 16 -> "Ed448";
                            default -> "RSA";
                        });
        switch (algorithm) {
            case 13 -> generator.initialize(new ECGenParameterSpec("secp256r1"));
            case 14 -> generator.initialize(new ECGenParameterSpec("secp384r1"));
            case 15, 16 -> {}
            default -> generator.initialize(1024);
        }
        return generator;
    }

    public ZoneKey withFlags(int flags) {
        return new ZoneKey(algorithm, flags, privateKey, publicKey);
    }

    public DNSKEYRecord dnskey(Name zone) {
        return new DNSKEYRecord(zone, DClass.IN, 300, flags, 3, algorithm, octets());
    }

    public byte[] octets() {
        return switch (publicKey) {
            case RSAPublicKey rsa -> rsa(rsa);
            case ECPublicKey ec -> {
                final int size = algorithm == 13 ? 32 : 48;
                final byte[] octets = new byte[2 * size];
                put(ec.getW().getAffineX(), octets, 0, size);
                put(ec.getW().getAffineY(), octets, size, size);
                yield octets;
            }
            default -> {
                final byte[] encoded = publicKey.getEncoded();
                final int size = algorithm == 15 ? 32 : 57;
                yield Arrays.copyOfRange(encoded, encoded.length - size, encoded.length);
            }
        };
    }

    private static byte[] rsa(RSAPublicKey key) {
        final byte[] exponent = key.getPublicExponent().toByteArray();
        final int size = (key.getModulus().bitLength() + 7) / 8;
        final byte[] octets = new byte[1 + exponent.length + size];
        octets[0] = (byte) exponent.length;
        System.arraycopy(exponent, 0, octets, 1, exponent.length);
        put(key.getModulus(), octets, 1 + exponent.length, size);
        return octets;
    }

    private static void put(BigInteger number, byte[] target, int at, int size) {
        final byte[] octets = number.toByteArray();
        final int from = Math.max(0, octets.length - size);
        final int length = octets.length - from;
        System.arraycopy(octets, from, target, at + size - length, length);
    }
}
