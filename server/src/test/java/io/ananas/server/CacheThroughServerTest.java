package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.cache.CacheStats;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.ReceivedQuery;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ReplyMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What must hold of any sequence of queries, seen from outside. */
@Timeout(120)
class CacheThroughServerTest {
    private static final int NAMES = 40;
    private static final String[] TYPES = {"A", "AAAA", "TXT", "MX"};

    /** An answer that only belongs to one name and type: both stand in its data. */
    private static ReplyMessage answer(Name name, int type, int ttl) {
        final String owner = name.toString().toLowerCase(Locale.ROOT);
        final int mark = Math.floorMod(31 * owner.hashCode() + type, 250);
        final String data =
                switch (RecordType.text(type)) {
                    case "A" -> "192.0.2." + mark;
                    case "AAAA" -> "2001:db8::" + Integer.toHexString(mark);
                    case "TXT" -> "\"" + owner + "\"";
                    default -> mark + " mx." + owner;
                };
        return Reply.answer("%s %d IN %s %s".formatted(owner, ttl, RecordType.text(type), data));
    }

    private static String randomCase(String name, Random random) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            final char c = name.charAt(i);
            text.append(random.nextBoolean() ? Character.toUpperCase(c) : c);
        }
        return text.toString();
    }

    private static Query random(Random random) {
        Query query =
                Query.of(
                        randomCase("n" + random.nextInt(NAMES) + ".example.test", random),
                        TYPES[random.nextInt(TYPES.length)]);
        if (random.nextBoolean()) {
            query = query.payloadSize(1_232);
        }
        if (random.nextInt(3) == 0) {
            query = query.dnssecOk();
        }
        return random.nextInt(4) == 0 ? query.checkingDisabled() : query;
    }

    @Test
    void noAnswerIsForAnotherKey() throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            final Random random = new Random(seed);
            try (Scene scene = Scene.open()) {
                scene.upstream.otherwise().reply(q -> answer(q.name(), q.type(), 30).to(q));
                for (int i = 0; i < 2_000; i++) {
                    final Query query = random(random);
                    final DnsMessage response = scene.client.ask(query);
                    final Name name = query.question().name();
                    final DnsMessage expected =
                            parsed(answer(name, query.question().type(), 30), query);
                    assertThat(response.answer()).as("seed %d, %s", seed, query).hasSize(1);
                    assertThat(response.answer().getFirst().withTtl(30))
                            .as("seed %d, %s", seed, query)
                            .isEqualTo(expected.answer().getFirst());
                    if (random.nextInt(10) == 0) {
                        scene.advanceSeconds(random.nextInt(20));
                    }
                }
            }
        }
    }

    private static DnsMessage parsed(ReplyMessage reply, Query query) {
        return new DnsMessage(
                query.id(),
                0,
                ResponseCode.NOERROR,
                query.question(),
                reply.answer(),
                reply.authority(),
                reply.additional(),
                null);
    }

    /** Between two fetches of a question the time at which its answer ends never moves back. */
    @Test
    void noTtlRises() throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            final Random random = new Random(seed);
            final Random ttls = new Random(seed);
            try (Scene scene = Scene.open(c -> c.withCaching(c.caching().withRenewals(0)))) {
                scene.upstream
                        .otherwise()
                        .reply(q -> {
                            synchronized (ttls) {
                                return answer(q.name(), q.type(), ttls.nextInt(100)).to(q);
                            }
                        });
                final Map<String, Long> ends = new HashMap<>();
                final Map<String, Integer> fetches = new HashMap<>();
                for (int i = 0; i < 2_000; i++) {
                    final Query query = random(random);
                    final String key = query.question().toString().toLowerCase(Locale.ROOT);
                    final DnsMessage response = scene.client.ask(query);
                    final long end = scene.clock.instant().getEpochSecond() + Scene.ttl(response);
                    final int fetched = fetches(scene, query);
                    if (fetches.getOrDefault(key, 0) == fetched) {
                        assertThat(end)
                                .as("seed %d, %s", seed, query)
                                .isLessThanOrEqualTo(ends.getOrDefault(key, 0L));
                    }
                    ends.merge(key, end, Math::max);
                    fetches.put(key, fetched);
                    if (random.nextInt(5) == 0) {
                        scene.advance(Duration.ofMillis(random.nextInt(8_000)));
                    }
                }
            }
        }
    }

    private static int fetches(Scene scene, Query query) {
        return (int)
                scene.upstream.queries().stream()
                        .filter((ReceivedQuery q) ->
                                q.type() == query.question().type()
                                        && q.name().equals(query.question().name()))
                        .count();
    }

    /**
     * What comes in ten times the capacity, each name once, does not drive out what is asked often.
     */
    @Test
    void aFloodOfNamesLeavesTheHotSet() throws IOException {
        final double quiet = hotHitRatio(false);
        final double flooded = hotHitRatio(true);
        assertThat(flooded).isGreaterThan(quiet - 0.05);
    }

    private static double hotHitRatio(boolean flood) throws IOException {
        final String text = " \"%0200d\"".formatted(0).repeat(4);
        final int names = 10 * 900; // of 830 octets each, and 512 KiB to hold them
        try (Scene scene = Scene.open(c -> c.withCache(c.cache().withSize(1 << 20)))) {
            scene.upstream
                    .otherwise()
                    .reply(q -> Reply.answer(q.name() + " 86400 IN TXT" + text).to(q));
            final Random random = new Random(1);
            long resident = 0;
            int hot = 0;
            for (int i = 0; i < names; i++) {
                if (flood) {
                    scene.client.ask("flood" + i + ".example.test", "TXT");
                }
                scene.client.ask("hot" + random.nextInt(50) + ".example.test", "TXT");
                hot++;
                if (i == names / 5) {
                    resident = residentAnswers(scene);
                }
            }
            assertThat(residentAnswers(scene)).isLessThanOrEqualTo((long) (1.02 * resident));
            if (flood) {
                assertThat(scene.server.cache().stats().evictions()).isGreaterThan(names / 2);
            }
            final long misses =
                    scene.upstream.queries().stream()
                            .filter(q -> q.name().toString().startsWith("hot"))
                            .count();
            return 1 - (double) misses / hot;
        }
    }

    /** Without what readers work in: one more of them is 5 % of so small a cache. */
    private static long residentAnswers(Scene scene) {
        final CacheStats stats = scene.server.cache().stats();
        return stats.resident() - stats.scratch();
    }
}
