package io.ananas.cache;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.ananas.message.Memory;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Asks the processor for cache lines that are wanted soon, without waiting for them.
 *
 * <p>A processor runs ahead of a load that misses its caches, but only some hundred instructions
 * far: then it waits for the rest of 100 ns and more, as nothing is done with before the load is.
 * The instruction that asks for a line and is done at once has no counterpart in Java. So two of
 * them and a return are written into a page of their own, which is then made executable and no
 * longer writable, and called through the Foreign Function &amp; Memory API as any leaf function,
 * without a transition ({@link Linker.Option#critical}). ADR 13 has the figures.
 *
 * <p>On Linux and x86-64. Elsewhere, and where the system refuses memory that is executable, two
 * loads stand in. Thread-safe.
 */
final class Prefetch {
    // prefetcht0 [rdi]; prefetcht0 [rsi]; ret
    private static final byte[] CODE = {0x0f, 0x18, 0x0f, 0x0f, 0x18, 0x0e, (byte) 0xc3};

    private static final int PROT_READ_EXECUTE = 5;

    private static final @Nullable MethodHandle LINES = isSupported() ? load() : null;

    private Prefetch() {}

    /**
     * Asks for the lines of two addresses, which must be readable.
     *
     * @return nothing of meaning, but to be kept in a field: where loads stand in, the compiler
     *     would leave them out otherwise
     */
    static int lines(long first, long second) {
        if (LINES == null) {
            return Memory.getByte(first) + Memory.getByte(second);
        }
        try {
            LINES.invokeExact(first, second);
            return 0;
        } catch (Throwable e) {
            throw new IllegalStateException("prefetch could not be called", e);
        }
    }

    /** Whether the instruction is used, and not a load in its place. */
    static boolean isNative() {
        return LINES != null;
    }

    private static boolean isSupported() {
        return System.getProperty("os.name", "").equals("Linux")
                && System.getProperty("os.arch", "").equals("amd64");
    }

    private static @Nullable MethodHandle load() {
        final MemorySegment page = Mapping.Linux.map(Mapping.Linux.PAGE);
        if (page.address() == -1) {
            return null;
        }
        page.reinterpret(CODE.length).copyFrom(MemorySegment.ofArray(CODE));
        if (!Mapping.Linux.protect(page, Mapping.Linux.PAGE, PROT_READ_EXECUTE)) {
            Mapping.Linux.unmap(page, Mapping.Linux.PAGE);
            return null;
        }
        return Linker.nativeLinker()
                .downcallHandle(
                        page,
                        FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG),
                        Linker.Option.critical(false));
    }
}
