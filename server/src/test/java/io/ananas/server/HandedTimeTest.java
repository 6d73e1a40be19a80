package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.cache.CacheOptions;
import io.ananas.message.ClientSubnet;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.Query;
import io.ananas.testkit.ReceivedQuery;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cases of the collection about failing, stale and renewed answers. */
@Timeout(60)
class HandedTimeTest {
    private static final String NAME = "www.example.test";

    private static String address(int ttl, int last) {
        return "%s. %d IN A 192.0.2.%d".formatted(NAME, ttl, last);
    }

    private static Scene stale(Duration clientTimeout) throws IOException {
        return Scene.open(c ->
                c.withCache(c.cache().withStale(3_600, 30))
                        .withCaching(c.caching().withClientTimeout(clientTimeout)));
    }

    @Test
    void b047() throws IOException {
        try (Scene scene = stale(Duration.ofSeconds(30))) {
            scene.upstream
                    .when(NAME, "A")
                    .answer(address(30, 1))
                    .reply(Reply.code(ResponseCode.SERVFAIL))
                    .answer(address(30, 2));
            scene.ask(NAME, "A");
            scene.advanceSeconds(41);
            for (int i = 0; i < 3; i++) {
                final DnsMessage response = scene.ask(NAME, "A");
                assertThat(Scene.data(response, "A")).containsExactly("192.0.2.1");
                assertThat(Scene.ttl(response)).isEqualTo(30);
                assertThat(response.extendedErrors())
                        .containsExactly(ExtendedError.STALE_ANSWER.code());
            }
            assertThat(scene.upstream.count()).isEqualTo(2);
            scene.advanceSeconds(9);
            assertThat(Scene.data(scene.ask(NAME, "A"), "A")).containsExactly("192.0.2.2");
        }
    }

    @Test
    void b047WhoChecksHimselfGetsWhatWasNotChecked() throws IOException {
        try (Scene scene = stale(Duration.ofSeconds(30))) {
            scene.upstream.when(NAME, "A").answer(address(30, 1));
            scene.upstream
                    .when(q -> scene.upstream.count() > 1)
                    .reply(Reply.code(ResponseCode.SERVFAIL));
            final Query query = Scene.query(NAME, "A");
            scene.client.ask(query.checkingDisabled());
            scene.advanceSeconds(41);
            for (int i = 0; i < 3; i++) {
                assertThat(Scene.data(scene.client.ask(query.checkingDisabled()), "A"))
                        .containsExactly("192.0.2.1");
                assertThat(scene.client.ask(query).responseCode()).isEqualTo(ResponseCode.SERVFAIL);
            }
            assertThat(scene.upstream.count()).isEqualTo(3);
        }
    }

    @Test
    void b047AStaleNameErrorSaysSo() throws IOException {
        try (Scene scene = stale(Duration.ofSeconds(30))) {
            scene.upstream
                    .when(NAME, "A")
                    .reply(
                            Reply.nameError("test. 30 IN SOA a.test. b.test. 1 1 1 1 30"),
                            Reply.code(ResponseCode.SERVFAIL));
            scene.ask(NAME, "A");
            scene.advanceSeconds(31);
            for (int i = 0; i < 2; i++) {
                final DnsMessage response = scene.ask(NAME, "A");
                assertThat(response.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
                assertThat(response.extendedErrors())
                        .containsExactly(ExtendedError.STALE_NXDOMAIN_ANSWER.code());
            }
        }
    }

    @Test
    void b047WhoWaitsTooLongGetsTheStaleAnswer() throws Exception {
        final CountDownLatch release = new CountDownLatch(1);
        try (Scene scene = stale(Duration.ofMillis(50))) {
            scene.upstream
                    .when(NAME, "A")
                    .answer(address(30, 1))
                    .reply(Reply.answer(address(30, 2)).after(release));
            scene.ask(NAME, "A");
            scene.advanceSeconds(40);
            for (int i = 0;
                    i < 3;
                    i++) { // the first at the end of its patience, the others at once
                final DnsMessage response = scene.ask(NAME, "A");
                assertThat(Scene.data(response, "A")).containsExactly("192.0.2.1");
                assertThat(response.extendedErrors())
                        .containsExactly(ExtendedError.STALE_ANSWER.code());
            }
            assertThat(scene.upstream.count()).isEqualTo(2);
            release.countDown();
            Awaitility.await()
                    .until(() ->
                            Scene.data(scene.ask(NAME, "A"), "A").equals(List.of("192.0.2.2")));
            assertThat(scene.server.forwarder().waiting()).isZero();
        }
    }

    @Test
    void b047NothingIsStaleBeforeTrying() throws IOException {
        try (Scene scene = stale(Duration.ofSeconds(30))) {
            scene.upstream.when(NAME, "A").answer(address(30, 1)).answer(address(30, 2));
            scene.ask(NAME, "A");
            scene.advanceSeconds(31);
            final DnsMessage response = scene.ask(NAME, "A");
            assertThat(Scene.data(response, "A")).containsExactly("192.0.2.2");
            assertThat(response.extendedErrors()).isEmpty();
        }
    }

    @Test
    void b047BeforeTryingIfToldSo() throws IOException {
        try (Scene scene = stale(Duration.ZERO)) {
            scene.upstream.when(NAME, "A").answer(address(30, 1)).answer(address(30, 2));
            scene.ask(NAME, "A");
            scene.advanceSeconds(31);
            assertThat(Scene.data(scene.ask(NAME, "A"), "A")).containsExactly("192.0.2.1");
            Awaitility.await()
                    .until(() ->
                            Scene.data(scene.ask(NAME, "A"), "A").equals(List.of("192.0.2.2")));
        }
    }

    @Test
    void b047AnAgeHasAnEndAndServingStaleCanBeOff() throws IOException {
        for (int maxAge : new int[] {3_600, 0}) {
            try (Scene scene = Scene.open(c -> c.withCache(c.cache().withStale(maxAge, 30)))) {
                scene.upstream
                        .when(NAME, "A")
                        .answer(address(30, 1))
                        .reply(Reply.code(ResponseCode.SERVFAIL));
                scene.ask(NAME, "A");
                scene.advanceSeconds(maxAge == 0 ? 31 : 3_700);
                assertThat(scene.ask(NAME, "A").responseCode()).isEqualTo(ResponseCode.SERVFAIL);
            }
        }
    }

    private static Query from(String net) {
        return Scene.query(NAME, "A")
                .option(EdnsOption.clientSubnet(ClientSubnet.of(InetAddress.ofLiteral(net), 24)));
    }

    private static ClientSubnet subnet(ReceivedQuery query) {
        final byte[] data = TestServer.edns(query.message()).options().getFirst().data();
        return Objects.requireNonNull(ClientSubnet.parse(data, 0, data.length));
    }

    private static Reply tailored(int more) {
        return query -> {
            final ClientSubnet subnet = subnet(query);
            final int net = subnet.address().getAddress()[2] & 0xff;
            return Reply.answer(address(20, net + more))
                    .option(EdnsOption.clientSubnet(subnet.withScope(24)))
                    .to(query);
        };
    }

    @Test
    void b049() throws Exception {
        final CountDownLatch release = new CountDownLatch(1);
        try (Scene scene =
                Scene.renewing(c ->
                        c.withSubnets(
                                new SubnetPolicy(
                                        List.of(Name.of("example.test")), List.of(), 24, 56)))) {
            scene.upstream
                    .when(NAME, "A")
                    .reply(tailored(0), tailored(0), tailored(100).after(release));
            for (int net = 1; net <= 2; net++) {
                for (int i = 0; i < 8; i++) { // often, so that it counts as popular
                    scene.client.ask(from("198.51." + net + ".0"));
                }
            }
            scene.advanceSeconds(19);
            for (int i = 0; i < 5; i++) { // answered at once, one renewal in flight
                assertThat(Scene.data(scene.client.ask(from("198.51.1.0")), "A"))
                        .containsExactly("192.0.2.1");
            }
            scene.upstream.awaitCount(3);
            assertThat(subnet(scene.upstream.queries().get(2)))
                    .isEqualTo(ClientSubnet.of(InetAddress.ofLiteral("198.51.1.0"), 24));
            release.countDown();
            Awaitility.await()
                    .until(() ->
                            Scene.data(scene.client.ask(from("198.51.1.0")), "A")
                                    .equals(List.of("192.0.2.101")));
            assertThat(scene.upstream.count()).isEqualTo(3);
            assertThat(Scene.data(scene.client.ask(from("198.51.2.0")), "A"))
                    .containsExactly("192.0.2.2");
        }
    }

    @Test
    void b049ARenewalThatFailsIsNotTriedAgainAtOnce() throws IOException {
        try (Scene scene = Scene.renewing(c -> c)) {
            scene.upstream
                    .when(NAME, "A")
                    .answer(address(20, 1))
                    .reply(Reply.code(ResponseCode.SERVFAIL));
            for (int i = 0; i < 8; i++) {
                scene.ask(NAME, "A");
            }
            scene.advanceSeconds(19);
            final long start = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                assertThat(Scene.data(scene.ask(NAME, "A"), "A")).containsExactly("192.0.2.1");
            }
            final long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
            assertThat(scene.server.forwarder().renewed()).isBetween(1L, 1 + seconds);
        }
    }

    @Test
    void b049NobodyIsRenewedWhereItIsOff() throws IOException {
        try (Scene scene = Scene.open(c -> c.withCaching(c.caching().withRenewals(0)))) {
            scene.upstream.when(NAME, "A").answer(address(20, 1));
            for (int i = 0; i < 8; i++) {
                scene.ask(NAME, "A");
            }
            scene.advanceSeconds(19);
            for (int i = 0; i < 8; i++) {
                scene.ask(NAME, "A");
            }
            assertThat(scene.server.forwarder().renewed()).isZero();
            assertThat(scene.upstream.count()).isOne();
        }
    }

    @Test
    void b051() throws IOException {
        try (ScriptedUpstream one = ScriptedUpstream.start();
                ScriptedUpstream two = ScriptedUpstream.start();
                ScriptedUpstream three = ScriptedUpstream.start()) {
            final List<ScriptedUpstream> all = List.of(one, two, three);
            all.forEach(u -> u.otherwise().reply(Reply.code(ResponseCode.REFUSED)));
            final ManualClock clock = new ManualClock();
            try (Server server = Server.start(TestServer.configuration(one, two, three), clock)) {
                int attempts = 0;
                for (int wait : new int[] {1, 2, 4, 10, 20, 30, 30}) {
                    for (int i = 0; i < 100; i++) {
                        final DnsMessage response =
                                TestServer.client(server).ask(Scene.query(NAME, "A"));
                        assertThat(response.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
                        assertThat(response.extendedErrors())
                                .contains(ExtendedError.NO_REACHABLE_AUTHORITY.code());
                    }
                    attempts++;
                    for (ScriptedUpstream upstream : all) {
                        assertThat(upstream.count()).isEqualTo(attempts);
                    }
                    // not a moment earlier than the time that has grown
                    clock.advance(Duration.ofSeconds(wait).minusMillis(1));
                    TestServer.client(server).ask(Scene.query(NAME, "A"));
                    assertThat(one.count()).isEqualTo(attempts);
                    clock.advance(Duration.ofMillis(1_001));
                }
            }
        }
    }

    @Test
    void b051AllSilent() throws IOException {
        try (Scene scene =
                Scene.open(c ->
                        c.withResolving(
                                new Configuration.Resolving(Duration.ofMillis(500), 1_000)))) {
            scene.upstream.otherwise().reply(Reply.silence());
            for (int i = 0; i < 100; i++) {
                final DnsMessage response = scene.ask(NAME, "A");
                assertThat(response.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
                assertThat(response.extendedErrors()).isNotEmpty();
            }
            final int once = scene.upstream.count();
            assertThat(once).isBetween(1, 3);
            scene.advanceSeconds(2);
            scene.ask(NAME, "A");
            assertThat(scene.upstream.count()).isBetween(once + 1, once + 3);
        }
    }

    @Test
    void lifetimesOfAZoneHoldThereOnly() throws IOException {
        final CacheOptions options = CacheOptions.ofSize(1 << 20);
        final AnswerStore.Zone zone =
                new AnswerStore.Zone(Name.of("short.test"), options.withTtl(0, 60).bounds());
        try (Scene scene =
                Scene.open(c ->
                        c.withCaching(c.caching().withZones(List.of(zone)))
                                .withCache(c.cache().withMaxAnswerTtl(100)))) {
            for (String name : new String[] {"a.short.test", "a.long.test"}) {
                scene.upstream.when(name, "A").answer(name + ". 3600 IN A 192.0.2.1");
            }
            assertThat(Scene.ttl(scene.ask("a.short.test", "A"))).isEqualTo(60);
            assertThat(Scene.ttl(scene.ask("a.long.test", "A"))).isEqualTo(100);
            scene.advanceSeconds(3_550);
            assertThat(Scene.ttl(scene.ask("a.long.test", "A"))).isEqualTo(50);
            assertThat(scene.upstream.count("a.long.test", "A")).isOne();
        }
    }
}
