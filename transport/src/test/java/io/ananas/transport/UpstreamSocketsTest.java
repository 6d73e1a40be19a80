package io.ananas.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Upstream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UpstreamSocketsTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private UpstreamSockets sockets;
    private DatagramSocket server;
    private ServerSocket tcpServer;
    private InetSocketAddress address;

    @BeforeEach
    void open() throws IOException {
        sockets = UpstreamSockets.open();
        tcpServer = new ServerSocket(0, 50, LOOPBACK);
        DatagramSocket udp = bindBeside(tcpServer);
        while (udp == null) { // the port is taken for UDP: try the next
            tcpServer.close();
            tcpServer = new ServerSocket(0, 50, LOOPBACK);
            udp = bindBeside(tcpServer);
        }
        server = udp;
        address = new InetSocketAddress(LOOPBACK, tcpServer.getLocalPort());
    }

    private static @Nullable DatagramSocket bindBeside(ServerSocket tcp) throws IOException {
        try {
            return new DatagramSocket(tcp.getLocalPort(), LOOPBACK);
        } catch (BindException e) {
            return null;
        }
    }

    @AfterEach
    void close() throws IOException {
        sockets.close();
        server.close();
        tcpServer.close();
        threads.close();
    }

    private static byte[] query(String label) {
        final byte[] name = label.getBytes(StandardCharsets.US_ASCII);
        final byte[] message = new byte[12 + 1 + name.length + 1 + 4];
        message[2] = 1;
        message[5] = 1;
        message[12] = (byte) name.length;
        System.arraycopy(name, 0, message, 13, name.length);
        message[message.length - 3] = 1;
        message[message.length - 1] = 1;
        return message;
    }

    private static byte[] response(byte[] query, String label) {
        final byte[] message = query(label);
        message[0] = query[0];
        message[1] = query[1];
        message[2] |= (byte) 0x80;
        return message;
    }

    private static String label(byte[] message) {
        return new String(message, 13, message[12], StandardCharsets.US_ASCII);
    }

    private DatagramPacket receive() throws IOException {
        final DatagramPacket packet = new DatagramPacket(new byte[512], 512);
        server.receive(packet);
        packet.setData(Arrays.copyOf(packet.getData(), packet.getLength()));
        return packet;
    }

    private void send(byte[] message, SocketAddress to) throws IOException {
        server.send(new DatagramPacket(message, message.length, to));
    }

    private Future<byte[]> ask(Upstream upstream, String label) {
        return threads.submit(() -> upstream.exchange(query(label), LONG));
    }

    private static byte[] readFrame(Socket connection) throws IOException {
        final DataInputStream in = new DataInputStream(connection.getInputStream());
        final byte[] message = new byte[in.readUnsignedShort()];
        in.readFully(message);
        return message;
    }

    private static void writeFrame(Socket connection, byte[] message) throws IOException {
        final DataOutputStream out = new DataOutputStream(connection.getOutputStream());
        out.writeShort(message.length);
        out.write(message);
    }

    @Test
    void idsAndPortsAreDrawnAndPortsGiveWay() throws Exception {
        final int questions = 64;
        final Set<Integer> ids = new HashSet<>();
        final Set<Integer> ports = new HashSet<>();
        try (UpstreamSockets few =
                UpstreamSockets.open(
                        new java.security.SecureRandom(), new UpstreamOptions(2, 4, LONG, false))) {
            final Upstream upstream = few.udp(address);
            assertThat(upstream.name()).isEqualTo("127.0.0.1:" + address.getPort());
            for (int i = 0; i < questions; i++) {
                final Future<byte[]> asked = ask(upstream, "q" + i);
                final DatagramPacket packet = receive();
                ids.add(UpstreamMessages.id(packet.getData()));
                ports.add(packet.getPort());
                send(response(packet.getData(), "q" + i), packet.getSocketAddress());
                final byte[] answer = asked.get();
                assertThat(label(answer)).isEqualTo("q" + i);
                assertThat(UpstreamMessages.id(answer))
                        .isEqualTo(UpstreamMessages.id(packet.getData()));
            }
            assertThat(few.openPorts()).isLessThanOrEqualTo(2);
        }
        assertThat(ids).hasSizeGreaterThan(questions - 4);
        assertThat(ports).hasSizeGreaterThan(questions / 4 - 2);
    }

    @Test
    void aPortGivesWayWhenItIsOldThoughItIsUsed() throws Exception {
        final Set<Integer> ports = new HashSet<>();
        final UpstreamOptions options =
                new UpstreamOptions(1, 1_000_000, Duration.ofMillis(100), false);
        try (UpstreamSockets young =
                UpstreamSockets.open(new java.security.SecureRandom(), options)) {
            final Upstream upstream = young.udp(address);
            while (ports.size() < 3) {
                final Future<byte[]> asked = ask(upstream, "q");
                final DatagramPacket packet = receive();
                ports.add(packet.getPort());
                send(response(packet.getData(), "q"), packet.getSocketAddress());
                assertThat(label(asked.get())).isEqualTo("q");
            }
            assertThat(young.openPorts()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void whatDoesNotBelongIsDroppedAndTheRightResponseStillTaken() throws Exception {
        final Future<byte[]> asked = ask(sockets.udp(address), "right");
        final DatagramPacket packet = receive();
        final byte[] wrongId = response(packet.getData(), "right");
        wrongId[1]++;
        final byte[] notAResponse = response(packet.getData(), "right");
        notAResponse[2] &= 0x7f;
        send(wrongId, packet.getSocketAddress());
        send(response(packet.getData(), "wrong"), packet.getSocketAddress());
        send(notAResponse, packet.getSocketAddress());
        send(new byte[] {packet.getData()[0]}, packet.getSocketAddress());
        try (DatagramSocket forger = new DatagramSocket(0, LOOPBACK)) {
            final byte[] forged = response(packet.getData(), "right");
            forged[3] = 3;
            forger.send(new DatagramPacket(forged, forged.length, packet.getSocketAddress()));
        }
        send(response(packet.getData(), "RIGHT"), packet.getSocketAddress());
        final byte[] answer = asked.get();
        assertThat(label(answer)).isEqualTo("RIGHT");
        assertThat(answer[3]).isZero();
        assertThat(sockets.unexpectedResponses()).isEqualTo(4);
    }

    @Test
    void letterCaseCountsWhereItShall() throws Exception {
        try (UpstreamSockets exact =
                UpstreamSockets.open(
                        new java.security.SecureRandom(), new UpstreamOptions(4, 4, LONG, true))) {
            final Future<byte[]> asked = ask(exact.udp(address), "RiGhT");
            final DatagramPacket packet = receive();
            send(response(packet.getData(), "right"), packet.getSocketAddress());
            send(response(packet.getData(), "RiGhT"), packet.getSocketAddress());
            assertThat(label(asked.get())).isEqualTo("RiGhT");
            assertThat(exact.unexpectedResponses()).isOne();
        }
    }

    @Test
    void silenceIsATimeoutAndTheLateResponseHarmless() throws Exception {
        final Upstream upstream = sockets.udp(address);
        assertThatThrownBy(() -> upstream.exchange(query("slow"), SHORT))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessageContaining(upstream.name());
        final DatagramPacket late = receive();
        send(response(late.getData(), "slow"), late.getSocketAddress());
        final Future<byte[]> asked = ask(upstream, "next");
        final DatagramPacket packet = receive();
        send(response(packet.getData(), "next"), packet.getSocketAddress());
        assertThat(label(asked.get())).isEqualTo("next");
    }

    @Test
    void aClosedPortFailsAtOnce() throws Exception {
        final Upstream upstream = sockets.udp(address);
        server.close();
        assertThatThrownBy(() -> upstream.exchange(query("q"), LONG))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SocketTimeoutException.class)
                .hasMessageContaining(upstream.name());
    }

    @Test
    void anErrorWithoutQuestionIsTakenAndAnAnswerWithoutIsNot() throws Exception {
        final Future<byte[]> asked = ask(sockets.udp(address), "q");
        final DatagramPacket packet = receive();
        final byte[] noQuestion = Arrays.copyOf(response(packet.getData(), "q"), 12);
        noQuestion[5] = 0;
        send(noQuestion, packet.getSocketAddress());
        noQuestion[3] = 1;
        send(noQuestion, packet.getSocketAddress());
        assertThat(asked.get()[3]).isEqualTo((byte) 1);
    }

    @Test
    void whatIsTruncatedIsAskedOverTcp() throws Exception {
        final Future<byte[]> asked = ask(sockets.udp(address), "big");
        final DatagramPacket packet = receive();
        final byte[] truncated = response(packet.getData(), "big");
        truncated[2] |= 2;
        send(truncated, packet.getSocketAddress());
        try (Socket connection = tcpServer.accept()) {
            final byte[] query = readFrame(connection);
            assertThat(label(query)).isEqualTo("big");
            final byte[] whole = Arrays.copyOf(response(query, "big"), 5_000);
            writeFrame(connection, whole);
            assertThat(asked.get()).isEqualTo(whole);
        }
    }

    /** However little of the time for UDP was left. */
    @Test
    void tcpHasTimeOfItsOwn() throws Exception {
        final Future<byte[]> asked =
                threads.submit(() -> sockets.udp(address).exchange(query("big"), SHORT));
        final DatagramPacket packet = receive();
        final byte[] truncated = response(packet.getData(), "big");
        truncated[2] |= 2;
        send(truncated, packet.getSocketAddress());
        try (Socket connection = tcpServer.accept()) {
            final byte[] query = readFrame(connection);
            // when a later question has run out of time, the first one has too
            assertThatThrownBy(() -> sockets.udp(address).exchange(query("silent"), SHORT))
                    .isInstanceOf(SocketTimeoutException.class);
            writeFrame(connection, response(query, "big"));
            assertThat(label(asked.get())).isEqualTo("big");
        }
    }

    @Test
    void manyQuestionsShareOneConnectionInAnyOrder() throws Exception {
        final Upstream upstream = sockets.tcp(address);
        final int questions = 20;
        final List<Future<byte[]>> asked = new ArrayList<>();
        for (int i = 0; i < questions; i++) {
            asked.add(ask(upstream, "q" + i));
        }
        try (Socket connection = tcpServer.accept()) {
            final List<byte[]> queries = new ArrayList<>();
            for (int i = 0; i < questions; i++) {
                queries.add(readFrame(connection));
            }
            for (byte[] query : queries.reversed()) {
                writeFrame(connection, response(query, label(query)));
            }
            for (int i = 0; i < questions; i++) {
                assertThat(label(asked.get(i).get())).isEqualTo("q" + i);
            }
        }
    }

    @Test
    void aLateResponseOnAReusedConnectionDisturbsNobody() throws Exception {
        final Upstream upstream = sockets.tcp(address);
        final Future<Throwable> first =
                threads.submit(
                        (Callable<Throwable>)
                                () -> {
                                    try {
                                        upstream.exchange(query("one"), SHORT);
                                        return new AssertionError("answered");
                                    } catch (IOException e) {
                                        return e;
                                    }
                                });
        try (Socket connection = tcpServer.accept()) {
            final byte[] one = readFrame(connection);
            assertThat(first.get()).isInstanceOf(SocketTimeoutException.class);
            final Future<byte[]> second = ask(upstream, "two");
            final byte[] two = readFrame(connection);
            writeFrame(connection, response(one, "one"));
            writeFrame(connection, response(two, "one"));
            writeFrame(connection, response(two, "two"));
            assertThat(label(second.get())).isEqualTo("two");
            assertThat(sockets.unexpectedResponses()).isEqualTo(2);
        }
    }

    @Test
    void whatWasInFlightWhenTheServerClosedIsAskedOnANewConnection() throws Exception {
        final Upstream upstream = sockets.tcp(address);
        final Future<byte[]> first = ask(upstream, "one");
        final Future<byte[]> second;
        try (Socket connection = tcpServer.accept()) {
            writeFrame(connection, response(readFrame(connection), "one"));
            assertThat(label(first.get())).isEqualTo("one");
            second = ask(upstream, "two");
            readFrame(connection);
        }
        try (Socket next = tcpServer.accept()) {
            writeFrame(next, response(readFrame(next), "two"));
            assertThat(label(second.get())).isEqualTo("two");
        }
    }

    @Test
    void noTcpServerIsNamed() throws Exception {
        tcpServer.close();
        assertThatThrownBy(() -> sockets.tcp(address).exchange(query("q"), LONG))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:" + address.getPort() + " over TCP");
    }

    @Test
    void closingFailsWhatIsInFlight() throws Exception {
        final Future<byte[]> asked = ask(sockets.udp(address), "q");
        receive();
        sockets.close();
        assertThatThrownBy(asked::get).hasRootCauseInstanceOf(IOException.class);
        assertThat(sockets.openPorts()).isZero();
    }
}
