package io.ananas.transport;

import io.ananas.message.Upstream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks one server over TCP. All questions share one connection, pipelined (RFC 7766, section
 * 6.2.1); it is opened when one is needed. A server may close it at any time: a question that was
 * on it then is asked once more on a new one.
 */
final class TcpUpstream implements Upstream {
    private final InetSocketAddress server;
    private final String name;
    private final RandomGenerator random;
    private final UpstreamOptions options;
    private final LongAdder unexpected;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable TcpStream current;

    TcpUpstream(
            InetSocketAddress server,
            RandomGenerator random,
            UpstreamOptions options,
            LongAdder unexpected) {
        this.server = server;
        this.name = Addresses.format(server);
        this.random = random;
        this.options = options;
        this.unexpected = unexpected;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public byte[] exchange(byte[] query, Duration timeout) throws IOException {
        final long deadline = System.nanoTime() + timeout.toNanos();
        final TcpStream known = current;
        if (known != null && known.isOpen()) {
            try {
                return known.exchange(query, remaining(deadline));
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // the server closed it, as it may at any time: once more on a new one
                return open(known, deadline).exchange(query, remaining(deadline));
            }
        }
        return open(known, deadline).exchange(query, remaining(deadline));
    }

    private TcpStream open(@Nullable TcpStream broken, long deadline) throws IOException {
        opening.lock();
        try {
            final TcpStream other = current;
            if (other != null && other != broken && other.isOpen()) {
                return other;
            }
            final TcpStream fresh =
                    TcpStream.connect(
                            server,
                            name,
                            random,
                            options.caseExact(),
                            unexpected,
                            remaining(deadline));
            current = fresh;
            return fresh;
        } finally {
            opening.unlock();
        }
    }

    private long remaining(long deadline) throws SocketTimeoutException {
        final long nanos = deadline - System.nanoTime();
        if (nanos < TimeUnit.MILLISECONDS.toNanos(1)) {
            throw new SocketTimeoutException("%s did not respond in time over TCP".formatted(name));
        }
        return nanos;
    }
}
