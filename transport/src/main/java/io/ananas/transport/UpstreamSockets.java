package io.ananas.transport;

import io.ananas.message.MessageLayout;
import io.ananas.message.Upstream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets towards all upstream servers.
 *
 * <p>Who asks is a virtual thread that runs plain blocking code: it sends from one of a few open
 * ports, parks, and is woken with the response. One platform thread waits for all ports at once,
 * reads, finds the exchange that a response belongs to, and wakes its thread; it also ends
 * exchanges whose time is over, so that no thread needs a timer of its own. A channel per exchange
 * would be simpler, and costs five system calls more and a registration with the poller of the JVM.
 *
 * <p><b>Forgery</b> (RFC 5452). Who cannot see our packets must guess the port and the id at the
 * same time, out of 49,152 times 65,536, while the exchange lasts. Every question draws its id and
 * one of the open ports from a secure source. A port is connected, so the kernel takes packets of
 * that server alone; it is bound to a random number, and gives way to another after some questions
 * or seconds, so what is learnt of it is worth little. A packet whose id or question fits no
 * exchange is counted and dropped, and the exchange goes on waiting.
 */
public final class UpstreamSockets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamSockets.class);
    private static final int MAX_PORTS = 8_192;
    private static final long SWEEP_MILLIS = 20;

    private final RandomGenerator random;
    private final UpstreamOptions options;
    private final Selector selector;
    private final ByteBuffer received = ByteBuffer.allocateDirect(MessageLayout.MAX_MESSAGE);
    private final AtomicInteger ports = new AtomicInteger();
    private final LongAdder unexpected = new LongAdder();
    private final Thread thread;
    private volatile boolean closed;
    private long lastSweep = System.nanoTime();

    private UpstreamSockets(RandomGenerator random, UpstreamOptions options) throws IOException {
        this.random = random;
        this.options = options;
        selector = Selector.open();
        thread = Thread.ofPlatform().name("upstream-udp").daemon().start(this::run);
    }

    /** With {@link SecureRandom} and the default options. */
    public static UpstreamSockets open() throws IOException {
        return open(new SecureRandom(), UpstreamOptions.DEFAULT);
    }

    /**
     * Opens the selector and starts its thread; ports come with the questions.
     *
     * @param random where ids and ports come from: thread-safe, and unpredictable but in tests
     */
    public static UpstreamSockets open(RandomGenerator random, UpstreamOptions options)
            throws IOException {
        return new UpstreamSockets(random, options);
    }

    /** Asks {@code server} over UDP, and over TCP what is truncated. */
    public Upstream udp(InetSocketAddress server) {
        return new UdpUpstream(server, this, new TcpUpstream(server, random, options, unexpected));
    }

    /** Asks {@code server} over TCP, on one connection for all as long as it lasts. */
    public Upstream tcp(InetSocketAddress server) {
        return new TcpUpstream(server, random, options, unexpected);
    }

    /** Packets that belonged to no question: late, or forged. */
    public long unexpectedResponses() {
        return unexpected.sum();
    }

    /** UDP source ports that are open. */
    public int openPorts() {
        return ports.get();
    }

    RandomGenerator random() {
        return random;
    }

    UpstreamOptions options() {
        return options;
    }

    /** A new port towards {@code server}, from which responses are read from now on. */
    UdpPort openPort(InetSocketAddress server) throws IOException {
        if (closed) {
            throw new IOException("shutting down");
        }
        if (ports.incrementAndGet() > MAX_PORTS) {
            ports.decrementAndGet();
            throw new IOException("more than %d upstream ports are open".formatted(MAX_PORTS));
        }
        try {
            final UdpPort port =
                    UdpPort.open(server, random, options.usesPerPort(), ports::decrementAndGet);
            register(port);
            return port;
        } catch (IOException e) {
            ports.decrementAndGet();
            throw e;
        }
    }

    private void register(UdpPort port) throws IOException {
        try {
            port.channel().register(selector, SelectionKey.OP_READ, port);
            selector.wakeup();
        } catch (ClosedSelectorException e) {
            port.channel().close();
            throw new IOException("shutting down", e);
        }
    }

    private void run() {
        while (!closed) {
            try {
                if (selector.keys().isEmpty()) {
                    selector.select(this::receive);
                } else {
                    selector.select(this::receive, SWEEP_MILLIS);
                }
                sweepNowAndThen();
            } catch (IOException | RuntimeException e) {
                LOG.error("Waiting for upstream responses failed; trying again", e);
            }
        }
    }

    private void receive(SelectionKey key) {
        final UdpPort port = (UdpPort) key.attachment();
        received.clear();
        try {
            if (port.channel().read(received) <= 0) {
                return;
            }
        } catch (ClosedChannelException e) {
            return;
        } catch (PortUnreachableException e) {
            port.failAll("nothing listens there");
            return;
        } catch (IOException e) {
            port.failAll(String.valueOf(e.getMessage()));
            return;
        }
        received.flip();
        final byte[] response = new byte[received.remaining()];
        received.get(response);
        if (!port.complete(response, options.caseExact())) {
            unexpected.increment();
        }
    }

    private void sweepNowAndThen() {
        final long now = System.nanoTime();
        if (now - lastSweep < TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS)) {
            return;
        }
        lastSweep = now;
        final long oldest = now - options.portAge().toNanos();
        for (SelectionKey key : selector.keys()) {
            ((UdpPort) key.attachment()).sweep(now, oldest);
        }
    }

    /** Closes all ports; exchanges in flight fail. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        selector.wakeup();
        try {
            thread.join();
            for (SelectionKey key : selector.keys()) {
                ((UdpPort) key.attachment()).closeNow();
            }
            selector.close();
        } catch (IOException e) {
            LOG.warn("Closing upstream sockets: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
