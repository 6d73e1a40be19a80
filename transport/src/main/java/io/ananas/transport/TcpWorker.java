package io.ananas.transport;

import io.ananas.message.QueryHandler;
import io.netty.channel.EventLoop;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the connections of one event loop share: the handler, the memory of the query in hand, the
 * counts, and a sweep that closes the idle. Used on the thread of that loop only, but for reading
 * the counts.
 */
final class TcpWorker {
    private static final Logger LOG = LoggerFactory.getLogger(TcpWorker.class);
    private static final long SWEEPS_PER_TIMEOUT = 8;

    final Counter received = new Counter();
    final Counter sent = new Counter();
    final Counter handlerFailures = new Counter();

    private final QueryHandler handler;
    private final TcpBatch batch = new TcpBatch();
    private final Set<TcpConnection> connections = new LinkedHashSet<>();
    private boolean stopped;

    @SuppressWarnings("FutureReturnValueIgnored") // the sweep ends with its loop
    TcpWorker(EventLoop loop, TcpOptions options, QueryHandler handler) {
        this.handler = handler;
        final long idleNanos = options.idleTimeout().toNanos();
        final long period = Math.max(1_000_000, idleNanos / SWEEPS_PER_TIMEOUT);
        loop.scheduleAtFixedRate(
                () -> sweep(System.nanoTime() - idleNanos), period, period, TimeUnit.NANOSECONDS);
    }

    void add(TcpConnection connection) {
        connections.add(connection);
    }

    void remove(TcpConnection connection) {
        connections.remove(connection);
    }

    private void sweep(long since) {
        for (TcpConnection connection : connections.toArray(new TcpConnection[0])) {
            connection.closeIfIdleSince(since);
        }
    }

    boolean isStopped() {
        return stopped;
    }

    void stop() {
        stopped = true;
        connections.forEach(TcpConnection::stopReading);
    }

    TcpBatch batch() {
        return batch;
    }

    /** Has the query that is in the batch handled; a handler that throws leaves it unanswered. */
    void handle() {
        received.add(1);
        try {
            handler.handle(batch);
        } catch (RuntimeException | Error e) {
            handlerFailures.add(1);
            LOG.error("A query over TCP was lost to a defect of the server", e);
        }
    }
}
