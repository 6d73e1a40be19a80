package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ananas.testkit.ZoneKey;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Name;

/** Both libraries must say the same of every signature, sound or not. */
class SignatureChecksTest {
    private static final long SEED = 20_261_201L;

    private final SignatureChecks jdk = new JdkChecks();
    private SignatureChecks openSsl = jdk;

    @BeforeEach
    void openSslIsThere() {
        if (!CryptoLibrary.isOpenSslPresent()) {
            if ("true".equals(System.getenv("CI"))) {
                fail("OpenSSL 3 is not installed, and CI is true");
            }
            assumeTrue(false, "OpenSSL 3 is not installed");
        }
        openSsl = CryptoLibrary.OPENSSL.open();
        assertThat(openSsl).isInstanceOf(OpenSslChecks.class);
        assertThat(openSsl.text()).startsWith("OpenSSL 3");
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Signed(Dnskey key, byte[] data, byte[] signature) {
        static Signed of(Algorithm algorithm, byte[] data) {
            final ZoneKey pair = ZoneKey.of(number(algorithm), "checks");
            try {
                final Signature signer = Signature.getInstance(scheme(algorithm));
                signer.initSign(pair.privateKey());
                signer.update(data);
                return new Signed(dnskey(pair), data, signer.sign());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        boolean holds(SignatureChecks checks) {
            return checks.verify(key, data, signature);
        }

        Signed changed(Random random) {
            return switch (random.nextInt(5)) {
                case 0 -> new Signed(key, flipped(data, random), signature);
                case 1 -> new Signed(key, data, flipped(signature, random));
                case 2 ->
                        new Signed(
                                key,
                                data,
                                Arrays.copyOf(signature, random.nextInt(signature.length + 2)));
                case 3 -> new Signed(key, data, halfFilled(random, random.nextInt(-1, 1)));
                default -> new Signed(flipped(key, random), data, signature);
            };
        }

        private byte[] halfFilled(Random random, int with) {
            final byte[] other = signature.clone();
            final int half = other.length / 2;
            final int from = random.nextBoolean() ? half : 0;
            Arrays.fill(other, from, from + half, (byte) with);
            return other;
        }
    }

    private static int number(Algorithm algorithm) {
        for (int number = 0; number < 32; number++) {
            if (Algorithm.of(number) == algorithm) {
                return number;
            }
        }
        throw new IllegalArgumentException(algorithm + " is not available");
    }

    private static String scheme(Algorithm algorithm) {
        return switch (algorithm) {
            case RSASHA1, RSASHA1_NSEC3_SHA1 -> "SHA1withRSA";
            case RSASHA256 -> "SHA256withRSA";
            case RSASHA512 -> "SHA512withRSA";
            case ECDSAP256SHA256 -> "SHA256withECDSAinP1363Format";
            case ECDSAP384SHA384 -> "SHA384withECDSAinP1363Format";
            case ED25519 -> "Ed25519";
            case ED448 -> "Ed448";
        };
    }

    private static Dnskey dnskey(ZoneKey pair) {
        final Dnskey key = Dnskey.parse(pair.dnskey(Name.root).rdataToWireCanonical());
        if (key == null) {
            throw new IllegalStateException("no DNSKEY record");
        }
        return key;
    }

    private static byte[] flipped(byte[] octets, Random random) {
        final byte[] other = octets.clone();
        other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
        return other;
    }

    private static Dnskey flipped(Dnskey key, Random random) {
        final byte[] rdata = key.rdata().clone();
        rdata[4 + random.nextInt(rdata.length - 4)] ^= (byte) (1 << random.nextInt(8));
        final Dnskey other = Dnskey.parse(rdata);
        return other == null ? key : other;
    }

    private static byte[] data(Random random, int size) {
        final byte[] data = new byte[size];
        random.nextBytes(data);
        return data;
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void soundSignaturesHold(Algorithm algorithm) {
        final Random random = new Random(SEED);
        for (int size : new int[] {1, 100, 1_000, 16_000, 16_384, 100_000}) {
            final Signed signed = Signed.of(algorithm, data(random, size));
            assertThat(signed.holds(jdk)).isTrue();
            assertThat(signed.holds(openSsl)).as("%d octets", size).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void bothSayTheSameOfChangedOnes(Algorithm algorithm) {
        final Random random = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            final Signed changed = Signed.of(algorithm, data(random, 200)).changed(random);
            assertThat(changed.holds(openSsl))
                    .as("seed %d, change %d", SEED, i)
                    .isEqualTo(changed.holds(jdk));
        }
    }

    /** Both numbers of such a signature begin with zeros or with a set bit now and then. */
    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"ECDSAP256SHA256", "ECDSAP384SHA384"})
    void numbersOfAnyLength(Algorithm algorithm) {
        final Random random = new Random(SEED);
        boolean padded = false;
        boolean shortened = false;
        for (int i = 0; i < 2_000 && !(padded && shortened); i++) {
            final Signed signed = Signed.of(algorithm, data(random, 20));
            padded |= signed.signature[0] < 0;
            shortened |= signed.signature[0] == 0;
            assertThat(signed.holds(openSsl)).isTrue();
        }
        assertThat(padded && shortened).as("seed %d", SEED).isTrue();
    }

    @Test
    void keysMayBeFreedWhileTheyAreUsed() throws Exception {
        final OpenSslChecks small = new OpenSslChecks(library(), 2);
        final List<Signed> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            final ZoneKey pair = ZoneKey.fresh(13);
            final Signature signer = Signature.getInstance("SHA256withECDSAinP1363Format");
            signer.initSign(pair.privateKey());
            signer.update((byte) i);
            all.add(new Signed(dnskey(pair), new byte[] {(byte) i}, signer.sign()));
        }
        final List<Future<Boolean>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4_000; i++) {
                final Signed signed = all.get(i * 7 % all.size());
                results.add(threads.submit(() -> signed.holds(small)));
            }
        }
        for (Future<Boolean> result : results) {
            assertThat(result.get()).isTrue();
        }
        assertThat(small.keys()).isLessThanOrEqualTo(2);
    }

    private static LibCrypto library() {
        final LibCrypto library = LibCrypto.find();
        if (library == null) {
            throw new IllegalStateException("libcrypto is gone");
        }
        return library;
    }

    @Test
    void theJdkIsThereInAnyCase() {
        assertThat(CryptoLibrary.JDK.open()).isInstanceOf(JdkChecks.class);
        assertThat(CryptoLibrary.AUTO.open()).isInstanceOf(OpenSslChecks.class);
    }
}
