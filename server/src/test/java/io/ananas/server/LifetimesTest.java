package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.cache.CacheOptions;
import io.ananas.cache.TtlBounds;
import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long answers are kept and what clients are told of it, by forwarders and by recursion. */
@Timeout(60)
class LifetimesTest {
    private static final String SOA = " IN SOA ns.test. a.test. 1 1 1 1 ";

    @Test
    void defaultsAreThoseThatAreDocumented() {
        final Configuration c = Configuration.defaults();
        assertThat(c.cache().bounds()).isEqualTo(new TtlBounds(0, 86_400, 0, 10_800));
        assertThat(c.cache().maxAnswerTtl()).isEqualTo(CacheOptions.MAX_TTL);
        assertThat(c.cache().stale().answerTtl()).isEqualTo(30);
        assertThat(c.cache().stale().maxAge()).isEqualTo(86_400);
        assertThat(c.cache().rotate()).isTrue();
        assertThat(c.caching().clientTimeout()).isEqualTo(Duration.ofMillis(1_800));
        assertThat(c.caching().renewals()).isEqualTo(100);
        assertThat(c.caching().snapshotInterval()).isEqualTo(Duration.ofMinutes(10));
        assertThat(c.caching().cuts()).isEqualTo(NameCuts.Trust.NONE);
        assertThat(c.subnets().isOn()).isFalse();
    }

    private static Configuration bounded(Configuration c) {
        final TtlBounds special = new TtlBounds(0, 5_000, 40, 9_000);
        return c.withCache(
                        c.cache().withTtl(20, 600).withNegativeTtl(10, 100).withMaxAnswerTtl(3_000))
                .withCaching(
                        c.caching()
                                .withZones(
                                        List.of(
                                                new AnswerStore.Zone(
                                                        Name.of("long.test"), special))));
    }

    private interface Asking {
        DnsMessage ask(String name) throws IOException;
    }

    /** Bounds of positive answers and of denials are apart, and so are those of a zone. */
    private static void check(Asking asking) throws IOException {
        assertThat(Scene.ttl(asking.ask("short.a.test"))).isEqualTo(20);
        assertThat(Scene.ttl(asking.ask("long.a.test"))).isEqualTo(600);
        assertThat(asking.ask("nx.a.test").authority().getFirst().ttl()).isEqualTo(100);
        assertThat(Scene.ttl(asking.ask("short.long.test"))).isEqualTo(5);
        assertThat(Scene.ttl(asking.ask("long.long.test"))).isEqualTo(3_000);
        assertThat(asking.ask("nx.long.test").authority().getFirst().ttl()).isEqualTo(3_000);
    }

    @Test
    void boundsHoldForForwardedAnswers() throws IOException {
        try (Scene scene = Scene.open(LifetimesTest::bounded)) {
            for (String zone : List.of("a.test", "long.test")) {
                scene.upstream
                        .when("short." + zone, "A")
                        .answer("short." + zone + ". 5 IN A 192.0.2.1");
                scene.upstream
                        .when("long." + zone, "A")
                        .answer("long." + zone + ". 70000 IN A 192.0.2.1");
                scene.upstream
                        .when("nx." + zone, "A")
                        .reply(Reply.nameError(zone + ". 8000" + SOA + "7000"));
            }
            check(name -> scene.ask(name, "A"));
            scene.advanceSeconds(4_000);
            assertThat(Scene.ttl(scene.ask("long.long.test", "A")))
                    .as("kept for 5,000 s, and shown as 3,000 at most")
                    .isEqualTo(1_000);
            assertThat(scene.upstream.count("long.long.test", "A")).isOne();
            assertThat(scene.ask("nx.long.test", "A").authority().getFirst().ttl())
                    .isEqualTo(1_000);
            assertThat(scene.upstream.count("nx.long.test", "A")).isOne();
        }
    }

    @Test
    void boundsHoldForAnswersByRecursion() throws IOException {
        try (World world = new World()) {
            for (String zone : List.of("a.test", "long.test")) {
                world.internet.zone(
                        zone,
                        zone.equals("a.test") ? 11 : 12,
                        zone + ". 8000" + SOA + "7000",
                        "short." + zone + ". 5 A 192.0.2.1",
                        "long." + zone + ". 70000 A 192.0.2.1");
            }
            world.with(LifetimesTest::bounded);
            check(name -> world.ask(name, "A"));
        }
    }

    /** RFC 8767, with the servers of the zone gone. */
    @Test
    void staleAnswersByRecursion() throws IOException {
        try (World world = new World()) {
            world.internet.zone("a.test", 11, "www.a.test. 60 A 192.0.2.1");
            world.resolver("timeout: 2s\n");
            world.answer("www.a.test", "A");
            world.internet.server(11).always(Reply.code(ResponseCode.SERVFAIL));
            world.advanceSeconds(100);
            for (int i = 0; i < 3; i++) {
                final DnsMessage stale = world.ask("www.a.test", "A");
                assertThat(Scene.data(stale, "A")).containsExactly("192.0.2.1");
                assertThat(Scene.ttl(stale)).isEqualTo(30);
                assertThat(stale.extendedErrors())
                        .containsExactly(ExtendedError.STALE_ANSWER.code());
            }
            world.advanceSeconds(90_000);
            assertThat(world.ask("www.a.test", "A").responseCode())
                    .isEqualTo(ResponseCode.SERVFAIL);
        }
    }

    @Test
    void renewalsKeepToTheirRate() {
        final long start = -5_000_000_000L; // nanoTime may be anything
        final RenewalBudget budget = new RenewalBudget(10, start);
        int taken = 0;
        for (int millis = 0; millis <= 5_000; millis++) {
            while (budget.take(start + millis * 1_000_000L)) {
                taken++;
            }
            assertThat(taken).isBetween(millis / 100, 11 + millis / 100);
        }
        assertThat(new RenewalBudget(0, start).take(start + 1)).isFalse();
    }
}
