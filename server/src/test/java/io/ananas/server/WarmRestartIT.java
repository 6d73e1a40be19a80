package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ScriptedUpstream;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process keeps its cache, whether it is ended or killed. */
@Timeout(180)
class WarmRestartIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A server in a process of its own. */
    private record Running(Process process, DnsClient client) implements AutoCloseable {
        static Running start(Path directory, Path config) throws IOException {
            final List<String> command = new ArrayList<>();
            command.add(ProcessHandle.current().info().command().orElseThrow());
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
            command.add("--sun-misc-unsafe-memory-access=allow");
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
            command.addAll(List.of(Main.class.getName(), "serve", "--config", config.toString()));
            final Process process =
                    new ProcessBuilder(command)
                            .redirectError(directory.resolve("errors").toFile())
                            .start();
            final BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            String address = "";
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.contains("listening on")) {
                    address = line.replaceAll(".*127.0.0.1:(\\d+).*", "$1");
                }
                if (line.contains("try:")) {
                    break;
                }
            }
            assertThat(address).as(Files.readString(directory.resolve("errors"))).isNotEmpty();
            final InetSocketAddress place =
                    new InetSocketAddress(
                            InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(address));
            return new Running(process, new DnsClient(place, Duration.ofSeconds(10)));
        }

        void end(boolean kill) throws InterruptedException {
            if (kill) {
                process.destroyForcibly();
            } else {
                process.destroy();
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void endedOrKilled(@TempDir Path directory) throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        final Path config = directory.resolve("ananas.yaml");
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            upstream.when("one.example.test", "A").answer("one.example.test. 3000 IN A 192.0.2.1");
            upstream.when("two.example.test", "A").answer("two.example.test. 3000 IN A 192.0.2.2");
            Files.writeString(
                    config,
                    """
                    listen: ["127.0.0.1:0"]
                    forward: ["127.0.0.1:%d"]
                    resolver: {timeout: 1s}
                    cache: {size: 16MiB, snapshot: {file: "%s", interval: 1s}}
                    """
                            .formatted(upstream.port(), file));
            try (Running first = Running.start(directory, config)) {
                first.client().ask("one.example.test", "A");
                first.end(false);
                assertThat(first.process().exitValue()).isZero();
            }
            assertThat(Files.size(file)).isPositive();
            try (Running second = Running.start(directory, config)) {
                Awaitility.await().atMost(PATIENCE).until(() -> isThere(second, "one"));
                second.client().ask("two.example.test", "A");
                final long before = Files.size(file);
                Awaitility.await().atMost(PATIENCE).until(() -> Files.size(file) > before);
                second.end(true);
            }
            upstream.forgetScripts();
            upstream.otherwise().reply(Reply.silence());
            try (Running third = Running.start(directory, config)) {
                Awaitility.await().atMost(PATIENCE).until(() -> isThere(third, "two"));
                final DnsMessage one = third.client().ask("one.example.test", "A");
                assertThat(Scene.data(one, "A")).containsExactly("192.0.2.1");
                assertThat(Scene.ttl(one)).as("time goes on while it is away").isLessThan(3_000);
                third.end(false);
            }
        }
    }

    private static boolean isThere(Running server, String name) throws IOException {
        return !server.client().ask(name + ".example.test", "A").answer().isEmpty();
    }
}
