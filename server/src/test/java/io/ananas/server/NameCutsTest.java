package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.Reply;
import io.ananas.testkit.SignedZones;
import java.io.IOException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A name error answers for the names below it, where that is wanted (RFC 8020). */
@Timeout(60)
class NameCutsTest {
    private static final String SOA = "example.test. 60 IN SOA ns.test. a.test. 1 1 1 1 60";
    private static final String BELOW = "x.y.q.example.test";

    private static Configuration with(Configuration c, NameCuts.Trust trust) {
        return c.withCaching(c.caching().withCuts(trust));
    }

    private static Scene scene(NameCuts.Trust trust) throws IOException {
        final Scene scene = Scene.open(c -> with(c, trust));
        scene.upstream.whenWithin("example.test").reply(Reply.nameError(SOA));
        return scene;
    }

    @Test
    void coversOtherTypesAndAllBelow() throws IOException {
        try (Scene scene = scene(NameCuts.Trust.ALL)) {
            scene.ask("q.example.test", "A");
            scene.advanceSeconds(20);
            for (int round = 0; round < 2; round++) {
                for (String name : List.of("q.example.test", BELOW, "X.Q.example.TEST")) {
                    final DnsMessage response = scene.ask(name, "AAAA");
                    assertThat(response.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
                    assertThat(response.authority().getFirst().ttl()).isEqualTo(40);
                }
            }
            assertThat(scene.upstream.count()).isOne();
            assertThat(scene.server.cut()).isEqualTo(3);
            scene.ask("other.example.test", "A");
            assertThat(scene.upstream.count()).isEqualTo(2);
            scene.advanceSeconds(41);
            scene.ask(BELOW, "AAAA");
            assertThat(scene.upstream.count()).as("it ends with the denial").isEqualTo(3);
        }
    }

    @Test
    void isOffByDefault() throws IOException {
        assertThat(Configuration.defaults().caching().cuts()).isEqualTo(NameCuts.Trust.NONE);
        try (Scene scene = scene(NameCuts.Trust.NONE)) {
            scene.ask("q.example.test", "A");
            scene.ask(BELOW, "A");
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
    }

    @Test
    void whatAForwarderSaysIsNotValidated() throws IOException {
        try (Scene scene = scene(NameCuts.Trust.VALIDATED)) {
            scene.ask("q.example.test", "A");
            scene.ask(BELOW, "A");
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
    }

    @Test
    void neitherNoDataNorAliasesCount() throws IOException {
        try (Scene scene = scene(NameCuts.Trust.ALL)) {
            scene.upstream.when("q.example.test", "A").reply(Reply.noData(SOA));
            scene.upstream
                    .when("alias.example.test", "A")
                    .reply(
                            Reply.answer("alias.example.test. 60 IN CNAME nx.example.test.")
                                    .code(ResponseCode.NXDOMAIN)
                                    .authority(SOA));
            scene.ask("q.example.test", "A");
            scene.ask("alias.example.test", "A");
            scene.ask(BELOW, "A");
            scene.ask("x.alias.example.test", "A");
            assertThat(scene.upstream.count()).isEqualTo(4);
        }
    }

    @Test
    void anUncheckedOneIsForWhoDoesNotCheck() throws IOException {
        try (Scene scene = scene(NameCuts.Trust.ALL)) {
            scene.client.ask(Scene.query("q.example.test", "A").checkingDisabled());
            scene.client.ask(Scene.query(BELOW, "A").checkingDisabled());
            assertThat(scene.upstream.count()).isOne();
            scene.ask(BELOW, "A");
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
    }

    @Test
    void endsWithAFlush() throws IOException {
        try (Scene scene = scene(NameCuts.Trust.ALL)) {
            scene.ask("q.example.test", "A");
            scene.server.cache().flush(Name.of("q.example.test"), false);
            scene.ask(BELOW, "A");
            assertThat(scene.upstream.count()).isEqualTo(2);
            scene.server.cache().flushNegatives();
            scene.ask("z." + BELOW, "A");
            assertThat(scene.upstream.count()).isEqualTo(3);
        }
    }

    @Test
    void endsWithWhatIsFoundBelow() throws Exception {
        try (Scene scene = Scene.renewing(c -> with(c, NameCuts.Trust.ALL))) {
            scene.upstream.whenWithin("example.test").reply(Reply.nameError(SOA));
            scene.upstream.when(BELOW, "A").answer(BELOW + ". 20 IN A 192.0.2.1");
            for (int i = 0; i < 8; i++) {
                scene.ask(BELOW, "A"); // popular
            }
            scene.ask("q.example.test", "A");
            scene.ask("z.q.example.test", "A");
            assertThat(scene.upstream.count()).isEqualTo(2);
            scene.advanceSeconds(19);
            scene.ask(BELOW, "A"); // is renewed
            scene.upstream.awaitCount(3);
            Awaitility.await().until(() -> Scene.ttl(scene.ask(BELOW, "A")) == 20);
            scene.ask("zz.q.example.test", "A");
            assertThat(scene.upstream.count()).isEqualTo(4);
        }
    }

    /** Without the proofs of a zone (RFC 8198), so that nothing else could answer. */
    @Test
    void whatWasValidatedCounts() throws Exception {
        try (SignedZones zones = new SignedZones().signed("s.test").unsigned("u.test")) {
            final Configuration c =
                    TreeServer.configuration(zones.configuration() + "  aggressive-nsec: false\n");
            try (Server server =
                    Server.start(
                            with(c, NameCuts.Trust.VALIDATED), new ManualClock(SignedZones.NOW))) {
                for (String zone : List.of("s.test", "u.test")) {
                    TestServer.client(server).ask(Scene.query("q." + zone, "A"));
                    final int before = zones.server().count();
                    final DnsMessage below =
                            TestServer.client(server)
                                    .ask(Scene.query("x.q." + zone, "A").dnssecOk());
                    assertThat(below.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
                    final boolean signed = zone.equals("s.test");
                    assertThat(below.has(MessageLayout.AD)).isEqualTo(signed);
                    assertThat(zones.server().count() == before).isEqualTo(signed);
                }
            }
        }
    }
}
