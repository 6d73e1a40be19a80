package io.ananas.transport;

import static io.ananas.transport.FfmUdpBatchLayout.PACKETS;

import io.ananas.message.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Up to 64 packets per system call.
 *
 * <p>{@code recvmmsg} with MSG_WAITFORONE blocks for the first packet and takes along what else is
 * there: alone, a packet waits for nobody; under load the price of a call is shared by 64. The
 * vectors are set up once; per packet only the two lengths that the kernel overwrites are restored.
 * Replies are gathered at the front of the send vector, for a handler may leave some out. Where the
 * kernel refuses one message {@code sendmmsg} stops in front of it, so that one is left out and the
 * rest sent.
 *
 * <p>On a wildcard address the kernel tells which local address was asked, and the same control
 * message sent back makes the reply leave from there; a client drops what comes from elsewhere.
 */
final class FfmUdpBatch implements UdpBatch {
    private static final Logger LOG = LoggerFactory.getLogger(FfmUdpBatch.class);
    private static final byte[] NO_CONTROL = {};

    private final LinuxUdpSocket socket;
    private final boolean wildcard;
    private final UdpCounters counters = new UdpCounters();
    private final LateReplies late;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment errno = arena.allocate(Libc.ERRNO);
    private final long base =
            arena.allocate(FfmUdpBatchLayout.SIZE, FfmUdpBatchLayout.ALIGNMENT).address();
    private final int[] replyLengths = new int[PACKETS];
    private int size;

    private FfmUdpBatch(LinuxUdpSocket socket) {
        this.socket = socket;
        late = new LateReplies(socket, counters);
        wildcard = socket.isWildcard();
        for (int i = 0; i < PACKETS; i++) {
            final long header = FfmUdpBatchLayout.receiveHeader(base, i);
            MmsghdrLayout.setName(header, FfmUdpBatchLayout.name(base, i), SockaddrLayout.ROOM);
            MmsghdrLayout.setPayload(
                    header,
                    FfmUdpBatchLayout.receiveIovec(base, i),
                    queryAddress(i),
                    FfmUdpBatchLayout.QUERY_ROOM);
            MmsghdrLayout.setControl(
                    header, FfmUdpBatchLayout.control(base, i), wildcard ? PktinfoLayout.ROOM : 0);
        }
    }

    static List<UdpBatch> open(InetSocketAddress address, UdpOptions options) throws IOException {
        // alone first: SO_REUSEPORT would let a second server of the same user in without a word
        final InetSocketAddress bound;
        try (LinuxUdpSocket probe = LinuxUdpSocket.bind(address, false)) {
            bound = new InetSocketAddress(address.getAddress(), probe.localAddress().getPort());
        }
        final List<UdpBatch> batches = new ArrayList<>();
        try {
            for (int i = 0; i < options.threads(); i++) {
                final LinuxUdpSocket socket = LinuxUdpSocket.bind(bound, true);
                batches.add(new FfmUdpBatch(socket));
                final int granted = socket.receiveBuffer(options.receiveBuffer());
                if (granted < options.receiveBuffer() && i == 0) {
                    reportSmallBuffer(bound, granted, options.receiveBuffer());
                }
            }
        } catch (IOException e) {
            batches.forEach(UdpBatch::close);
            throw e;
        }
        return batches;
    }

    private static void reportSmallBuffer(InetSocketAddress address, int granted, int wanted) {
        LOG.warn(
                "The receive buffer of {} is {} KiB instead of {}: bursts may be lost;"
                        + " raise the limit with sysctl -w net.core.rmem_max={}",
                Addresses.format(address),
                granted >> 10,
                wanted >> 10,
                wanted);
    }

    @Override
    public int receive() throws IOException {
        restoreLengths();
        size = 0;
        final int received =
                socket.receive(errno, FfmUdpBatchLayout.receiveHeader(base, 0), PACKETS);
        for (int i = 0; i < received; i++) {
            replyLengths[i] = 0;
        }
        size = received;
        counters.received.add(received);
        return received;
    }

    private void restoreLengths() {
        final int dirty = size;
        final int control = wildcard ? PktinfoLayout.ROOM : 0;
        for (int i = 0; i < dirty; i++) {
            final long header = FfmUdpBatchLayout.receiveHeader(base, i);
            MmsghdrLayout.setNameLength(header, SockaddrLayout.ROOM);
            MmsghdrLayout.setControlLength(header, control);
        }
    }

    @Override
    public void send() {
        final int count = gather();
        if (count > 0) {
            final int sent = socket.send(errno, FfmUdpBatchLayout.sendHeader(base, 0), count);
            counters.sent.add(sent);
            counters.sendFailures.add(count - sent);
        }
    }

    private int gather() {
        final int n = size;
        int count = 0;
        for (int i = 0; i < n; i++) {
            final int length = replyLengths[i];
            if (length > 0) {
                replyLengths[i] = 0;
                final long received = FfmUdpBatchLayout.receiveHeader(base, i);
                final long header = FfmUdpBatchLayout.sendHeader(base, count);
                MmsghdrLayout.setName(
                        header,
                        FfmUdpBatchLayout.name(base, i),
                        MmsghdrLayout.nameLength(received));
                MmsghdrLayout.setPayload(
                        header, FfmUdpBatchLayout.sendIovec(base, count), replyAddress(i), length);
                MmsghdrLayout.setControl(header, FfmUdpBatchLayout.control(base, i), control(i));
                count++;
            }
        }
        return count;
    }

    /** Prepares the control message of packet {@code i} to be sent; octets of it. */
    private int control(int i) {
        if (!wildcard) {
            return 0;
        }
        return PktinfoLayout.echo(
                FfmUdpBatchLayout.control(base, i),
                MmsghdrLayout.controlLength(FfmUdpBatchLayout.receiveHeader(base, i)));
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long queryAddress(int i) {
        return FfmUdpBatchLayout.query(base, i);
    }

    @Override
    public int queryLength(int i) {
        return MmsghdrLayout.octets(FfmUdpBatchLayout.receiveHeader(base, i));
    }

    @Override
    public long replyAddress(int i) {
        return FfmUdpBatchLayout.reply(base, i);
    }

    @Override
    public int replyCapacity(int i) {
        return FfmUdpBatchLayout.REPLY_ROOM;
    }

    @Override
    public void reply(int i, int length) {
        replyLengths[i] = length;
    }

    @Override
    public void flush() {
        send();
    }

    @Override
    public boolean isStream(int i) {
        return false;
    }

    @Override
    public long clientAddress(int i) {
        return SockaddrLayout.ipAddress(FfmUdpBatchLayout.name(base, i));
    }

    @Override
    public int clientAddressLength(int i) {
        return SockaddrLayout.ipLength(FfmUdpBatchLayout.name(base, i));
    }

    @Override
    public Pending detach(int i) {
        final int control = control(i);
        return new Detached(
                copy(queryAddress(i), queryLength(i)),
                copy(clientAddress(i), clientAddressLength(i)),
                copy(
                        FfmUdpBatchLayout.name(base, i),
                        MmsghdrLayout.nameLength(FfmUdpBatchLayout.receiveHeader(base, i))),
                control == 0 ? NO_CONTROL : copy(FfmUdpBatchLayout.control(base, i), control));
    }

    private static byte[] copy(long address, int length) {
        final byte[] octets = new byte[length];
        Memory.copyTo(address, octets, 0, length);
        return octets;
    }

    @Override
    public UdpCounters counters() {
        return counters;
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        return socket.localAddress();
    }

    /** Nothing to do: the receive timeout of the socket is short. */
    @Override
    public void wake() {}

    @Override
    public void close() {
        late.close();
        socket.close();
        arena.close();
    }

    private final class Detached implements Pending {
        private final byte[] query;
        private final byte[] client;
        private final byte[] peer;
        private final byte[] control;

        Detached(byte[] query, byte[] client, byte[] peer, byte[] control) {
            this.query = query;
            this.client = client;
            this.peer = peer;
            this.control = control;
        }

        @Override
        public byte[] query() {
            return query;
        }

        @Override
        public boolean isStream() {
            return false;
        }

        @Override
        public byte[] clientAddress() {
            return client;
        }

        @Override
        public void reply(byte[] message, int length) {
            late.add(new LateReplies.Reply(message, length, peer, control));
        }
    }
}
