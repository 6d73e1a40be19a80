package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server as a process keeps its cache, whether it is ended or killed. */
@Timeout(180)
class WarmRestartIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

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
            try (RunningServer first = RunningServer.start(directory, config)) {
                first.client().ask("one.example.test", "A");
                first.end(false);
                assertThat(first.process().exitValue()).isZero();
            }
            assertThat(Files.size(file)).isPositive();
            try (RunningServer second = RunningServer.start(directory, config)) {
                Awaitility.await().atMost(PATIENCE).until(() -> isThere(second, "one"));
                second.client().ask("two.example.test", "A");
                final long before = Files.size(file);
                Awaitility.await().atMost(PATIENCE).until(() -> Files.size(file) > before);
                second.end(true);
            }
            upstream.forgetScripts();
            upstream.otherwise().reply(Reply.silence());
            try (RunningServer third = RunningServer.start(directory, config)) {
                Awaitility.await().atMost(PATIENCE).until(() -> isThere(third, "two"));
                final DnsMessage one = third.client().ask("one.example.test", "A");
                assertThat(Scene.data(one, "A")).containsExactly("192.0.2.1");
                assertThat(Scene.ttl(one)).as("time goes on while it is away").isLessThan(3_000);
                third.end(false);
            }
        }
    }

    private static boolean isThere(RunningServer server, String name) throws IOException {
        return !server.client().ask(name + ".example.test", "A").answer().isEmpty();
    }
}
