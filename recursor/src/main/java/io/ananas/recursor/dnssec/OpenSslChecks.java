package io.ananas.recursor.dnssec;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.PublicKey;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Signature checks of OpenSSL 3, called by the Foreign Function and Memory API: the same answers as
 * the JDK's in a fraction of the time.
 *
 * <p>A key goes over in the form that the JDK gives it (X.509 SubjectPublicKeyInfo, RFC 5280,
 * section 4.1), after the JDK has found it sound; an ECDSA signature as ASN.1 (RFC 3279, section
 * 2.2.3) in the place of DNSSEC's two plain numbers (RFC 6605, section 4). What this library lacks,
 * and SHA-1, which some systems forbid it, is left to the JDK.
 *
 * <p>Memory outside the heap: up to {@value #MAX_KEYS} keys of about 1 KiB, which the recently used
 * ones keep, and a bench of {@value #BENCH_OCTETS} octets per check under way. A key counts its
 * users, one of them the table; who leaves last frees it.
 */
final class OpenSslChecks implements SignatureChecks {
    private static final long NO_KEY = 0;
    private static final int MAX_KEYS = 4_096;
    private static final int MAX_BENCHES = 64;
    private static final int BENCH_OCTETS = 16_384;

    private final LibCrypto library;
    private final SignatureChecks jdk = new JdkChecks();
    private final Map<Algorithm, Long> digests = new EnumMap<>(Algorithm.class);
    private final Cache<Dnskey, NativeKey> keys;
    private final ArrayBlockingQueue<Bench> benches = new ArrayBlockingQueue<>(MAX_BENCHES);

    OpenSslChecks(LibCrypto library) {
        this(library, MAX_KEYS);
    }

    OpenSslChecks(LibCrypto library, int maxKeys) {
        this.library = library;
        keys =
                Caffeine.newBuilder()
                        .maximumSize(maxKeys)
                        .executor(Runnable::run)
                        .removalListener(OpenSslChecks::removed)
                        .build();
        offer(Algorithm.RSASHA256, "RSA", "SHA2-256");
        offer(Algorithm.RSASHA512, "RSA", "SHA2-512");
        offer(Algorithm.ECDSAP256SHA256, "ECDSA", "SHA2-256");
        offer(Algorithm.ECDSAP384SHA384, "ECDSA", "SHA2-384");
        offer(Algorithm.ED25519, "ED25519", "");
        offer(Algorithm.ED448, "ED448", "");
    }

    private void offer(Algorithm algorithm, String scheme, String hash) {
        final long digest = hash.isEmpty() ? 0 : library.digest(hash);
        if (library.hasSignature(scheme) && (hash.isEmpty() || digest != 0)) {
            digests.put(algorithm, digest);
        }
    }

    private static void removed(
            @Nullable Dnskey key, @Nullable NativeKey removed, RemovalCause cause) {
        if (removed != null) {
            removed.leave();
        }
    }

    @Override
    public boolean verify(Dnskey key, byte[] data, byte[] signature) {
        final Algorithm algorithm = Algorithm.of(key.algorithm());
        final Long digest = algorithm == null ? null : digests.get(algorithm);
        if (algorithm == null || digest == null) {
            return jdk.verify(key, data, signature);
        }
        final byte[] theirs = encoded(algorithm, signature);
        if (theirs == null) {
            return false;
        }
        final NativeKey entered = enter(key);
        try {
            if (entered.address == NO_KEY) {
                return false;
            }
            return data.length + theirs.length <= BENCH_OCTETS
                    ? onBench(entered, digest, data, theirs)
                    : onLargeBench(entered, digest, data, theirs);
        } finally {
            entered.leave();
        }
    }

    private static byte @Nullable [] encoded(Algorithm algorithm, byte[] signature) {
        return switch (algorithm) {
            case ECDSAP256SHA256 -> signature.length == 64 ? EcdsaDer.of(signature) : null;
            case ECDSAP384SHA384 -> signature.length == 96 ? EcdsaDer.of(signature) : null;
            default -> signature;
        };
    }

    private boolean onBench(NativeKey key, long digest, byte[] data, byte[] signature) {
        Bench bench = benches.poll();
        if (bench == null) {
            bench = new Bench(library, BENCH_OCTETS);
        }
        try {
            return bench.verify(key.address, digest, data, signature);
        } finally {
            if (!benches.offer(bench)) {
                bench.close();
            }
        }
    }

    private boolean onLargeBench(NativeKey key, long digest, byte[] data, byte[] signature) {
        try (Bench bench = new Bench(library, data.length + signature.length)) {
            return bench.verify(key.address, digest, data, signature);
        }
    }

    /** The key for one use, which ends with {@link NativeKey#leave}. */
    private NativeKey enter(Dnskey key) {
        while (true) {
            final NativeKey known = keys.get(key, this::decode);
            if (known.enter()) {
                return known;
            }
        }
    }

    private NativeKey decode(Dnskey key) {
        final PublicKey sound = key.key();
        final byte[] encoded = sound == null ? null : sound.getEncoded();
        if (encoded == null) {
            return new NativeKey(library, NO_KEY);
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment octets = arena.allocateFrom(ValueLayout.JAVA_BYTE, encoded);
            final MemorySegment pointer =
                    arena.allocateFrom(ValueLayout.JAVA_LONG, octets.address());
            final long address = library.decodePublicKey(pointer.address(), encoded.length);
            return new NativeKey(library, address);
        }
    }

    /** Keys that are kept now. */
    long keys() {
        keys.cleanUp();
        return keys.estimatedSize();
    }

    @Override
    public String text() {
        return "OpenSSL " + library.version();
    }

    /** A key in the library's memory. */
    private static final class NativeKey {
        private final LibCrypto library;
        private final long address;
        private final AtomicInteger users = new AtomicInteger(1);

        NativeKey(LibCrypto library, long address) {
            this.library = library;
            this.address = address;
        }

        /** False if it is being freed. */
        boolean enter() {
            return users.getAndUpdate(n -> n == 0 ? 0 : n + 1) != 0;
        }

        void leave() {
            if (users.decrementAndGet() == 0) {
                library.freeKey(address);
            }
        }
    }

    /** Room for one check at a time. */
    private static final class Bench implements AutoCloseable {
        private final LibCrypto library;
        private final Arena arena = Arena.ofShared();
        private final MemorySegment octets;
        private final long context;

        Bench(LibCrypto library, int size) {
            this.library = library;
            octets = arena.allocate(size);
            context = library.newContext();
            if (context == 0) {
                throw new OutOfMemoryError("libcrypto has no memory for a signature check");
            }
        }

        boolean verify(long key, long digest, byte[] data, byte[] signature) {
            MemorySegment.copy(data, 0, octets, ValueLayout.JAVA_BYTE, 0, data.length);
            MemorySegment.copy(
                    signature, 0, octets, ValueLayout.JAVA_BYTE, data.length, signature.length);
            return library.verify(
                    context,
                    digest,
                    key,
                    octets.address() + data.length,
                    signature.length,
                    octets.address(),
                    data.length);
        }

        @Override
        public void close() {
            library.freeContext(context);
            arena.close();
        }
    }
}
