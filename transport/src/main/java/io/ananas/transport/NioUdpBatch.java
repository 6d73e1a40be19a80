package io.ananas.transport;

import io.ananas.message.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One packet at a time through a {@link DatagramChannel}, on any system. The channel does not
 * block; the thread waits in a selector, which can be woken to stop while late replies still go
 * out, and does so only when the channel is empty, so under load there is no call more than with a
 * blocking channel.
 *
 * <p>Java has no way to learn which local address was asked: on a wildcard address of a machine
 * with several, a reply may leave from another one. Listen on each address by name there.
 */
final class NioUdpBatch implements UdpBatch {
    private static final int QUERY_ROOM = 2_048;
    private static final int REPLY_ROOM = 4_096;
    private static final int ADDRESS_ROOM = 16;

    /** Hot code may read and write whole words past the end of a message. */
    private static final int SLACK = 64;

    private static final int WAIT_MILLIS = 100;

    private final DatagramChannel channel;
    private final Selector selector;
    private final UdpCounters counters = new UdpCounters();
    private final ByteBuffer query = ByteBuffer.allocateDirect(QUERY_ROOM + SLACK);
    private final ByteBuffer reply = ByteBuffer.allocateDirect(REPLY_ROOM + SLACK);
    private final ByteBuffer address = ByteBuffer.allocateDirect(ADDRESS_ROOM);
    private final long queryAt = MemorySegment.ofBuffer(query).address();
    private final long replyAt = MemorySegment.ofBuffer(reply).address();
    private final long addressAt = MemorySegment.ofBuffer(address).address();
    private @Nullable SocketAddress client;
    private int addressLength;
    private int replyLength;

    private NioUdpBatch(DatagramChannel channel, UdpOptions options) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBuffer());
        channel.setOption(StandardSocketOptions.SO_SNDBUF, options.receiveBuffer());
        channel.configureBlocking(false);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    static List<UdpBatch> open(InetSocketAddress address, UdpOptions options) throws IOException {
        final DatagramChannel first = bind(address, false);
        final boolean shares =
                first.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT);
        final List<UdpBatch> batches = new ArrayList<>();
        if (options.threads() == 1 || !shares) {
            batches.add(new NioUdpBatch(first, options));
            return batches;
        }
        final InetSocketAddress bound = (InetSocketAddress) first.getLocalAddress();
        first.close();
        try {
            for (int i = 0; i < options.threads(); i++) {
                batches.add(new NioUdpBatch(bind(bound, true), options));
            }
        } catch (IOException e) {
            batches.forEach(UdpBatch::close);
            throw e;
        }
        return batches;
    }

    private static DatagramChannel bind(InetSocketAddress address, boolean shared)
            throws IOException {
        final DatagramChannel channel =
                DatagramChannel.open(
                        address.getAddress() instanceof Inet4Address
                                ? StandardProtocolFamily.INET
                                : StandardProtocolFamily.INET6);
        try {
            if (shared) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            return channel.bind(address);
        } catch (SocketException e) {
            channel.close();
            throw ListenException.of("UDP", address, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public int receive() throws IOException {
        query.clear().limit(QUERY_ROOM);
        replyLength = 0;
        client = null;
        SocketAddress from = channel.receive(query);
        if (from == null) {
            selector.select(WAIT_MILLIS);
            selector.selectedKeys().clear();
            from = channel.receive(query);
        }
        if (!(from instanceof InetSocketAddress inet)) {
            return 0;
        }
        query.flip();
        final byte[] octets = inet.getAddress().getAddress();
        Memory.copyFrom(octets, 0, addressAt, octets.length);
        addressLength = octets.length;
        client = from;
        counters.received.add(1);
        return 1;
    }

    @Override
    public void send() {
        final SocketAddress to = client;
        if (replyLength == 0 || to == null) {
            return;
        }
        reply.limit(replyLength).position(0);
        try {
            (channel.send(reply, to) == replyLength ? counters.sent : counters.sendFailures).add(1);
        } catch (IOException e) {
            counters.sendFailures.add(1);
        }
    }

    @Override
    public int size() {
        return client == null ? 0 : 1;
    }

    @Override
    public long queryAddress(int i) {
        return queryAt;
    }

    @Override
    public int queryLength(int i) {
        return query.limit();
    }

    @Override
    public long replyAddress(int i) {
        return replyAt;
    }

    @Override
    public int replyCapacity(int i) {
        return REPLY_ROOM;
    }

    @Override
    public void reply(int i, int length) {
        replyLength = length;
    }

    @Override
    public boolean isStream(int i) {
        return false;
    }

    @Override
    public long clientAddress(int i) {
        return addressAt;
    }

    @Override
    public int clientAddressLength(int i) {
        return addressLength;
    }

    @Override
    public Pending detach(int i) {
        if (!(client instanceof InetSocketAddress to)) {
            throw new IllegalStateException("no packet is in hand");
        }
        final byte[] octets = new byte[query.limit()];
        query.get(0, octets);
        return new Detached(octets, to);
    }

    @Override
    public UdpCounters counters() {
        return counters;
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            counters.receiveFailures.add(1);
        }
    }

    private final class Detached implements Pending {
        private final byte[] octets;
        private final InetSocketAddress to;

        Detached(byte[] octets, InetSocketAddress to) {
            this.octets = octets;
            this.to = to;
        }

        @Override
        public byte[] query() {
            return octets;
        }

        @Override
        public boolean isStream() {
            return false;
        }

        @Override
        public byte[] clientAddress() {
            return to.getAddress().getAddress();
        }

        @Override
        public void reply(byte[] message, int length) {
            try {
                counters.later(channel.send(ByteBuffer.wrap(message, 0, length), to) == length);
            } catch (IOException e) {
                counters.later(false);
            }
        }
    }
}
