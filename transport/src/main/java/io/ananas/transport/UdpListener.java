package io.ananas.transport;

import io.ananas.message.QueryHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives UDP queries at one address and sends the replies.
 *
 * <p>Each receiving thread has its own socket, its own {@link UdpBatch} and its own handler, and
 * goes round: receive a batch, have it handled, send the replies. Threads share nothing; the kernel
 * spreads clients over the sockets (SO_REUSEPORT). A handler that throws loses the replies of its
 * batch, is reported, and its thread goes on.
 *
 * <p>{@link #stop} ends receiving; replies to what left by {@code detach} still go out until {@link
 * #close}.
 */
public final class UdpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UdpListener.class);
    private static final long JOIN_MILLIS = 1_000;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 10;

    private final InetSocketAddress address;
    private final List<UdpBatch> batches;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    private UdpListener(InetSocketAddress address, List<UdpBatch> batches) {
        this.address = address;
        this.batches = batches;
    }

    /**
     * Binds and starts to receive.
     *
     * @param address a resolved address; port 0 takes a free one
     * @param handlers makes one handler per receiving thread, on that thread
     * @throws ListenException if the address cannot be bound
     */
    public static UdpListener open(
            InetSocketAddress address, UdpOptions options, Supplier<QueryHandler> handlers)
            throws IOException {
        final List<UdpBatch> batches =
                switch (options.engine()) {
                    case FFM -> FfmUdpBatch.open(address, options);
                    case NIO -> NioUdpBatch.open(address, options);
                };
        final UdpListener listener = new UdpListener(batches.getFirst().localAddress(), batches);
        listener.start(handlers);
        return listener;
    }

    private void start(Supplier<QueryHandler> handlers) {
        for (int i = 0; i < batches.size(); i++) {
            final UdpBatch batch = batches.get(i);
            threads.add(
                    Thread.ofPlatform()
                            .name("udp-" + Addresses.format(address) + "-" + i)
                            .start(() -> run(batch, handlers.get())));
        }
    }

    private void run(UdpBatch batch, QueryHandler handler) {
        while (!stopping) {
            try {
                if (batch.receive() > 0) {
                    handler.handle(batch);
                    batch.send();
                }
            } catch (IOException e) {
                receiveFailed(batch, e);
            } catch (Throwable e) {
                batch.counters().handlerFailures.add(1);
                LOG.error("A query at {} was lost to a defect of the server", name(), e);
            }
        }
    }

    private void receiveFailed(UdpBatch batch, IOException e) {
        if (stopping) {
            return;
        }
        batch.counters().receiveFailures.add(1);
        if (batch.counters().receiveFailures.get() == 1) {
            LOG.warn("Receiving at {} failed; trying again: {}", name(), e.getMessage());
        }
        try {
            Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String name() {
        return Addresses.format(address);
    }

    /** Where it listens, with the port it got. */
    public InetSocketAddress address() {
        return address;
    }

    /** Sums over all threads, as they were a moment ago. */
    public UdpStatistics statistics() {
        UdpStatistics sum = new UdpStatistics(0, 0, 0, 0, 0);
        for (UdpBatch batch : batches) {
            sum = sum.plus(batch.counters());
        }
        return sum;
    }

    /** Ends receiving and waits for the batches in hand; at most about a second. */
    public void stop() {
        stopping = true;
        batches.forEach(UdpBatch::wake);
        for (Thread thread : threads) {
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Stops, and gives the address back. Later replies go nowhere. */
    @Override
    public void close() {
        stop();
        for (int i = 0; i < batches.size(); i++) {
            if (threads.get(i).isAlive()) {
                LOG.error("Thread {} does not end; its memory is kept", threads.get(i).getName());
            } else {
                batches.get(i).close();
            }
        }
    }
}
