package io.ananas.message;

import java.io.IOException;
import java.time.Duration;

/**
 * One server to ask: the port between who resolves and the sockets.
 *
 * <p>Blocking, made for virtual threads; thread-safe.
 */
public interface Upstream {
    /**
     * Sends a query and waits for the response that belongs to it. The id in {@code query} is
     * replaced by a random one, the source port is random (RFC 5452), and only a response from the
     * server's address with that id and the same question is taken; a truncated one is asked again
     * over TCP (RFC 7766). The response carries the random id.
     *
     * @throws java.net.SocketTimeoutException if nothing fitting came within {@code timeout}
     * @throws IOException if the server cannot be reached
     */
    byte[] exchange(byte[] query, Duration timeout) throws IOException;

    /** What logs and errors call it, for example {@code 192.0.2.1:53}. */
    String name();
}
