package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.dnssec.ValidationLimits;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.Query;
import io.ananas.testkit.ScriptedUpstream;
import io.ananas.testkit.SignedZones;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cases of the collection that need the validator, played to a running server; by their ids. */
@Timeout(60)
class HandedValidationTest {
    private final SignedZones zones = new SignedZones();
    private final ManualClock clock = new ManualClock(SignedZones.NOW);
    private @Nullable Server server;

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
        zones.close();
    }

    private Server server() throws IOException {
        return server("");
    }

    private Server server(String more) throws IOException {
        if (server == null) {
            try {
                final Configuration c = TreeServer.configuration(zones.configuration() + more);
                server = Server.start(c.withCaching(c.caching().withRenewals(0)), clock);
            } catch (ConfigException e) {
                throw new IllegalStateException(e);
            }
        }
        return server;
    }

    private DnsMessage ask(String name, String type) throws IOException {
        return TestServer.client(server()).ask(Scene.query(name, type).dnssecOk());
    }

    private static boolean isAuthentic(DnsMessage message) {
        return message.has(MessageLayout.AD);
    }

    private Recursion recursion() throws IOException {
        return Objects.requireNonNull(server().recursion());
    }

    @Test
    void b039() throws IOException {
        zones.signed("example.test", "bogus A 192.0.2.66", "late A 192.0.2.67", "www A 192.0.2.1")
                .forge("bogus.example.test", "A", 1)
                .forge("late.example.test", "A", 1);
        assertThat(isAuthentic(ask("www.example.test", "A"))).isTrue();
        for (String name : List.of("bogus.example.test", "late.example.test")) {
            boolean unchecked = name.startsWith("bogus");
            for (int i = 0; i < 6; i++) {
                final Query query = Scene.query(name, "A");
                final DnsMessage response =
                        TestServer.client(server())
                                .ask(unchecked ? query.checkingDisabled() : query);
                assertThat(isAuthentic(response)).isFalse();
                if (unchecked) {
                    assertThat(response.responseCode()).isEqualTo(ResponseCode.NOERROR);
                    assertThat(response.answer()).hasSize(1);
                } else {
                    assertThat(response.responseCode())
                            .as("%s: %s", name, zones.server().queries())
                            .isEqualTo(ResponseCode.SERVFAIL);
                    assertThat(response.answer()).isEmpty();
                    assertThat(response.extendedErrors())
                            .contains(ExtendedError.DNSSEC_BOGUS.code());
                }
                unchecked = !unchecked;
            }
        }
    }

    @Test
    void b045() throws IOException {
        zones.signed("other.test", "foo A 192.0.2.8")
                .hashed("z.test", "redir DNAME other.test.", "m A 192.0.2.2")
                .unsigned("below.z.test", "www A 192.0.2.9")
                .signed("y.test", "redir DNAME other.test.", "m A 192.0.2.2")
                .unsigned("below.y.test", "www A 192.0.2.9");
        for (String zone : List.of("z.test", "y.test")) {
            assertThat(isAuthentic(ask("redir." + zone, "AAAA"))).as("at the DNAME").isTrue();
            assertThat(isAuthentic(ask("below." + zone, "DS"))).as("at the cut").isTrue();
            for (int i = 0; i < 20; i++) { // next closer and wildcard proofs, of every range
                final DnsMessage denial = ask("nx" + i + "." + zone, "A");
                assertThat(denial.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
                assertThat(isAuthentic(denial)).isTrue();
            }
            final DnsMessage redirected = ask("foo.redir." + zone, "A");
            assertThat(redirected.responseCode()).isEqualTo(ResponseCode.NOERROR);
            assertThat(isAuthentic(redirected)).isTrue();
            assertThat(Scene.data(redirected, "DNAME")).containsExactly("other.test.");
            assertThat(Scene.data(redirected, "CNAME")).containsExactly("foo.other.test.");
            assertThat(Scene.data(redirected, "A")).containsExactly("192.0.2.8");
            final DnsMessage child = ask("www.below." + zone, "A");
            assertThat(Scene.data(child, "A")).containsExactly("192.0.2.9");
            assertThat(isAuthentic(child)).isFalse();
        }
        final int before = zones.server().count();
        assertThat(ask("nx99.y.test", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(zones.server().count()).as("sound proofs are used").isEqualTo(before);
    }

    @Test
    void b069() throws Exception {
        zones.twins("trap.test", 500, "www A 192.0.2.1", "x A 192.0.2.2")
                .forge("www.trap.test", "A", 500)
                .twins("pair.test", 2, "www A 192.0.2.3")
                .signed("other.test", "www A 192.0.2.4", "cached A 192.0.2.5");
        ask("cached.other.test", "A");
        final List<Future<DnsMessage>> trapped = new ArrayList<>();
        try (ExecutorService clients =
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory())) {
            for (int i = 0; i < 20; i++) {
                trapped.add(clients.submit(() -> ask("www.trap.test", "A")));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(ask("cached.other.test", "A").answer()).isNotEmpty();
            }
            assertThat(isAuthentic(ask("www.other.test", "A"))).isTrue();
            for (Future<DnsMessage> one : trapped) {
                assertThat(one.get().responseCode()).isEqualTo(ResponseCode.SERVFAIL);
                assertThat(one.get().extendedErrors()).contains(ExtendedError.DNSSEC_BOGUS.code());
            }
        }
        final var statistics = Objects.requireNonNull(recursion().validator()).statistics();
        assertThat(statistics.failedChecks())
                .isBetween(1L, (long) ValidationLimits.DEFAULT.failuresPerQuestion());
        final long failed = statistics.failedChecks();
        ask("www.trap.test", "A");
        assertThat(Objects.requireNonNull(recursion().validator()).statistics().failedChecks())
                .as("what is bogus is remembered")
                .isEqualTo(failed);
        assertThat(isAuthentic(ask("www.pair.test", "A"))).as("two keys of one tag").isTrue();
    }

    @Test
    void b089() throws IOException {
        final String[] reverse = {
            "arpa", "in-addr.arpa", "172.in-addr.arpa", "192.in-addr.arpa", "168.192.in-addr.arpa"
        };
        for (String zone : List.of(reverse).subList(0, 4)) {
            zones.signed(zone);
        }
        zones.unsigned(reverse[4]).untold(reverse);
        try (ScriptedUpstream local = ScriptedUpstream.start()) {
            local.when("5.1.168.192.in-addr.arpa", "PTR")
                    .answer("5.1.168.192.in-addr.arpa. 60 PTR h.lan.");
            server(
                    """
                      forward-zones:
                        - {name: 168.192.in-addr.arpa, servers: [127.0.0.1@%d]}
                    local:
                      zones:
                        - {name: 10.in-addr.arpa, records: ["9.0.0 PTR own.lan."]}
                    """
                            .formatted(local.port()));
            ask("warm.test", "A");
            final int before = zones.server().count();
            for (String name :
                    List.of(
                            "1.0.64.100.in-addr.arpa",
                            "254.255.127.100.in-addr.arpa",
                            "1.0.0.10.in-addr.arpa",
                            "5.4.3.31.172.in-addr.arpa",
                            "1.8.e.f.ip6.arpa",
                            "1.d.f.ip6.arpa")) {
                final DnsMessage response = ask(name, "PTR");
                assertThat(response.responseCode()).as(name).isEqualTo(ResponseCode.NXDOMAIN);
                assertThat(response.has(MessageLayout.AA)).as(name).isTrue();
                assertThat(response.authority()).isNotEmpty();
            }
            for (String apex : List.of("64.100.in-addr.arpa", "31.172.in-addr.arpa")) {
                assertThat(ask(apex, "SOA").answer()).hasSize(1);
                assertThat(ask(apex, "NS").answer()).isNotEmpty();
            }
            assertThat(Scene.data(ask("9.0.0.10.in-addr.arpa", "PTR"), "PTR"))
                    .as("a zone of the operator stands in the place of the empty one")
                    .containsExactly("own.lan.");
            assertThat(zones.server().count()).as("none of it leaves").isEqualTo(before);
            for (int i = 0; i < 2; i++) {
                final DnsMessage forwarded = ask("5.1.168.192.in-addr.arpa", "PTR");
                assertThat(Scene.data(forwarded, "PTR")).containsExactly("h.lan.");
                assertThat(isAuthentic(forwarded)).isFalse();
            }
            assertThat(local.count("5.1.168.192.in-addr.arpa", "PTR")).isOne();
            assertThat(ask("1.0.0.32.172.in-addr.arpa", "PTR").responseCode())
                    .isEqualTo(ResponseCode.NXDOMAIN);
            assertThat(zones.countBelow("172.in-addr.arpa")).as("172.32/11 is public").isPositive();
        }
    }

    @Test
    void b091() throws IOException {
        zones.signed("s.test", "m A 192.0.2.1");
        assertThat(ask("q.s.test", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        final int before = zones.server().count();
        for (String name : List.of("x.q.s.test", "y.x.q.s.test")) {
            final DnsMessage below = ask(name, "AAAA");
            assertThat(below.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
            assertThat(isAuthentic(below)).isTrue();
        }
        assertThat(zones.server().count()).isEqualTo(before);
        zones.signed("q.s.test", "x A 192.0.2.7"); // somebody registers it
        server().cache().flush(Name.of("q.s.test"), true);
        recursion().forget(Name.of("s.test"));
        assertThat(Scene.data(ask("x.q.s.test", "A"), "A")).containsExactly("192.0.2.7");
        clock.advance(Duration.ofSeconds(61));
        assertThat(ask("q.s.test", "SOA").answer()).isNotEmpty();
    }
}
