package io.ananas.cache;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * The one long-lived piece of native memory of a cache.
 *
 * <p>On Linux it is an anonymous private mapping, reserved in whole and resident only where it was
 * touched, aligned to 2 MiB and marked for huge pages ({@code madvise(MADV_HUGEPAGE)}): a lookup
 * touches two or three places of a large memory, and with 4 KiB pages each costs a walk of the page
 * tables besides. Elsewhere it comes from a shared arena.
 *
 * <p>Behind the last octet lie {@link #SLACK} more that are readable: a reader that races with a
 * writer may follow a length that it read torn, and must not leave the mapping before it finds out.
 */
final class Mapping implements AutoCloseable {
    /** Readable octets behind the end. */
    static final int SLACK = 1 << 18;

    private static final long HUGE_PAGE = 2L << 20;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;
    private static final int MADV_NOHUGEPAGE = 15;

    /** Pages that one question about residency covers. */
    private static final int PAGES_AT_ONCE = 1 << 14;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;

    /** What the system said to the request for huge pages. */
    enum HugePages {
        /** Asked for and accepted; how many were given is for the kernel to say. */
        GRANTED,
        /** Asked for and refused, for example because they are switched off. */
        REFUSED,
        /** Not asked for: switched off in the options, or not Linux. */
        NOT_ASKED
    }

    private final long address;
    private final long size;
    private final HugePages hugePages;
    private final boolean givesBack;
    private final Runnable release;

    private Mapping(
            long address, long size, HugePages hugePages, boolean givesBack, Runnable release) {
        this.address = address;
        this.size = size;
        this.hugePages = hugePages;
        this.givesBack = givesBack;
        this.release = release;
    }

    /**
     * Reserves {@code size} octets, all zero.
     *
     * @throws IllegalStateException if the system does not give them
     */
    static Mapping reserve(long size, boolean hugePages) {
        final boolean linux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
        return linux ? Linux.reserve(size, hugePages) : fromArena(size);
    }

    @SuppressWarnings("MustBeClosedChecker") // close() closes it
    private static Mapping fromArena(long size) {
        final Arena arena = Arena.ofShared();
        final MemorySegment memory = arena.allocate(size + SLACK, 64);
        return new Mapping(memory.address(), size, HugePages.NOT_ASKED, false, arena::close);
    }

    long address() {
        return address;
    }

    long size() {
        return size;
    }

    /**
     * Octets of it that are resident, as the kernel counts them; the whole size where it does not
     * tell.
     */
    long resident() {
        return givesBack ? Linux.resident(address, size) : size;
    }

    /**
     * Gives the whole pages of a hole in a part of it back to the system, where that takes them;
     * they read as zero then. At the edges of the hole there are no huge pages, which would fill
     * it.
     *
     * @param part address of the part, with {@code size} octets
     * @param from address of the hole
     * @param to address behind it
     */
    void giveBack(long part, int size, long from, long to) {
        if (!givesBack) {
            return;
        }
        final long first = (from + Linux.PAGE - 1) & -Linux.PAGE;
        final long behind = to & -Linux.PAGE;
        if (hugePages == HugePages.GRANTED) {
            Linux.advise(inside(part), inside(part + size) - inside(part), MADV_HUGEPAGE);
            final long edge = from & -HUGE_PAGE;
            final long end = (to + HUGE_PAGE - 1) & -HUGE_PAGE;
            if (behind > first) {
                Linux.advise(inside(edge), inside(end) - inside(edge), MADV_NOHUGEPAGE);
            }
        }
        if (behind > first && !Linux.advise(first, behind - first, MADV_DONTNEED)) {
            throw new IllegalStateException(
                    "the system did not take %d octets of the cache's memory back"
                            .formatted(behind - first));
        }
    }

    /** The next whole huge page that is ours, of those that huge pages were asked for. */
    private long inside(long at) {
        final long last = address + (size & -HUGE_PAGE);
        return Math.clamp((at + HUGE_PAGE - 1) & -HUGE_PAGE, address, last);
    }

    HugePages hugePages() {
        return hugePages;
    }

    /** Gives the memory back; nothing may read it any more. */
    @Override
    public void close() {
        release.run();
    }

    /** The system's calls. */
    static final class Linux {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final MethodHandle MMAP =
                handle("mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, LONG, INT, INT, INT, LONG));
        private static final MethodHandle MUNMAP =
                handle("munmap", FunctionDescriptor.of(INT, ADDRESS, LONG));
        private static final MethodHandle MADVISE =
                handle("madvise", FunctionDescriptor.of(INT, ADDRESS, LONG, INT));
        private static final MethodHandle MPROTECT =
                handle("mprotect", FunctionDescriptor.of(INT, ADDRESS, LONG, INT));
        private static final MethodHandle MINCORE =
                handle("mincore", FunctionDescriptor.of(INT, ADDRESS, LONG, ADDRESS));

        /** Octets of a page, 4 KiB nearly everywhere. */
        static final long PAGE = pageSize();

        private static MethodHandle handle(String function, FunctionDescriptor descriptor) {
            return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(function), descriptor);
        }

        private static long pageSize() {
            try {
                return (int) handle("getpagesize", FunctionDescriptor.of(INT)).invokeExact();
            } catch (Throwable e) {
                throw new IllegalStateException("getpagesize could not be called", e);
            }
        }

        static Mapping reserve(long size, boolean hugePages) {
            final long length = size + SLACK + HUGE_PAGE;
            final MemorySegment start = map(length);
            if (start.address() == -1) {
                throw new IllegalStateException(
                        "the system gave no mapping of "
                                + length
                                + " octets for the cache; ask for a smaller"
                                + " cache or raise the limit of virtual memory (ulimit -v)");
            }
            final long address = (start.address() + HUGE_PAGE - 1) & -HUGE_PAGE;
            HugePages granted = HugePages.NOT_ASKED;
            if (hugePages) {
                // whole huge pages only, so that the last one does not reach into the slack
                final long whole = size & -HUGE_PAGE;
                granted =
                        whole == 0 || advise(address, whole, MADV_HUGEPAGE)
                                ? HugePages.GRANTED
                                : HugePages.REFUSED;
            }
            return new Mapping(address, size, granted, true, () -> unmap(start, length));
        }

        /** Anonymous memory to read and write; its address is -1 where the system gives none. */
        static MemorySegment map(long length) {
            try {
                return (MemorySegment)
                        MMAP.invokeExact(
                                MemorySegment.NULL,
                                length,
                                PROT_READ_WRITE,
                                MAP_PRIVATE_ANONYMOUS_NORESERVE,
                                -1,
                                0L);
            } catch (Throwable e) {
                throw new IllegalStateException("mmap could not be called", e);
            }
        }

        /** False where the system refuses to let whole pages be used like that. */
        static boolean protect(MemorySegment start, long length, int protection) {
            try {
                return (int) MPROTECT.invokeExact(start, length, protection) == 0;
            } catch (Throwable e) {
                throw new IllegalStateException("mprotect could not be called", e);
            }
        }

        static boolean advise(long address, long length, int advice) {
            try {
                return (int) MADVISE.invokeExact(MemorySegment.ofAddress(address), length, advice)
                        == 0;
            } catch (Throwable e) {
                throw new IllegalStateException("madvise could not be called", e);
            }
        }

        /** Asks by {@code mincore}, which has an octet per page whose lowest bit tells. */
        static long resident(long address, long size) {
            final long pages = (size + PAGE - 1) / PAGE;
            long resident = 0;
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment marks = arena.allocate(PAGES_AT_ONCE, Long.BYTES);
                for (long page = 0; page < pages; page += PAGES_AT_ONCE) {
                    final int count = (int) Math.min(pages - page, PAGES_AT_ONCE);
                    if (!mincore(address + page * PAGE, count * PAGE, marks)) {
                        throw new IllegalStateException(
                                "mincore refused to tell how much of the cache is resident");
                    }
                    for (int i = 0; i < count; i++) {
                        resident += marks.get(ValueLayout.JAVA_BYTE, i) & 1;
                    }
                }
            }
            return Math.min(size, resident * PAGE);
        }

        private static boolean mincore(long address, long length, MemorySegment marks) {
            try {
                return (int) MINCORE.invokeExact(MemorySegment.ofAddress(address), length, marks)
                        == 0;
            } catch (Throwable e) {
                throw new IllegalStateException("mincore could not be called", e);
            }
        }

        static void unmap(MemorySegment start, long length) {
            try {
                if ((int) MUNMAP.invokeExact(start, length) != 0) {
                    throw new IllegalStateException("munmap refused to release the cache's memory");
                }
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("munmap could not be called", e);
            }
        }
    }
}
