package io.ananas.transport;

import io.ananas.message.QueryBatch;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The socket of one receiving thread and the packets that it received last. */
interface UdpBatch extends QueryBatch, AutoCloseable {
    /**
     * Waits for packets; returns now and then without any, so that the caller can look whether it
     * shall stop.
     *
     * @return packets received
     */
    int receive() throws IOException;

    /** Sends what {@link #reply} was called for. A reply that cannot be sent is counted. */
    void send() throws IOException;

    UdpCounters counters();

    InetSocketAddress localAddress() throws IOException;

    /** Makes {@link #receive} return soon. */
    void wake();

    @Override
    void close();
}
