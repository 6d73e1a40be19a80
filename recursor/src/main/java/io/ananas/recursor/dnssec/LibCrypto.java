package io.ananas.recursor.dnssec;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The few functions of OpenSSL 3's {@code libcrypto} that check signatures.
 *
 * <p>Pointers are passed as plain longs, as in {@code Libc} of module {@code transport}. The
 * library is told not to clean up when the process ends: threads of this JVM may still compute
 * then.
 */
final class LibCrypto {
    private static final long NO_CLEAN_UP_AT_EXIT = 0x0008_0000L;
    private static final int VERSION_STRING = 6;
    private static final @Nullable LibCrypto FOUND = load();

    private final Linker linker = Linker.nativeLinker();
    private final SymbolLookup lookup;
    private final MethodHandle decodePublicKey;
    private final MethodHandle freeKey;
    private final MethodHandle newContext;
    private final MethodHandle resetContext;
    private final MethodHandle freeContext;
    private final MethodHandle initVerify;
    private final MethodHandle verify;
    private final MethodHandle clearErrors;
    private final MethodHandle fetchDigest;
    private final MethodHandle fetchSignature;
    private final String version;

    private LibCrypto(SymbolLookup lookup) throws Throwable {
        this.lookup = lookup;
        decodePublicKey = longs("d2i_PUBKEY", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        freeKey = nothing("EVP_PKEY_free", JAVA_LONG);
        newContext = longs("EVP_MD_CTX_new", JAVA_LONG);
        resetContext = longs("EVP_MD_CTX_reset", JAVA_INT, JAVA_LONG);
        freeContext = nothing("EVP_MD_CTX_free", JAVA_LONG);
        initVerify =
                longs(
                        "EVP_DigestVerifyInit",
                        JAVA_INT,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_LONG);
        verify =
                longs(
                        "EVP_DigestVerify",
                        JAVA_INT,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_LONG);
        clearErrors = nothing("ERR_clear_error");
        fetchDigest = longs("EVP_MD_fetch", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        fetchSignature = longs("EVP_SIGNATURE_fetch", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        final MethodHandle init = longs("OPENSSL_init_crypto", JAVA_INT, JAVA_LONG, JAVA_LONG);
        if ((int) init.invokeExact(NO_CLEAN_UP_AT_EXIT, 0L) != 1) {
            throw new IllegalStateException("libcrypto does not start");
        }
        final MethodHandle text =
                linker.downcallHandle(
                        lookup.findOrThrow("OpenSSL_version"),
                        FunctionDescriptor.of(ADDRESS, JAVA_INT));
        final MemorySegment found = (MemorySegment) text.invokeExact(VERSION_STRING);
        version = found.reinterpret(64).getString(0);
    }

    private MethodHandle longs(String name, MemoryLayout result, MemoryLayout... arguments) {
        return linker.downcallHandle(
                lookup.findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    private MethodHandle nothing(String name, MemoryLayout... arguments) {
        return linker.downcallHandle(
                lookup.findOrThrow(name), FunctionDescriptor.ofVoid(arguments));
    }

    /** The library of this machine; null if there is none. */
    static @Nullable LibCrypto find() {
        return FOUND;
    }

    static String fileName() {
        final String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        return system.startsWith("mac") ? "libcrypto.3.dylib" : "libcrypto.so.3";
    }

    private static @Nullable LibCrypto load() {
        try {
            return new LibCrypto(SymbolLookup.libraryLookup(fileName(), Arena.global()));
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return null;
        }
    }

    /** {@code 3.0.19}. */
    String version() {
        return version;
    }

    /**
     * The key of a SubjectPublicKeyInfo; 0 if it is none. To be given to {@link #freeKey}.
     *
     * @param pointer address of the address of the octets
     */
    long decodePublicKey(long pointer, long length) {
        try {
            return (long) decodePublicKey.invokeExact(0L, pointer, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    void freeKey(long key) {
        try {
            freeKey.invokeExact(key);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Room for one check at a time; 0 if memory is short. */
    long newContext() {
        try {
            return (long) newContext.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    void freeContext(long context) {
        try {
            freeContext.invokeExact(context);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Whether the signature holds; the context can be used again.
     *
     * @param digest of {@link #digest}; 0 for a scheme that has its own
     */
    boolean verify(
            long context,
            long digest,
            long key,
            long signature,
            long signatureLength,
            long data,
            long dataLength) {
        try {
            final boolean holds =
                    (int) initVerify.invokeExact(context, 0L, digest, 0L, key) == 1
                            && (int)
                                            verify.invokeExact(
                                                    context,
                                                    signature,
                                                    signatureLength,
                                                    data,
                                                    dataLength)
                                    == 1;
            if (!holds) {
                clearErrors.invokeExact();
            }
            final int _ = (int) resetContext.invokeExact(context);
            return holds;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** A hash function, for as long as the process lives; 0 if the library has not got it. */
    long digest(String name) {
        return fetch(fetchDigest, name);
    }

    boolean hasSignature(String name) {
        return fetch(fetchSignature, name) != 0;
    }

    private long fetch(MethodHandle how, String name) {
        try (Arena arena = Arena.ofConfined()) {
            final long found = (long) how.invokeExact(0L, arena.allocateFrom(name).address(), 0L);
            clearErrors.invokeExact();
            return found;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
