package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ananas.message.EdnsOption;
import io.ananas.message.RecordClass;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.PacketMutator;
import io.ananas.testkit.Query;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ScriptedUpstream;
import io.ananas.transport.UdpEngine;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** A hundred thousand bad packets: nothing is thrown, no thread is lost, answers still come. */
@Timeout(180)
class HostilePacketsTest {
    private static final int PACKETS = 100_000;
    private static final int WINDOW = 100;

    private static final List<byte[]> GOOD =
            List.of(
                    Query.of("www.example.test", "A").toWire(),
                    Query.of("www.example.test", "A").dnssecOk().toWire(),
                    Query.of("a.very.long.name.with.many.labels.example.test", "TXT").toWire(),
                    Query.of("www.example.test", "ANY").toWire(),
                    Query.of("version.bind", "TXT").questionClass(RecordClass.CH).toWire(),
                    Query.of("www.example.test", "A")
                            .option(EdnsOption.of(EdnsOption.COOKIE, new byte[8]))
                            .option(
                                    EdnsOption.of(
                                            EdnsOption.CLIENT_SUBNET,
                                            new byte[] {0, 1, 24, 0, 1, 2, 3}))
                            .toWire());

    private static Set<String> serverThreads() {
        final Set<String> names = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().matches("(udp|tcp|upstream)-.*")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("io.ananas.server.TestServer#engines")
    void nothingBreaks(UdpEngine engine) throws IOException {
        final long seed = System.nanoTime();
        final PacketMutator mutator = new PacketMutator(seed);
        final ListAppender<ILoggingEvent> log = new ListAppender<>();
        final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server = TestServer.start(engine, upstream)) {
            upstream.otherwise()
                    .reply(
                            Reply.code(3)
                                    .authority(
                                            "test. 300 IN SOA ns.test. host.test. 1 3600 600 86400 60"));
            upstream.when("www.example.test", "A").answer("www.example.test. 300 IN A 192.0.2.1");
            final DnsClient client = TestServer.client(server);
            client.ask("www.example.test", "A");
            final Set<String> threads = serverThreads();
            flood(server.addresses().getFirst(), mutator);
            sendOverTcp(client, mutator);
            assertThat(client.ask("www.example.test", "A").answer()).as("seed %d", seed).hasSize(1);
            assertThat(client.askOverTcp(Query.of("www.example.test", "A")).answer()).hasSize(1);
            assertThat(server.handlerFailures()).as("seed %d", seed).isZero();
            assertThat(serverThreads()).as("seed %d", seed).containsAll(threads);
        } finally {
            root.detachAppender(log);
        }
        assertThat(log.list)
                .as("seed %d", seed)
                .filteredOn(e -> e.getLevel().isGreaterOrEqual(Level.ERROR))
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEmpty();
    }

    /** Sends in windows with a good query behind each, so that the server sees every packet. */
    private static void flood(InetSocketAddress server, PacketMutator mutator) throws IOException {
        final byte[] good = GOOD.getFirst();
        final byte[] reply = new byte[4_096];
        try (DatagramSocket bad = new DatagramSocket();
                DatagramSocket checked = new DatagramSocket()) {
            checked.setSoTimeout(10_000);
            checked.connect(server);
            for (int i = 0; i < PACKETS; i++) {
                final byte[] packet =
                        i % 10 == 0
                                ? mutator.noise(600)
                                : mutator.mutate(GOOD.get(i % GOOD.size()));
                bad.send(new DatagramPacket(packet, packet.length, server));
                if (i % WINDOW == WINDOW - 1) {
                    checked.send(new DatagramPacket(good, good.length));
                    checked.receive(new DatagramPacket(reply, reply.length));
                }
            }
        }
    }

    private static void sendOverTcp(DnsClient client, PacketMutator mutator) throws IOException {
        for (int i = 0; i < 300; i++) {
            try (DnsClient.TcpConnection connection = client.connect()) {
                for (int j = 0; j < 10; j++) {
                    if (j % 5 == 4) {
                        connection.sendRaw(mutator.noise(100));
                    } else {
                        connection.send(mutator.mutate(GOOD.get(j % GOOD.size())));
                    }
                }
            } catch (IOException closedByServer) {
                assertThat(closedByServer).hasMessageNotContaining("refused");
            }
        }
    }
}
