package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.LocalZones;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LocalStageTest {
    private static final String LOCAL =
            """
            local:
              zones:
                - name: lan.example
                  records: ["@ A 192.0.2.10", "printer A 192.0.2.11", "out CNAME www.example.test."]
              records:
                - nas.example.org. 300 A 192.0.2.12
                - away.example.org. 300 CNAME www.example.test.
            """;

    /** Handed cases B087 and B089, with the queries that reach a forwarder counted. */
    @ParameterizedTest
    @CsvSource({
        "abc.onion, A, NXDOMAIN",
        "sub.abc.OnIoN, AAAA, NXDOMAIN",
        "abc.onion, TYPE65, NXDOMAIN",
        "1.0.64.100.in-addr.arpa, PTR, NXDOMAIN",
        "254.255.127.100.in-addr.arpa, PTR, NXDOMAIN",
        "1.0.0.10.in-addr.arpa, PTR, NXDOMAIN",
        "5.4.3.31.172.in-addr.arpa, PTR, NXDOMAIN",
        "1.8.e.f.ip6.arpa, PTR, NXDOMAIN",
        "printer.LAN.example, A, NOERROR",
        "printer.lan.example, AAAA, NOERROR",
        "nothing.lan.example, A, NXDOMAIN",
        "nas.example.org, A, NOERROR",
        "a.localhost, A, NOERROR"
    })
    void localNamesNeverLeave(String name, String type, String code) throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server = start(upstream)) {
            for (int round = 0; round < 2; round++) {
                final DnsMessage answer =
                        TestServer.client(server).ask(Query.of(name, type).dnssecOk());
                assertThat(ResponseCode.text(answer.responseCode())).isEqualTo(code);
                assertThat(answer.has(MessageLayout.AA)).isTrue();
                assertThat(Objects.requireNonNull(answer.question()).name().toString())
                        .isEqualTo(Name.of(name).toString());
                assertThat(answer.edns()).isNotNull();
            }
            assertThat(upstream.count()).isZero();
            assertThat(server.counters().sum(c -> c.local)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xonion",
                "www.example.org",
                "sub.nas.example.org",
                "1.0.0.32.172.in-addr.arpa",
                "lan.example.org"
            })
    void otherNamesDo(String name) throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server = start(upstream)) {
            upstream.otherwise().answer(Name.of(name) + " 300 IN A 192.0.2.77");
            TestServer.client(server).ask(name, "A");
            assertThat(upstream.count()).isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.lan.example", "away.example.org"})
    void aLocalAliasLeadsAnywhere(String name) throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server = start(upstream)) {
            upstream.when("www.example.test", "A").answer("www.example.test. 300 IN A 192.0.2.77");
            final DnsClient client = TestServer.client(server);
            for (int round = 0; round < 2; round++) {
                assertThat(client.ask(name, "A").answer()).hasSize(2);
            }
            assertThat(upstream.count()).isOne();
            assertThat(client.ask(name, "CNAME").answer()).hasSize(1);
        }
    }

    private static Server start(ScriptedUpstream upstream) throws IOException, ConfigException {
        return TestServer.start(
                TestServer.configuration(upstream)
                        .withRecursion(TreeServer.configuration(LOCAL).recursion()));
    }

    /** The sieve lets through whatever the zones answer, and next to nothing besides. */
    @Test
    void theSieveAgreesWithTheZones() throws ConfigException {
        final LocalZones zones = TreeServer.configuration(LOCAL).localZones();
        final LocalNames names = new LocalNames(zones);
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            final Name below = pick(zones, random);
            final Name name =
                    switch (random.nextInt(4)) {
                        case 0 ->
                                Name.of(
                                        "a%d.%s"
                                                .formatted(
                                                        i, random.nextBoolean() ? "arpa" : "com"));
                        case 1 -> below;
                        case 2 -> below.isRoot() ? below : below.parent();
                        default -> below.length() > 200 ? below : below.child("x" + i);
                    };
            final Name asked =
                    random.nextBoolean() ? name : Name.of(name.toString().toUpperCase(Locale.ROOT));
            assertThat(mayAnswer(names, asked))
                    .as("%s, seed %d", asked, seed)
                    .isEqualTo(zones.covers(asked));
        }
    }

    private static Name pick(LocalZones zones, Random random) {
        return zones.names().stream()
                .sorted()
                .skip(random.nextInt(zones.names().size()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean mayAnswer(LocalNames names, Name name) {
        final byte[] query = Query.of(name, 1).toWire();
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment room = arena.allocate(query.length + 64L);
            MemorySegment.copy(query, 0, room, ValueLayout.JAVA_BYTE, 0, query.length);
            final QueryView view = new QueryView();
            assertThat(view.parse(room.address(), query.length)).isEqualTo(QueryView.ANSWERABLE);
            return names.mayAnswer(view, new int[LocalNames.MAX_LABELS]);
        }
    }
}
