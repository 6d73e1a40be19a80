package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.LoopbackInternet;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.ResourceRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server that finds answers by recursion in a {@link LoopbackInternet}, under a clock that a test
 * moves. It starts with the first question, so that zones and settings can be made before.
 */
final class World implements AutoCloseable {
    final LoopbackInternet internet = LoopbackInternet.start();
    final ManualClock clock = new ManualClock();
    private String settings = "";
    private UnaryOperator<Configuration> change = c -> c;
    private @Nullable Server server;

    /** More lines of the section {@code resolver}, indented by two. */
    World resolver(String lines) {
        settings += lines.indent(2);
        return this;
    }

    World with(UnaryOperator<Configuration> other) {
        change = other;
        return this;
    }

    Server server() throws IOException {
        if (server == null) {
            try {
                final Configuration c =
                        TreeServer.configuration(internet.configuration() + settings);
                server =
                        Server.start(
                                change.apply(c.withCaching(c.caching().withRenewals(0))), clock);
            } catch (ConfigException e) {
                throw new IllegalStateException(e);
            }
        }
        return server;
    }

    DnsClient client() throws IOException {
        return TestServer.client(server());
    }

    DnsMessage ask(String name, String type) throws IOException {
        return client().ask(Scene.query(name, type));
    }

    /** Asks, expects NOERROR, and gives the answer section as text. */
    List<String> answer(String name, String type) throws IOException {
        final DnsMessage message = ask(name, type);
        assertThat(message.responseCode()).as(message + "\n" + internet.log()).isZero();
        return text(message.answer());
    }

    static List<String> text(List<ResourceRecord> records) {
        return records.stream().map(ResourceRecord::brief).toList();
    }

    void advanceSeconds(long seconds) {
        clock.advance(Duration.ofSeconds(seconds));
    }

    /** {@code ananas cache flush} with these arguments. */
    void flush(String... arguments) throws IOException {
        final int port = Objects.requireNonNull(server().adminAddress()).getPort();
        final List<String> all = new ArrayList<>(List.of("cache", "flush"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--admin", "127.0.0.1:" + port));
        assertThat(Main.commandLine().execute(all.toArray(String[]::new))).isZero();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        internet.close();
    }
}
