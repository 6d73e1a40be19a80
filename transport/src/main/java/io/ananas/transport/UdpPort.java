package io.ananas.transport;

import io.ananas.message.MessageLayout;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket from a random port to one server, and the exchanges that go through it.
 *
 * <p>States: in use, until its last question is taken; then retired, until the last exchange ends;
 * then closed. One that has been open for a while is retired too, used or not. Thread-safe.
 */
final class UdpPort {
    private static final int LOWEST = 16_384;
    private static final int PORTS = 65_536 - LOWEST;
    private static final int IDS = 65_536;
    private static final int BIND_ATTEMPTS = 50;

    private final DatagramChannel channel;
    private final Runnable onClose;
    private final Map<Integer, UdpExchange> inFlight = new HashMap<>();
    private int usesLeft;
    private boolean closed;
    private final long opened = System.nanoTime();

    private UdpPort(DatagramChannel channel, int uses, Runnable onClose) {
        this.channel = channel;
        this.usesLeft = uses;
        this.onClose = onClose;
    }

    static UdpPort open(
            InetSocketAddress server, RandomGenerator random, int uses, Runnable onClose)
            throws IOException {
        final boolean four = server.getAddress() instanceof Inet4Address;
        final DatagramChannel channel =
                DatagramChannel.open(
                        four ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        try {
            channel.configureBlocking(false);
            bindRandomly(channel, InetAddress.ofLiteral(four ? "0.0.0.0" : "::"), random);
            channel.connect(server);
            return new UdpPort(channel, uses, onClose);
        } catch (IOException e) {
            channel.close();
            throw new IOException(
                    "no socket towards %s: %s".formatted(Addresses.format(server), e.getMessage()),
                    e);
        }
    }

    private static void bindRandomly(
            DatagramChannel channel, InetAddress any, RandomGenerator random) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                channel.bind(new InetSocketAddress(any, LOWEST + random.nextInt(PORTS)));
                return;
            } catch (BindException e) {
                if (attempt == BIND_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    DatagramChannel channel() {
        return channel;
    }

    /**
     * Takes one of the questions that this port may carry and sends it.
     *
     * @param firstId the random id, or where to look for a free one
     * @return the exchange, or null if this port is used up
     */
    @Nullable UdpExchange send(byte[] query, int firstId, long deadline) throws IOException {
        final UdpExchange exchange;
        final byte[] message;
        synchronized (this) {
            if (usesLeft == 0 || closed) {
                return null;
            }
            usesLeft--;
            int id = firstId;
            while (inFlight.containsKey(id)) {
                id = (id + 1) % IDS;
            }
            message = UpstreamMessages.withId(query, id);
            exchange = new UdpExchange(message, deadline);
            inFlight.put(id, exchange);
        }
        try {
            channel.write(ByteBuffer.wrap(message));
            return exchange;
        } catch (IOException e) {
            end(exchange);
            throw e;
        }
    }

    /** Forgets an exchange, whatever came of it. */
    synchronized void end(UdpExchange exchange) {
        inFlight.remove(UpstreamMessages.id(exchange.query()), exchange);
        closeIfDone();
    }

    /** Hands a response to its exchange; false if it belongs to none. */
    boolean complete(byte[] response, boolean caseExact) {
        if (response.length < MessageLayout.HEADER_LENGTH) {
            return false;
        }
        final UdpExchange exchange;
        synchronized (this) {
            final int id = UpstreamMessages.id(response);
            exchange = inFlight.get(id);
            if (exchange == null
                    || !UpstreamMessages.answers(exchange.query(), response, caseExact)) {
                return false;
            }
            inFlight.remove(id);
        }
        exchange.complete(response);
        return true;
    }

    synchronized void failAll(String reason) {
        usesLeft = 0;
        inFlight.values().forEach(exchange -> exchange.fail(reason));
        inFlight.clear();
        closeIfDone();
    }

    /** Ends exchanges whose deadline is over, and this port if it was opened before then. */
    synchronized void sweep(long now, long oldest) {
        inFlight.values().forEach(exchange -> exchange.endIfOver(now));
        if (opened - oldest < 0) {
            usesLeft = 0;
        }
        closeIfDone();
    }

    void closeNow() {
        failAll("shutting down");
    }

    private void closeIfDone() {
        if (usesLeft > 0 || !inFlight.isEmpty() || closed) {
            return;
        }
        closed = true;
        onClose.run();
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("a UDP socket could not be closed", e);
        }
    }
}
