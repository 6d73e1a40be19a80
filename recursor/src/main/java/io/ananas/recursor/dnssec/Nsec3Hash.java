package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash of NSEC3 (RFC 5155, section 5): SHA-1, iterated with a salt. */
final class Nsec3Hash {
    private static final int BLOCK = 64;
    private static final int SHA1_TAIL = 9;

    private Nsec3Hash() {}

    static byte[] of(Name name, byte[] salt, int iterations) {
        final MessageDigest sha1 = sha1();
        byte[] hash = name.toLowerCase().wire();
        for (int i = 0; i <= iterations; i++) {
            sha1.update(hash);
            hash = sha1.digest(salt);
        }
        return hash;
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(
                    "this JVM has no SHA-1, which every one must have; use another", e);
        }
    }

    /** Blocks of 64 octets that {@link #of} hashes: what it costs. */
    static int blocks(Name name, int saltLength, int iterations) {
        final int first = (name.length() + saltLength + SHA1_TAIL + BLOCK - 1) / BLOCK;
        final int later = (Nsec3.HASH_LENGTH + saltLength + SHA1_TAIL + BLOCK - 1) / BLOCK;
        return first + iterations * later;
    }
}
