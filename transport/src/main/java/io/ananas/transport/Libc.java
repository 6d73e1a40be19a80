package io.ananas.transport;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * The few functions of the C library that the Linux UDP engine calls.
 *
 * <p>Pointers are passed as plain longs: on x86-64 and aarch64 both travel in the same registers,
 * and a long needs no check of an arena per call. The handles are static and final and called by
 * {@code invokeExact}. The calls are ordinary downcalls, not critical ones: they block, and a
 * thread that blocks must not hold up the garbage collector.
 *
 * <p>A call that takes a segment of {@link #ERRNO} leaves the error number there, for the JVM may
 * call the C library itself before Java code could ask for it. The JVM makes a slice of that
 * segment at every call, and in a busy server's code, where the compiler's budget for inlining is
 * spent, that is an object each time. So the two calls of the hot path have a form without it,
 * which allocates nothing and tells only that it failed: who wants the reason asks again.
 */
final class Libc {
    static final StructLayout ERRNO = Linker.Option.captureStateLayout();

    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;

    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int MSG_WAITFORONE = 0x10000;
    static final int MSG_DONTWAIT = 0x40;

    static final int SOL_SOCKET = 1;
    static final int SO_RCVBUF = 8;
    static final int SO_SNDBUF = 7;
    static final int SO_REUSEPORT = 15;
    static final int SO_RCVTIMEO = 20;
    static final int IPPROTO_IP = 0;
    static final int IP_PKTINFO = 8;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_V6ONLY = 26;
    static final int IPV6_RECVPKTINFO = 49;
    static final int IPV6_PKTINFO = 50;
    static final int SOL_UDP = 17;
    static final int UDP_GRO = 104;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERRNO_VALUE =
            ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SOCKET = ints("socket", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = ints("bind", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CLOSE = ints("close", JAVA_INT);
    private static final MethodHandle GETSOCKNAME =
            ints("getsockname", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SETSOCKOPT =
            ints("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            ints("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor RECVMMSG_TYPE =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor SENDMMSG_TYPE =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle RECVMMSG = telling("recvmmsg", RECVMMSG_TYPE);
    private static final MethodHandle RECVMMSG_SILENT = silent("recvmmsg", RECVMMSG_TYPE);
    private static final MethodHandle SENDMMSG = telling("sendmmsg", SENDMMSG_TYPE);
    private static final MethodHandle SENDMMSG_SILENT = silent("sendmmsg", SENDMMSG_TYPE);

    private Libc() {}

    /** Whether the struct layouts of this package hold here: Linux with glibc on a 64-bit CPU. */
    static boolean isSupported() {
        final String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return System.getProperty("os.name", "").equals("Linux")
                && (arch.equals("amd64") || arch.equals("aarch64"))
                && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                && Linker.nativeLinker().defaultLookup().find("gnu_get_libc_version").isPresent();
    }

    private static MethodHandle ints(String name, MemoryLayout... arguments) {
        return telling(name, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    private static MethodHandle telling(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                type,
                Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle silent(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
    }

    /** The error number that the last call with this segment left. */
    static int errno(MemorySegment errno) {
        return (int) ERRNO_VALUE.get(errno, 0L);
    }

    static String describe(int errno) {
        return switch (errno) {
            case EACCES -> "permission denied";
            case EADDRINUSE -> "address already in use";
            case EADDRNOTAVAIL -> "no such address on this machine";
            default -> "errno " + errno;
        };
    }

    static int socket(MemorySegment errno, int family, int type, int protocol) {
        try {
            return (int) SOCKET.invokeExact(errno, family, type, protocol);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int bind(MemorySegment errno, int socket, long address, int length) {
        try {
            return (int) BIND.invokeExact(errno, socket, address, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int close(MemorySegment errno, int socket) {
        try {
            return (int) CLOSE.invokeExact(errno, socket);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int getsockname(MemorySegment errno, int socket, long address, long length) {
        try {
            return (int) GETSOCKNAME.invokeExact(errno, socket, address, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int setsockopt(
            MemorySegment errno, int socket, int level, int option, long value, int length) {
        try {
            return (int) SETSOCKOPT.invokeExact(errno, socket, level, option, value, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int getsockopt(
            MemorySegment errno, int socket, int level, int option, long value, long length) {
        try {
            return (int) GETSOCKOPT.invokeExact(errno, socket, level, option, value, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Receives up to {@code count} datagrams into a vector of {@link MmsghdrLayout}. */
    static int recvmmsg(MemorySegment errno, int socket, long vector, int count, int flags) {
        try {
            return (int) RECVMMSG.invokeExact(errno, socket, vector, count, flags, 0L);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** As the other {@code recvmmsg}, without the reason of a failure. */
    static int recvmmsg(int socket, long vector, int count, int flags) {
        try {
            return (int) RECVMMSG_SILENT.invokeExact(socket, vector, count, flags, 0L);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Sends up to {@code count} datagrams from a vector of {@link MmsghdrLayout}. */
    static int sendmmsg(MemorySegment errno, int socket, long vector, int count, int flags) {
        try {
            return (int) SENDMMSG.invokeExact(errno, socket, vector, count, flags);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** As the other {@code sendmmsg}, without the reason of a failure. */
    static int sendmmsg(int socket, long vector, int count, int flags) {
        try {
            return (int) SENDMMSG_SILENT.invokeExact(socket, vector, count, flags);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
