package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.testkit.ScriptedUpstream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process holds as many TCP connections as it says, and is fair to each. */
@Timeout(180)
class ManyConnectionsIT {
    private static final int CONNECTIONS = 10_000;
    private static final int OTHER_FILES = 500;
    private static final int PIPELINED = 64;

    @Test
    void tenThousandAreHeldAndAGreedyOneStarvesNobody(@TempDir Path directory) throws Exception {
        final long files =
                ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
                        .getMaxFileDescriptorCount();
        assumeTrue(
                files >= CONNECTIONS + OTHER_FILES,
                "a process may open %d files, and 10,000 connections need more".formatted(files));
        final Path config = directory.resolve("ananas.yaml");
        final List<Socket> clients = new ArrayList<>();
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                ExecutorService threads = Executors.newCachedThreadPool()) {
            upstream.when("held.example.test", "A")
                    .answer("held.example.test. 3000 IN A 192.0.2.7");
            Files.writeString(
                    config,
                    """
                    listen: ["127.0.0.1:0"]
                    forward: ["127.0.0.1:%d"]
                    cache: {size: 16MiB}
                    """
                            .formatted(upstream.port()));
            try (RunningServer server = RunningServer.start(directory, config)) {
                for (int i = 0; i < CONNECTIONS; i++) {
                    clients.add(connect(server));
                }
                final AtomicBoolean done = new AtomicBoolean();
                final Future<Integer> greedy =
                        threads.submit(() -> pipeline(clients.getFirst(), done));
                for (int round = 0; round < 2; round++) {
                    final int first = 1 + round * 1_000;
                    for (Socket client : clients.subList(first, CONNECTIONS)) {
                        ask(client, 1);
                    }
                    for (Socket client : clients.subList(first, CONNECTIONS)) {
                        readAnswers(client, 1);
                    }
                }
                done.set(true);
                assertThat(greedy.get()).isPositive();
                server.end(false);
            } finally {
                for (Socket client : clients) {
                    client.close();
                }
            }
        }
    }

    private static Socket connect(RunningServer server) throws IOException {
        final Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
        socket.setSoTimeout(30_000);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** Asks and asks; returns how often it was answered. */
    private static int pipeline(Socket client, AtomicBoolean done) throws IOException {
        int answered = 0;
        while (!done.get()) {
            ask(client, PIPELINED);
            readAnswers(client, PIPELINED);
            answered += PIPELINED;
        }
        return answered;
    }

    private static void ask(Socket client, int times) throws IOException {
        final byte[] query =
                new MessageWriter(MessageLayout.MAX_MESSAGE)
                        .header(7, MessageLayout.RD)
                        .question(Name.of("held.example.test"), RecordType.A, RecordClass.IN)
                        .toByteArray();
        final ByteBuffer frames = ByteBuffer.allocate(times * (2 + query.length));
        for (int i = 0; i < times; i++) {
            frames.putShort((short) query.length).put(query);
        }
        client.getOutputStream().write(frames.array());
    }

    private static void readAnswers(Socket client, int times) throws IOException {
        final DataInputStream in = new DataInputStream(client.getInputStream());
        for (int i = 0; i < times; i++) {
            final byte[] message = new byte[in.readUnsignedShort()];
            in.readFully(message);
            assertThat(message).endsWith(192, 0, 2, 7);
        }
    }
}
