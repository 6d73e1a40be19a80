package io.ananas.recursor.dnssec;

import java.security.PublicKey;

/** Signature checks of the JDK's providers: always there. */
final class JdkChecks implements SignatureChecks {
    @Override
    public boolean verify(Dnskey key, byte[] data, byte[] signature) {
        final Algorithm algorithm = Algorithm.of(key.algorithm());
        final PublicKey publicKey = key.key();
        return algorithm != null
                && publicKey != null
                && algorithm.verify(publicKey, data, signature);
    }

    @Override
    public String text() {
        return "the JDK";
    }
}
