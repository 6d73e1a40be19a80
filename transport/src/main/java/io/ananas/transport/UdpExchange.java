package io.ananas.transport;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A question that was sent over UDP, and the thread that waits for its response. */
final class UdpExchange {
    private final byte[] query;
    private final long deadline;
    private final Thread waiter = Thread.currentThread();
    private volatile byte @Nullable [] response;
    private volatile @Nullable String failure;
    private volatile boolean timedOut;

    /**
     * @param deadline in the time of {@link System#nanoTime}
     */
    UdpExchange(byte[] query, long deadline) {
        this.query = query;
        this.deadline = deadline;
    }

    byte[] query() {
        return query;
    }

    void complete(byte[] octets) {
        response = octets;
        LockSupport.unpark(waiter);
    }

    void fail(String reason) {
        failure = reason;
        LockSupport.unpark(waiter);
    }

    void endIfOver(long now) {
        if (now - deadline >= 0) {
            timedOut = true;
            LockSupport.unpark(waiter);
        }
    }

    /** Waits; the reading thread is the clock. */
    byte[] await(String server) throws IOException {
        while (true) {
            final byte[] octets = response;
            if (octets != null) {
                return octets;
            }
            final String reason = failure;
            if (reason != null) {
                throw new IOException("%s cannot be asked: %s".formatted(server, reason));
            }
            if (timedOut) {
                throw new SocketTimeoutException("%s did not respond in time".formatted(server));
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("interrupted while waiting for " + server);
            }
            LockSupport.park(this);
        }
    }
}
