package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.RecordType;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.Query;
import io.ananas.testkit.ResourceRecord;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** A server that forwards to one scripted upstream, under a clock that a test moves. */
final class Scene implements AutoCloseable {
    final ScriptedUpstream upstream;
    final ManualClock clock = new ManualClock();
    final Server server;
    final DnsClient client;

    private Scene(UnaryOperator<Configuration> change) throws IOException {
        upstream = ScriptedUpstream.start();
        try {
            server = Server.start(change.apply(TestServer.configuration(upstream)), clock);
        } catch (IOException | RuntimeException e) {
            upstream.close();
            throw e;
        }
        client = TestServer.client(server);
    }

    static Scene open() throws IOException {
        return open(c -> c);
    }

    /** Nothing is fetched anew before its end, so that upstream queries can be counted. */
    static Scene open(UnaryOperator<Configuration> change) throws IOException {
        return new Scene(c -> change.apply(c.withCaching(c.caching().withRenewals(0))));
    }

    /** With renewals, as is the default of the server. */
    static Scene renewing(UnaryOperator<Configuration> change) throws IOException {
        return new Scene(change);
    }

    void advance(Duration time) {
        clock.advance(time);
    }

    void advanceSeconds(long seconds) {
        clock.advance(Duration.ofSeconds(seconds));
    }

    DnsMessage ask(String name, String type) throws IOException {
        return client.ask(query(name, type));
    }

    /** A query with EDNS. */
    static Query query(String name, String type) {
        return Query.of(name, type).payloadSize(1_232);
    }

    /** Text of the rdata of all answer records of a type, in order. */
    static List<String> data(DnsMessage response, String type) {
        final int number = RecordType.parse(type);
        return response.answer().stream()
                .filter(record -> record.type() == number)
                .map(ResourceRecord::rdataText)
                .toList();
    }

    /** The TTL that all answer records share. */
    static long ttl(DnsMessage response) {
        assertThat(response.answer()).isNotEmpty();
        assertThat(response.answer().stream().map(ResourceRecord::ttl).distinct()).hasSize(1);
        return response.answer().getFirst().ttl();
    }

    @Override
    public void close() {
        server.close();
        upstream.close();
    }
}
