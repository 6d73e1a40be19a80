package io.ananas.transport;

import java.time.Duration;

/**
 * How to listen for TCP.
 *
 * @param threads event loops per address, at least 1
 * @param idleTimeout how long a connection may stay without a complete query or a reply (RFC 7766,
 *     section 6.2.3)
 * @param maxConnections connections held per address; more are closed at once
 * @param maxInFlight queries of one connection that may wait for an answer; beyond, nothing more is
 *     read from it
 */
public record TcpOptions(int threads, Duration idleTimeout, int maxConnections, int maxInFlight) {
    /** 10 seconds, 10,000 connections, 100 queries in flight on each. */
    public static final TcpOptions DEFAULT = new TcpOptions(1, Duration.ofSeconds(10), 10_000, 100);

    public TcpOptions withThreads(int other) {
        return new TcpOptions(other, idleTimeout, maxConnections, maxInFlight);
    }

    public TcpOptions {
        if (threads < 1 || maxConnections < 1 || maxInFlight < 1) {
            throw new IllegalArgumentException(
                    "threads, maxConnections and maxInFlight must be at least 1, not %d, %d and %d"
                            .formatted(threads, maxConnections, maxInFlight));
        }
        if (idleTimeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "idleTimeout must be at least 1 ms, not " + idleTimeout);
        }
    }
}
