package io.ananas.transport;

import io.ananas.message.MessageLayout;
import io.ananas.message.QueryBatch;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The one query that an event loop has in hand. The octets lie in memory of the loop's own. */
final class TcpBatch implements QueryBatch {
    private static final int ADDRESS_ROOM = 16;

    /** Hot code may read and write whole words past the end of a message. */
    private static final int SLACK = 64;

    private final ByteBuffer query = ByteBuffer.allocateDirect(MessageLayout.MAX_MESSAGE + SLACK);
    private final ByteBuffer reply = ByteBuffer.allocateDirect(MessageLayout.MAX_MESSAGE + SLACK);
    private final ByteBuffer address = ByteBuffer.allocateDirect(ADDRESS_ROOM);
    private final long queryAt = MemorySegment.ofBuffer(query).address();
    private final long replyAt = MemorySegment.ofBuffer(reply).address();
    private final long addressAt = MemorySegment.ofBuffer(address).address();
    private @Nullable TcpConnection connection;
    private int addressLength;
    private int replyLength;

    /** Takes {@code length} octets of {@code stream} as the query. */
    void load(TcpConnection from, InetAddress client, ByteBuf stream, int length) {
        connection = from;
        replyLength = 0;
        stream.readBytes(query.clear().limit(length));
        query.flip();
        final byte[] octets = client.getAddress();
        address.put(0, octets);
        addressLength = octets.length;
    }

    /** The reply that was written in place, or an empty buffer. */
    ByteBuffer reply() {
        return reply.clear().limit(replyLength);
    }

    @Override
    public int size() {
        return 1;
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
        return MessageLayout.MAX_MESSAGE;
    }

    @Override
    public void reply(int i, int length) {
        replyLength = length;
    }

    @Override
    public boolean isStream(int i) {
        return true;
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
        final TcpConnection from = connection;
        if (from == null) {
            throw new IllegalStateException("no query is in hand");
        }
        final byte[] octets = new byte[query.limit()];
        query.get(0, octets);
        final byte[] client = new byte[addressLength];
        address.get(0, client);
        return from.detached(octets, client);
    }
}
