package io.ananas.transport;

import io.ananas.message.MessageLayout;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server with any number of questions on it.
 *
 * <p>A virtual thread reads responses and gives each to the exchange with its id and question; one
 * that belongs to none, such as a late one, is counted and dropped and disturbs nobody (RFC 7766,
 * section 7). The connection ends when the server ends it, when nothing came for a while, or at an
 * error; what was in flight then fails.
 */
final class TcpStream {
    private static final int PREFIX = 2;
    private static final int IDS = 65_536;
    private static final int IDLE_MILLIS = 10_000;

    private final Socket socket;
    private final String server;
    private final RandomGenerator random;
    private final boolean caseExact;
    private final LongAdder unexpected;
    private final Map<Integer, Exchange> inFlight = new ConcurrentHashMap<>();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile @Nullable IOException ended;

    private static final class Exchange {
        final byte[] query;
        final CompletableFuture<byte[]> response = new CompletableFuture<>();

        Exchange(byte[] query) {
            this.query = query;
        }
    }

    private TcpStream(
            Socket socket,
            String server,
            RandomGenerator random,
            boolean caseExact,
            LongAdder unexpected) {
        this.socket = socket;
        this.server = server;
        this.random = random;
        this.caseExact = caseExact;
        this.unexpected = unexpected;
    }

    static TcpStream connect(
            InetSocketAddress address,
            String server,
            RandomGenerator random,
            boolean caseExact,
            LongAdder unexpected,
            long timeoutNanos)
            throws IOException {
        final Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, (int) TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
            socket.setSoTimeout(IDLE_MILLIS);
            final InputStream in = socket.getInputStream();
            final TcpStream stream = new TcpStream(socket, server, random, caseExact, unexpected);
            Thread.ofVirtual()
                    .name("upstream-tcp-" + server)
                    .start(() -> stream.read(new DataInputStream(new BufferedInputStream(in))));
            return stream;
        } catch (IOException e) {
            socket.close();
            throw e instanceof SocketTimeoutException
                    ? e
                    : new IOException("%s over TCP: %s".formatted(server, e.getMessage()), e);
        }
    }

    boolean isOpen() {
        return ended == null;
    }

    byte[] exchange(byte[] query, long timeoutNanos) throws IOException {
        final Exchange exchange = new Exchange(query);
        final int id = register(exchange);
        try {
            final IOException end = ended;
            if (end != null) {
                throw end;
            }
            write(UpstreamMessages.withId(query, id));
            return exchange.response.get(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException(
                    "%s did not respond in time over TCP".formatted(server));
        } catch (ExecutionException e) {
            throw new IOException("%s ended the connection".formatted(server), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + server, e);
        } finally {
            inFlight.remove(id);
        }
    }

    private int register(Exchange exchange) throws IOException {
        if (inFlight.size() >= IDS / 2) {
            throw new IOException("too many questions on one connection to " + server);
        }
        int id = random.nextInt(IDS);
        while (inFlight.putIfAbsent(id, exchange) != null) {
            id = (id + 1) % IDS;
        }
        return id;
    }

    private void write(byte[] message) throws IOException {
        final byte[] frame =
                ByteBuffer.allocate(PREFIX + message.length)
                        .putShort((short) message.length)
                        .put(message)
                        .array();
        writing.lock();
        try {
            socket.getOutputStream().write(frame);
        } catch (IOException e) {
            end(e);
            throw e;
        } finally {
            writing.unlock();
        }
    }

    private void read(DataInputStream in) {
        try (socket) {
            while (true) {
                final byte[] message = new byte[in.readUnsignedShort()];
                in.readFully(message);
                if (!deliver(message)) {
                    unexpected.increment();
                }
            }
        } catch (IOException e) {
            end(e);
        }
    }

    private boolean deliver(byte[] message) {
        if (message.length < MessageLayout.HEADER_LENGTH) {
            return false;
        }
        final Exchange exchange = inFlight.get(UpstreamMessages.id(message));
        return exchange != null
                && UpstreamMessages.answers(exchange.query, message, caseExact)
                && exchange.response.complete(message);
    }

    private void end(IOException cause) {
        if (ended == null) {
            ended = new IOException("%s ended the connection".formatted(server), cause);
        }
        inFlight.values().forEach(e -> e.response.completeExceptionally(cause));
    }
}
