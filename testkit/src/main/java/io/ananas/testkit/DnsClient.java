package io.ananas.testkit;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A small blocking DNS client for tests: sends what it is given and hands back what comes, and
 * checks nothing but that ids agree in {@link #ask(Query)}.
 *
 * <p>Every exchange has a socket, so a source port, of its own. Thread-safe.
 */
public final class DnsClient {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final InetSocketAddress server;
    private final int timeoutMillis;

    /** A client that waits 10 s for each response. */
    public DnsClient(InetSocketAddress server) {
        this(server, PATIENCE);
    }

    public DnsClient(InetSocketAddress server, Duration timeout) {
        this.server = server;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /**
     * Asks over UDP.
     *
     * @throws AssertionError if the response is unsound or has another id
     * @throws SocketTimeoutException if none comes
     */
    public DnsMessage ask(Query query) throws IOException {
        return matching(query, udp(query.toWire()));
    }

    /** Asks over UDP for a name and type such as {@code "AAAA"}, without EDNS. */
    public DnsMessage ask(String name, String type) throws IOException {
        return ask(Query.of(name, type));
    }

    /** Asks over TCP; see {@link #ask(Query)}. */
    public DnsMessage askOverTcp(Query query) throws IOException {
        return matching(query, tcp(query.toWire()));
    }

    private static DnsMessage matching(Query query, byte[] response) {
        final DnsMessage message = DnsMessage.parse(response);
        if (message.id() != query.id()) {
            throw new AssertionError(
                    "asked with id %d, and the response has %d:%n%s"
                            .formatted(query.id(), message.id(), message));
        }
        return message;
    }

    /**
     * Sends octets over UDP and waits for the first packet that comes back.
     *
     * @throws SocketTimeoutException if none comes
     */
    public byte[] udp(byte[] query) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            socket.setSoTimeout(timeoutMillis);
            socket.send(new DatagramPacket(query, query.length));
            final byte[] buffer = new byte[65_535];
            final DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            socket.receive(packet);
            return Arrays.copyOf(buffer, packet.getLength());
        }
    }

    /** Sends octets over UDP; empty if nothing comes back within {@code patience}. */
    public Optional<byte[]> tryUdp(byte[] query, Duration patience) throws IOException {
        try {
            return Optional.of(new DnsClient(server, patience).udp(query));
        } catch (SocketTimeoutException silence) {
            return Optional.empty();
        }
    }

    /** Sends octets over UDP and does not wait. */
    public void sendUdp(byte[] octets) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(octets, octets.length, server));
        }
    }

    /** Sends one message over a TCP connection of its own and waits for one. */
    public byte[] tcp(byte[] query) throws IOException {
        try (TcpConnection connection = connect()) {
            connection.send(query);
            return connection.receive();
        }
    }

    /** Opens a TCP connection, for many queries in flight. */
    public TcpConnection connect() throws IOException {
        return new TcpConnection(server, timeoutMillis);
    }

    /** A TCP connection to the server. One thread may send while another receives. */
    public static final class TcpConnection implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;

        private TcpConnection(InetSocketAddress server, int timeoutMillis) throws IOException {
            socket = new Socket();
            socket.connect(server, timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        }

        /** Sends a message with its length before it. */
        public void send(byte[] message) throws IOException {
            LoopbackSockets.writeFrame(socket.getOutputStream(), message);
        }

        /** Sends a query. */
        public void send(Query query) throws IOException {
            send(query.toWire());
        }

        /** Sends octets as they are, such as half a message or a wrong length. */
        public void sendRaw(byte[] octets) throws IOException {
            socket.getOutputStream().write(octets);
            socket.getOutputStream().flush();
        }

        /**
         * The next message.
         *
         * @throws java.io.EOFException if the server has closed the connection
         * @throws SocketTimeoutException if none comes
         */
        public byte[] receive() throws IOException {
            return LoopbackSockets.readFrame(in);
        }

        /** The next message, which must be sound. */
        public DnsMessage receiveMessage() throws IOException {
            return DnsMessage.parse(receive());
        }

        /** Waits until the server closes the connection; messages until then are dropped. */
        public void awaitClose() throws IOException {
            byte @Nullable [] message;
            do {
                message = LoopbackSockets.tryReadFrame(in);
            } while (message != null);
        }

        /** Says that nothing more will be sent. */
        public void shutdownOutput() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
