package io.ananas.transport;

import io.ananas.message.MessageLayout;
import io.ananas.message.QueryBatch;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's stream: two octets of length, then a message, and so on (RFC 1035, section 4.2.2),
 * however the segments fall.
 *
 * <p>A client may send as much as it likes and must not harm others by it. So queries are taken
 * from the stream only while fewer than the limit wait for an answer and the client reads its
 * answers; what is not taken stays in the kernel, which stops the client. And after some queries in
 * a row the event loop serves other connections before it comes back.
 *
 * <p>A client that has closed its sending side still gets the answers that it waits for. All fields
 * belong to the thread of the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class TcpConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(TcpConnection.class);
    private static final int PREFIX = 2;
    private static final int QUERIES_PER_TURN = 32;

    private final Channel channel;
    private final TcpWorker worker;
    private final int maxInFlight;
    private final InetAddress client;
    private @Nullable ByteBuf received;
    private int inFlight;
    private boolean inputEnded;
    private boolean turnScheduled;
    private long lastActive = System.nanoTime();

    TcpConnection(Channel channel, TcpWorker worker, TcpOptions options) {
        this.channel = channel;
        this.worker = worker;
        maxInFlight = options.maxInFlight();
        client = ((InetSocketAddress) channel.remoteAddress()).getAddress();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        worker.add(this);
        if (worker.isStopped()) {
            stopReading();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object segment) {
        final ByteBuf octets = (ByteBuf) segment;
        received =
                received == null
                        ? octets
                        : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(
                                context.alloc(), received, octets);
        takeTurn();
    }

    private void takeTurn() {
        int budget = QUERIES_PER_TURN;
        while (budget > 0 && mayTake() && hasQuery()) {
            takeQuery();
            budget--;
        }
        channel.flush();
        if (received != null && !received.isReadable()) {
            received.release();
            received = null;
        }
        final boolean more = hasQuery();
        if (more && mayTake() && !turnScheduled) {
            turnScheduled = true;
            channel.eventLoop()
                    .execute(() -> {
                        turnScheduled = false;
                        takeTurn();
                    });
        }
        channel.config().setAutoRead(!more && mayTake() && !worker.isStopped());
        closeIfDone();
    }

    private boolean mayTake() {
        return inFlight < maxInFlight && channel.isWritable();
    }

    private boolean hasQuery() {
        final ByteBuf octets = received;
        return octets != null
                && octets.readableBytes() >= PREFIX
                && octets.readableBytes() >= PREFIX + octets.getUnsignedShort(octets.readerIndex());
    }

    private void takeQuery() {
        final ByteBuf octets = received;
        if (octets == null) {
            return;
        }
        final int length = octets.readUnsignedShort();
        if (length < MessageLayout.HEADER_LENGTH) {
            octets.skipBytes(octets.readableBytes());
            channel.close();
            return;
        }
        lastActive = System.nanoTime();
        final TcpBatch batch = worker.batch();
        batch.load(this, client, octets, length);
        worker.handle();
        write(batch.reply());
    }

    private void write(ByteBuffer message) {
        final int length = message.remaining();
        if (length == 0 || !channel.isActive()) {
            return;
        }
        lastActive = System.nanoTime();
        final ByteBuf frame = channel.alloc().directBuffer(PREFIX + length);
        channel.write(frame.writeShort(length).writeBytes(message), channel.voidPromise());
        worker.sent.add(1);
    }

    /** A query that is answered later; until then it counts as in flight. */
    QueryBatch.Pending detached(byte[] query, byte[] address) {
        inFlight++;
        return new Detached(query, address);
    }

    private void answered(ByteBuffer message) {
        inFlight--;
        write(message);
        takeTurn();
    }

    void stopReading() {
        channel.config().setAutoRead(false);
    }

    /**
     * Closes a connection on which nothing was asked or answered since {@code nanos} and that we
     * owe no answer, or whose client does not read its answers.
     */
    void closeIfIdleSince(long nanos) {
        if (lastActive - nanos < 0 && (inFlight == 0 || !channel.isWritable())) {
            channel.close();
        }
    }

    private void closeIfDone() {
        if (inputEnded && inFlight == 0 && !hasQuery()) {
            channel.writeAndFlush(channel.alloc().directBuffer(0))
                    .addListener(written -> channel.close());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            closeIfDone();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            lastActive = System.nanoTime();
            takeTurn();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        worker.remove(this);
        if (received != null) {
            received.release();
            received = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("A TCP connection was lost to a defect of the server", cause);
        }
        channel.close();
    }

    private final class Detached implements QueryBatch.Pending {
        private final byte[] query;
        private final byte[] address;

        Detached(byte[] query, byte[] address) {
            this.query = query;
            this.address = address;
        }

        @Override
        public byte[] query() {
            return query;
        }

        @Override
        public boolean isStream() {
            return true;
        }

        @Override
        public byte[] clientAddress() {
            return address;
        }

        @Override
        public void reply(byte[] message, int length) {
            final ByteBuffer octets = ByteBuffer.wrap(message, 0, length);
            if (!channel.eventLoop().isShuttingDown()) {
                channel.eventLoop().execute(() -> answered(octets));
            }
        }
    }
}
