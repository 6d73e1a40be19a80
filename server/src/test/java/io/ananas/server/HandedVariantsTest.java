package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.ReceivedQuery;
import io.ananas.testkit.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cases of the collection about one name with several answers, or one answer for many askers. */
@Timeout(60)
class HandedVariantsTest {
    private static final String SIGNATURE =
            " 300 IN RRSIG A 8 2 300 20380101000000 20260101000000 1 secure.test. AAAA";

    private static Scene tailored(String... zones) throws IOException {
        return Scene.open(c ->
                c.withSubnets(
                        new SubnetPolicy(
                                List.of(zones).stream().map(Name::of).toList(),
                                List.of(),
                                SubnetPolicy.IPV4_PREFIX,
                                SubnetPolicy.IPV6_PREFIX)));
    }

    private static Query from(String name, String subnet) {
        final String[] parts = subnet.split("/", 2);
        final ClientSubnet option =
                ClientSubnet.of(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
        return Scene.query(name, "A").option(EdnsOption.clientSubnet(option));
    }

    private static ClientSubnet subnet(DnsMessage message) {
        final EdnsOption option = TestServer.edns(message).options().getFirst();
        assertThat(option.code()).isEqualTo(EdnsOption.CLIENT_SUBNET);
        final byte[] data = option.data();
        return Objects.requireNonNull(ClientSubnet.parse(data, 0, data.length));
    }

    private static boolean shows(ReceivedQuery query, String subnet) {
        return query.message().edns() != null
                && !TestServer.edns(query.message()).options().isEmpty()
                && (subnet(query.message()).address().getHostAddress()
                                + "/"
                                + subnet(query.message()).sourcePrefix())
                        .equals(subnet);
    }

    private static Predicate<ReceivedQuery> showing(String subnet) {
        return query -> shows(query, subnet);
    }

    /** The subnet in a response that has reasons besides. */
    private static ClientSubnet subnetOf(DnsMessage message) {
        final byte[] data =
                TestServer.edns(message).options().stream()
                        .filter(option -> option.code() == EdnsOption.CLIENT_SUBNET)
                        .findFirst()
                        .orElseThrow()
                        .data();
        return Objects.requireNonNull(ClientSubnet.parse(data, 0, data.length));
    }

    /** A reply with the query's own subnet, as good for its first {@code scope} bits. */
    private static Reply scoped(int scope, String... records) {
        return query ->
                Reply.answer(records)
                        .option(EdnsOption.clientSubnet(subnet(query.message()).withScope(scope)))
                        .to(query);
    }

    @Test
    void b033() throws IOException {
        try (Scene scene = tailored("a.test")) {
            scene.upstream
                    .when(q -> shows(q, "198.51.100.0/24"))
                    .reply(scoped(24, "www.a.test. 300 IN A 192.0.2.1"));
            scene.upstream
                    .when(q -> shows(q, "203.0.113.0/24") && q.name().equals(Name.of("www.a.test")))
                    .reply(scoped(24, "www.a.test. 300 IN CNAME a.other.test."));
            scene.upstream.when("a.other.test", "A").answer("a.other.test. 300 IN A 192.0.2.55");
            for (int i = 0; i < 2; i++) {
                final DnsMessage one = scene.client.ask(from("www.a.test", "203.0.113.9/32"));
                assertThat(Scene.data(one, "A")).containsExactly("192.0.2.55");
                assertThat(subnet(one).scopePrefix()).isEqualTo(24);
                final DnsMessage two = scene.client.ask(from("www.a.test", "198.51.100.9/32"));
                assertThat(Scene.data(two, "A")).containsExactly("192.0.2.1");
            }
            assertThat(scene.upstream.count("www.a.test", "A")).isEqualTo(2);
        }
    }

    @Test
    void b035() throws IOException {
        try (Scene scene = tailored("example.test")) {
            scene.upstream
                    .when(q -> shows(q, "0.0.0.0/0"))
                    .reply(scoped(0, "g.example.test. 300 IN A 192.0.2.10"));
            scene.upstream
                    .when(q -> shows(q, "127.0.0.0/24"))
                    .reply(scoped(24, "g.example.test. 300 IN A 192.0.2.11"));
            scene.upstream
                    .when("all.example.test", "A")
                    .reply(scoped(0, "all.example.test. 300 IN A 192.0.2.12"));
            for (int i = 0; i < 2; i++) {
                assertThat(Scene.data(scene.client.ask(from("g.example.test", "0.0.0.0/0")), "A"))
                        .containsExactly("192.0.2.10");
                assertThat(Scene.data(scene.client.ask(from("g.example.test", "::/0")), "A"))
                        .containsExactly("192.0.2.10");
                assertThat(Scene.data(scene.ask("g.example.test", "A"), "A"))
                        .containsExactly("192.0.2.11");
            }
            assertThat(scene.upstream.count()).isEqualTo(2);
            scene.client.ask(from("all.example.test", "203.0.113.9/32"));
            for (Query query :
                    List.of(
                            from("all.example.test", "198.51.100.9/32"),
                            from("all.example.test", "0.0.0.0/0"),
                            Query.of("all.example.test", "A"))) {
                assertThat(Scene.data(scene.client.ask(query), "A")).containsExactly("192.0.2.12");
            }
            assertThat(scene.upstream.count()).isEqualTo(3);
        }
    }

    /** RFC 8767 for tailored answers: each net has its own stale one. */
    @Test
    void b035StaleAnswersAreForTheirNet() throws Exception {
        for (boolean silent : new boolean[] {false, true}) {
            final CountDownLatch release = new CountDownLatch(1);
            try (Scene scene =
                    Scene.open(c ->
                            c.withSubnets(
                                            new SubnetPolicy(
                                                    List.of(Name.of("example.test")),
                                                    List.of(),
                                                    SubnetPolicy.IPV4_PREFIX,
                                                    SubnetPolicy.IPV6_PREFIX))
                                    .withCaching(
                                            c.caching()
                                                    .withClientTimeout(Duration.ofMillis(50))))) {
                final String name = "g.example.test";
                final Reply broken = Reply.code(ResponseCode.SERVFAIL);
                final Reply later = silent ? broken.after(release) : broken;
                for (int net = 1; net <= 2; net++) {
                    scene.upstream
                            .when(showing("198.51." + net + ".0/24"))
                            .reply(scoped(24, name + ". 30 IN A 192.0.2." + net), later);
                    scene.client.ask(from(name, "198.51." + net + ".0/24"));
                }
                scene.advanceSeconds(40);
                for (int i = 0; i < 4; i++) {
                    final int net = 1 + i % 2;
                    final DnsMessage stale =
                            scene.client.ask(from(name, "198.51." + net + ".7/32"));
                    assertThat(Scene.data(stale, "A")).containsExactly("192.0.2." + net);
                    assertThat(Scene.ttl(stale)).isEqualTo(30);
                    assertThat(stale.extendedErrors())
                            .containsExactly(ExtendedError.STALE_ANSWER.code());
                    assertThat(subnetOf(stale).scopePrefix()).isEqualTo(24);
                }
                assertThat(scene.client.ask(from(name, "198.51.3.7/32")).answer()).isEmpty();
                release.countDown();
            }
        }
    }

    /** What was not checked is for who does not check, for his own net only, and is kept. */
    @Test
    void b035UncheckedAnswersForANetAreKeptApart() throws IOException {
        final String name = "g.example.test";
        try (Scene scene = tailored("example.test")) {
            for (int net = 1; net <= 2; net++) {
                final String subnet = "198.51." + net + ".0/24";
                final int last = net;
                scene.upstream
                        .when(q -> shows(q, subnet) && q.message().has(MessageLayout.CD))
                        .reply(scoped(24, name + ". 300 IN A 192.0.2." + last));
                scene.upstream
                        .when(q -> shows(q, subnet) && !q.message().has(MessageLayout.CD))
                        .reply(scoped(24, name + ". 300 IN A 192.0.2.10" + last));
            }
            for (int i = 0; i < 2; i++) {
                for (int net = 1; net <= 2; net++) {
                    final Query query = from(name, "198.51." + net + ".9/32");
                    final DnsMessage unchecked = scene.client.ask(query.checkingDisabled());
                    assertThat(Scene.data(unchecked, "A")).containsExactly("192.0.2." + net);
                    assertThat(subnet(unchecked).scopePrefix()).isEqualTo(24);
                }
            }
            assertThat(scene.upstream.count()).isEqualTo(2);
            for (int i = 0; i < 2; i++) {
                for (int net = 1; net <= 2; net++) {
                    final Query query = from(name, "198.51." + net + ".9/32");
                    assertThat(Scene.data(scene.client.ask(query), "A"))
                            .containsExactly("192.0.2.10" + net);
                }
            }
            assertThat(scene.upstream.count()).isEqualTo(4);
        }
    }

    @Test
    void b037() throws IOException {
        final String name = "n.example.test";
        final String[] nets = {
            "203.0.112.0/22", "203.0.112.0/24", "2001:db8:1200::/40", "2001:db8:1200::/56"
        };
        try (Scene scene = tailored(".")) {
            scene.upstream
                    .when(q -> shows(q, "203.0.112.0/24"))
                    .reply(scoped(24, name + ". 300 IN A 192.0.2.1"));
            scene.upstream
                    .when(q -> shows(q, "203.0.114.0/24"))
                    .reply(scoped(22, name + ". 300 IN A 192.0.2.0"));
            scene.upstream
                    .when(q -> shows(q, "2001:db8:1200:0:0:0:0:0/56"))
                    .reply(scoped(56, name + ". 300 IN A 192.0.2.3"));
            scene.upstream
                    .when(q -> shows(q, "2001:db8:12ff:0:0:0:0:0/56"))
                    .reply(scoped(40, name + ". 300 IN A 192.0.2.2"));
            final String[] askers = {
                "203.0.114.1/32", "203.0.112.1/32", "2001:db8:12ff::1/128", "2001:db8:1200::1/128"
            };
            // the narrower first, for the wider would answer it
            for (int i : new int[] {1, 0, 3, 2}) {
                scene.client.ask(from(name, askers[i]));
            }
            assertThat(scene.upstream.count()).isEqualTo(4);
            for (int i = 0; i < askers.length; i++) {
                assertThat(Scene.data(scene.client.ask(from(name, askers[i])), "A"))
                        .containsExactly("192.0.2." + i);
            }
            assertThat(scene.upstream.count()).isEqualTo(4);
            final int now = (int) scene.clock.instant().getEpochSecond();
            assertThat(scene.server.cache().list(Name.of(name), false, 10, now))
                    .extracting(answer -> answer.subnet().replace(":0:0:0:0:0/", "::/"))
                    .containsExactlyInAnyOrder(nets);
            // four answers, and the note of which prefixes there are
            assertThat(scene.server.cache().flush(Name.of(name), false)).isGreaterThanOrEqualTo(4);
            scene.client.ask(from(name, askers[1]));
            assertThat(scene.upstream.count()).isEqualTo(5);
        }
    }

    @Test
    void b037MalformedSubnetsAreFormatErrors() throws IOException {
        try (Scene scene = tailored(".")) {
            final byte[][] malformed = {
                {0, 1, 23, 0, (byte) 203, 0, 113}, // bits beyond the prefix
                {0, 1, 24, 0, (byte) 203, 0}, // too few octets
                {0, 1, 24, 0, (byte) 203, 0, 112, 0}, // too many
                {0, 3, 24, 0, (byte) 203, 0, 112}, // no such family
                {0, 1, 33, 0, 1, 2, 3, 4, 0}
            };
            for (byte[] option : malformed) {
                final Query query =
                        Scene.query("n.example.test", "A")
                                .option(EdnsOption.of(EdnsOption.CLIENT_SUBNET, option));
                assertThat(scene.client.ask(query).responseCode()).isEqualTo(ResponseCode.FORMERR);
            }
            assertThat(scene.upstream.count()).isZero();
        }
    }

    @Test
    void b037NothingIsToldUnlessConfigured() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream.when("n.example.test", "A").answer("n.example.test. 300 IN A 192.0.2.1");
            final DnsMessage response = scene.client.ask(from("n.example.test", "203.0.113.9/32"));
            assertThat(TestServer.edns(response).options()).isEmpty();
            final Edns sent = TestServer.edns(scene.upstream.queries().getFirst().message());
            assertThat(sent.options()).isEmpty();
        }
    }

    @Test
    void b039() throws IOException {
        for (boolean uncheckedFirst : new boolean[] {true, false}) {
            try (Scene scene = Scene.open()) {
                scene.upstream
                        .when(q -> q.message().has(MessageLayout.CD))
                        .answer("bogus.example.test. 300 IN A 192.0.2.66");
                scene.upstream
                        .when(q -> !q.message().has(MessageLayout.CD))
                        .reply(Reply.code(ResponseCode.SERVFAIL));
                final Query checked = Scene.query("bogus.example.test", "A");
                for (int i = 0; i < 4; i++) {
                    final boolean unchecked = (i % 2 == 0) == uncheckedFirst;
                    final DnsMessage response =
                            scene.client.ask(unchecked ? checked.checkingDisabled() : checked);
                    assertThat(response.responseCode())
                            .isEqualTo(unchecked ? ResponseCode.NOERROR : ResponseCode.SERVFAIL);
                }
                assertThat(scene.upstream.count()).isEqualTo(2);
            }
        }
    }

    @Test
    void b041() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("secure.test", "A")
                    .answer("secure.test. 300 IN A 192.0.2.1", "secure.test." + SIGNATURE);
            scene.upstream.when("secure.test", "RRSIG").answer("secure.test." + SIGNATURE);
            scene.upstream.when("unsigned.test", "A").answer("unsigned.test. 300 IN A 192.0.2.2");
            final Query plain = Scene.query("secure.test", "A");
            assertThat(scene.client.ask(plain).answer()).hasSize(1);
            assertThat(scene.client.ask(plain.dnssecOk()).answer()).hasSize(2);
            assertThat(scene.client.ask(plain).answer()).hasSize(1);
            for (int i = 0; i < 2; i++) {
                final Query unsigned = Scene.query("unsigned.test", "A").dnssecOk();
                assertThat(scene.client.ask(unsigned).answer()).hasSize(1);
                assertThat(scene.ask("secure.test", "RRSIG").answer()).hasSize(1);
            }
            assertThat(scene.upstream.count()).isEqualTo(3);
        }
    }

    @Test
    void b053() throws IOException {
        final EdnsOption upstreams = EdnsOption.of(EdnsOption.COOKIE, new byte[24]);
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("www.example.test", "A")
                    .reply(Reply.answer("www.example.test. 300 IN A 192.0.2.1").option(upstreams));
            for (int length : new int[] {8, 8, 0, 24}) {
                final Query query = Scene.query("www.example.test", "A");
                final DnsMessage response =
                        scene.client.ask(
                                length == 0
                                        ? query
                                        : query.option(
                                                EdnsOption.of(
                                                        EdnsOption.COOKIE, new byte[length])));
                assertThat(response.answer()).hasSize(1);
                assertThat(TestServer.edns(response).options()).isEmpty();
            }
            final Query malformed =
                    Scene.query("www.example.test", "A")
                            .option(EdnsOption.of(EdnsOption.COOKIE, new byte[7]));
            assertThat(scene.client.ask(malformed).responseCode()).isEqualTo(ResponseCode.FORMERR);
        }
    }
}
