package io.ananas.transport;

import io.ananas.message.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.StampedLock;

/**
 * A bound UDP socket of Linux by its file descriptor.
 *
 * <p>One thread receives from it; any thread may {@link #sendLate}. The lock is shared by senders
 * and taken alone by {@link #close}: a late reply must never go to a descriptor that the system has
 * given to another file meanwhile.
 */
final class LinuxUdpSocket implements AutoCloseable {
    private static final int RECEIVE_TIMEOUT_MICROS = 100_000;

    private final int descriptor;
    private final boolean wildcard;
    private final StampedLock lock = new StampedLock();
    private boolean closed;

    private LinuxUdpSocket(int descriptor, boolean wildcard) {
        this.descriptor = descriptor;
        this.wildcard = wildcard;
    }

    /**
     * Binds a socket.
     *
     * @param shared whether others of this process bind the same address (SO_REUSEPORT)
     * @throws ListenException naming the address and what to do
     */
    static LinuxUdpSocket bind(InetSocketAddress address, boolean shared) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment errno = arena.allocate(Libc.ERRNO);
            final boolean six = address.getAddress() instanceof Inet6Address;
            final int descriptor =
                    Libc.socket(
                            errno,
                            six ? Libc.AF_INET6 : Libc.AF_INET,
                            Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC,
                            0);
            if (descriptor < 0) {
                throw ListenException.of("UDP", address, Libc.describe(Libc.errno(errno)));
            }
            final LinuxUdpSocket socket =
                    new LinuxUdpSocket(descriptor, address.getAddress().isAnyLocalAddress());
            final MemorySegment name = arena.allocate(SockaddrLayout.ROOM, 8);
            final int length = SockaddrLayout.put(name.address(), address);
            if (shared) {
                socket.set(Libc.SOL_SOCKET, Libc.SO_REUSEPORT, 1);
            }
            if (six) {
                socket.set(Libc.IPPROTO_IPV6, Libc.IPV6_V6ONLY, 0);
            }
            if (Libc.bind(errno, descriptor, name.address(), length) < 0) {
                final String reason = Libc.describe(Libc.errno(errno));
                socket.close();
                throw ListenException.of("UDP", address, reason);
            }
            socket.prepare(six, errno, arena);
            return socket;
        }
    }

    private void prepare(boolean six, MemorySegment errno, Arena arena) {
        if (wildcard) {
            // an IPv6 socket tells the address of an IPv4 packet too, as ::ffff:a.b.c.d
            set(
                    six ? Libc.IPPROTO_IPV6 : Libc.IPPROTO_IP,
                    six ? Libc.IPV6_RECVPKTINFO : Libc.IP_PKTINFO,
                    1);
        }
        set(Libc.SOL_UDP, Libc.UDP_GRO, 0);
        final MemorySegment timeout = arena.allocate(16, 8);
        Memory.putLongLE(timeout.address() + 8, RECEIVE_TIMEOUT_MICROS);
        Libc.setsockopt(
                errno, descriptor, Libc.SOL_SOCKET, Libc.SO_RCVTIMEO, timeout.address(), 16);
    }

    /** Whether the local address of a packet has to be learnt and echoed. */
    boolean isWildcard() {
        return wildcard;
    }

    private boolean set(int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment room = arena.allocate(8, 8);
            Memory.putIntLE(room.address(), value);
            return Libc.setsockopt(
                            arena.allocate(Libc.ERRNO),
                            descriptor,
                            level,
                            option,
                            room.address(),
                            4)
                    == 0;
        }
    }

    /**
     * Asks the kernel for a receive buffer.
     *
     * @return octets it granted, at most {@code octets}
     */
    int receiveBuffer(int octets) {
        set(Libc.SOL_SOCKET, Libc.SO_RCVBUF, octets);
        set(Libc.SOL_SOCKET, Libc.SO_SNDBUF, octets);
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment room = arena.allocate(16, 8);
            Memory.putIntLE(room.address() + 8, 4);
            Libc.getsockopt(
                    arena.allocate(Libc.ERRNO),
                    descriptor,
                    Libc.SOL_SOCKET,
                    Libc.SO_RCVBUF,
                    room.address(),
                    room.address() + 8);
            // the kernel doubles what it is asked for, to account for its own bookkeeping
            return Math.min(octets, Memory.getIntLE(room.address()) / 2);
        }
    }

    InetSocketAddress localAddress() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment name = arena.allocate(SockaddrLayout.ROOM + 8, 8);
            final long length = name.address() + SockaddrLayout.ROOM;
            Memory.putIntLE(length, SockaddrLayout.ROOM);
            final MemorySegment errno = arena.allocate(Libc.ERRNO);
            if (Libc.getsockname(errno, descriptor, name.address(), length) < 0) {
                throw new IOException("getsockname: " + Libc.describe(Libc.errno(errno)));
            }
            return SockaddrLayout.get(name.address());
        }
    }

    /**
     * Waits for datagrams, a tenth of a second at most, and takes what is there.
     *
     * @param headers so many, one behind the other, as in {@link MmsghdrLayout}
     * @return datagrams that were taken, 0 if none came
     * @throws IOException if the kernel refuses, with its reason
     */
    int receive(MemorySegment errno, long headers, int count) throws IOException {
        final int taken = Libc.recvmmsg(descriptor, headers, count, Libc.MSG_WAITFORONE);
        return taken >= 0 ? taken : receiveWhatIsThere(errno, headers, count);
    }

    private int receiveWhatIsThere(MemorySegment errno, long headers, int count)
            throws IOException {
        final int taken = Libc.recvmmsg(errno, descriptor, headers, count, Libc.MSG_DONTWAIT);
        if (taken >= 0) {
            return taken;
        }
        final int reason = Libc.errno(errno);
        if (reason == Libc.EAGAIN || reason == Libc.EINTR) {
            return 0;
        }
        throw new IOException("recvmmsg: " + Libc.describe(reason));
    }

    /**
     * Sends datagrams, on the thread that receives; what the kernel refuses is left out.
     *
     * @param headers so many, one behind the other, as in {@link MmsghdrLayout}
     * @return datagrams that the kernel took
     */
    int send(MemorySegment errno, long headers, int count) {
        final int sent = Libc.sendmmsg(descriptor, headers, count, 0);
        return sent == count ? sent : sendRest(errno, headers, Math.max(sent, 0), count);
    }

    private int sendRest(MemorySegment errno, long headers, int alreadySent, int count) {
        int taken = alreadySent;
        int at = alreadySent;
        while (at < count) {
            final long rest = headers + (long) at * MmsghdrLayout.SIZE;
            final int sent = Libc.sendmmsg(errno, descriptor, rest, count - at, 0);
            if (sent > 0) {
                taken += sent;
                at += sent;
            } else if (Libc.errno(errno) != Libc.EINTR) {
                at++;
            }
        }
        return taken;
    }

    /** As {@link #send}, on any thread; after {@link #close} none is taken. */
    int sendLate(MemorySegment errno, long headers, int count) {
        final long stamp = lock.readLock();
        try {
            return closed ? 0 : send(errno, headers, count);
        } finally {
            lock.unlockRead(stamp);
        }
    }

    @Override
    public void close() {
        final long stamp = lock.writeLock();
        try (Arena arena = Arena.ofConfined()) {
            if (!closed) {
                closed = true;
                Libc.close(arena.allocate(Libc.ERRNO), descriptor);
            }
        } finally {
            lock.unlockWrite(stamp);
        }
    }
}
