package io.ananas.recursor.dnssec;

import org.slf4j.LoggerFactory;

/** Which library checks signatures; {@code resolver.crypto} in the configuration. */
public enum CryptoLibrary {
    /** OpenSSL 3 where it is installed, otherwise the JDK. */
    AUTO,
    /** The JDK, whatever else is there. */
    JDK,
    /** OpenSSL 3, which has to be there. */
    OPENSSL;

    /** Whether OpenSSL 3 is installed, and native access is allowed to this JVM. */
    public static boolean isOpenSslPresent() {
        return LibCrypto.find() != null;
    }

    /**
     * @throws IllegalStateException if OpenSSL is demanded and absent
     */
    SignatureChecks open() {
        final LibCrypto library = this == JDK ? null : LibCrypto.find();
        if (library != null) {
            return new OpenSslChecks(library);
        }
        if (this == OPENSSL) {
            throw new IllegalStateException(
                    "OpenSSL 3 (%s) is not to be found, and resolver.crypto is openssl: install it, or say auto"
                            .formatted(LibCrypto.fileName()));
        }
        if (this == AUTO) {
            LoggerFactory.getLogger(CryptoLibrary.class)
                    .info(
                            "signatures are checked by the JDK; with OpenSSL 3 ({}) that takes a fraction of the time",
                            LibCrypto.fileName());
        }
        return new JdkChecks();
    }
}
