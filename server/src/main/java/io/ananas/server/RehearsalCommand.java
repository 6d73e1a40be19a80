package io.ananas.server;

import io.ananas.message.Edns;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.Wire;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code ananas rehearse}: a server starts, answers a little and ends, first by recursion, then by
 * forwarding. The launcher has the JVM watch that and keep the classes that were needed, loaded and
 * linked, in a file (JEP 514), with what was learnt of the methods that were hot (JEP 515): the
 * next start takes a fraction of the time, and the hot path is compiled soon. Talks to itself only,
 * by 127.0.0.1.
 */
@Command(name = "rehearse", hidden = true, description = "Starts, answers a little, and ends.")
final class RehearsalCommand implements Callable<Integer> {
    private static final int QUESTIONS = 60_000;
    private static final int KNOWN_NAMES = 2_000;
    private static final int NEW_NAME_EVERY = 3;
    private static final int BURST = 32;
    private static final int PATIENCE_MILLIS = 2_000;
    private static final byte[] ADDRESS = {(byte) 192, 0, 2, 1};

    @Override
    public Integer call() throws IOException, ConfigException {
        try (DatagramSocket upstream = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            Thread.ofPlatform()
                    .daemon()
                    .name("rehearsal-upstream")
                    .start(() -> answerAll(upstream));
            final int port = upstream.getLocalPort();
            rehearse(
                    "resolver: {timeout: 1s, root-hints: [\"ns.root.invalid 127.0.0.1@"
                            + port
                            + "\"]}");
            rehearse("forward: [\"127.0.0.1:" + port + "\"]");
        }
        return CommandLine.ExitCode.OK;
    }

    private static void rehearse(String source) throws IOException, ConfigException {
        final String yaml =
                """
                listen: ["127.0.0.1:0"]
                cache: {size: 1MiB}
                %s
                """
                        .formatted(source);
        final Configuration configuration =
                ConfigurationReader.read(
                        ConfigSection.root("rehearsal", ConfigParser.parse("rehearsal", yaml)),
                        Configuration.defaults());
        try (Server server = Server.start(configuration, InstantSource.system())) {
            server.greeting(configuration);
            final InetSocketAddress address = server.addresses().getFirst();
            ask(address, "localhost");
            for (int first = 0; first < QUESTIONS; first += BURST) {
                burst(address, first);
            }
        }
    }

    private static void ask(InetSocketAddress server, String name) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            send(socket, server, name);
            receive(socket, name);
        }
    }

    /** Questions at once, as under load: some of names that are new, most of names asked before. */
    private static void burst(InetSocketAddress server, int first) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            for (int i = first; i < first + BURST; i++) {
                send(socket, server, name(i));
            }
            for (int i = first; i < first + BURST; i++) {
                receive(socket, name(i));
            }
        }
    }

    private static String name(int question) {
        final int number = question % NEW_NAME_EVERY == 0 ? question : question % KNOWN_NAMES;
        return "name-" + number + ".rehearsal.example";
    }

    private static void send(DatagramSocket socket, InetSocketAddress server, String name)
            throws IOException {
        final byte[] query =
                new MessageWriter(512)
                        .header(1, MessageLayout.RD)
                        .question(Name.of(name), RecordType.A, RecordClass.IN)
                        .edns(Edns.of(Edns.PAYLOAD_SIZE, false))
                        .toByteArray();
        socket.send(new DatagramPacket(query, query.length, server));
    }

    private static void receive(DatagramSocket socket, String name) throws IOException {
        try {
            socket.receive(new DatagramPacket(new byte[1_500], 1_500));
        } catch (SocketTimeoutException e) {
            throw new IOException("the server did not answer for " + name, e);
        }
    }

    /** Gives an address for every question for one, and nothing for any other. */
    private static void answerAll(DatagramSocket socket) {
        final DatagramPacket packet = new DatagramPacket(new byte[1_500], 1_500);
        try {
            while (true) {
                packet.setLength(1_500);
                socket.receive(packet);
                final byte[] response = answer(packet.getData());
                socket.send(
                        new DatagramPacket(response, response.length, packet.getSocketAddress()));
            }
        } catch (SocketException e) {
            return; // closed: the rehearsal is over
        } catch (IOException e) {
            throw new IllegalStateException("the root of the rehearsal", e);
        }
    }

    private static byte[] answer(byte[] query) {
        final Name name = Name.ofWire(query, MessageLayout.HEADER_LENGTH);
        final int typeAt = MessageLayout.HEADER_LENGTH + name.length();
        final int type = Wire.u16(query, typeAt);
        final MessageWriter writer =
                new MessageWriter(512)
                        .header(
                                Wire.u16(query, MessageLayout.ID),
                                MessageLayout.QR | MessageLayout.AA)
                        .question(name, type, RecordClass.IN);
        if (type == RecordType.A) {
            writer.record(MessageView.ANSWER, name, type, RecordClass.IN, 60, ADDRESS);
        }
        return writer.toByteArray();
    }
}
