package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.message.RecordType;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.Query;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Cases of the collection about the memory of the cache, and about its file. */
@Timeout(60)
class HandedMemoryTest {
    private static final long SMALL = 4 << 20;
    private static final String LONG_TEXT = " \"%0200d\"".formatted(0).repeat(4);
    private static final String NAME = "www.example.test";

    private static String address(int ttl, int last) {
        return "%s. %d IN A 192.0.2.%d".formatted(NAME, ttl, last);
    }

    /** With the slack that is stated: 2 % for what listeners work in. */
    private static void keepsTo(Scene scene, long limit) {
        assertThat(scene.server.cache().stats().size()).isEqualTo(limit);
        assertThat(scene.server.cache().stats().resident())
                .isLessThanOrEqualTo((long) (limit * 1.02));
    }

    @Test
    void b083() throws IOException {
        final List<String> services = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            services.add(
                    "big.example.test. 300 IN SRV 0 0 53 a-host-with-a-long-name-%04d.example-%d.test."
                            .formatted(i, i));
        }
        try (Scene scene =
                Scene.open(c ->
                        c.withCache(c.cache().withSize(SMALL))
                                .withAdmin(
                                        new Configuration.Admin(
                                                ConfigValues.admin("127.0.0.1:0"))))) {
            scene.upstream.when("big.example.test", "SRV").answer(services.toArray(String[]::new));
            scene.upstream
                    .when(q -> q.type() == RecordType.TXT)
                    .reply(q -> Reply.answer(q.name() + " 300 IN TXT " + LONG_TEXT).to(q));
            for (int i = 0; i < 8_000; i++) { // of 830 octets each
                scene.client.ask("n" + i + ".example.test", "TXT");
                if (i % 500 == 0) {
                    keepsTo(scene, SMALL);
                }
            }
            assertThat(scene.server.cache().stats().evictions()).isPositive();
            final long before = scene.server.cache().stats().entries();
            assertThat(limit(scene, "832KiB")).contains("limit 832 KiB");
            keepsTo(scene, 832 << 10);
            assertThat(scene.server.cache().stats().entries()).isBetween(1L, before / 5);
            for (int i = 0; i < 1_000; i++) {
                scene.client.ask("m" + i + ".example.test", "TXT");
                if (i % 100 == 0) {
                    keepsTo(scene, 832 << 10);
                }
            }
            for (int i = 0; i < 2; i++) {
                assertThat(scene.client.askOverTcp(Query.of("big.example.test", "SRV")).answer())
                        .hasSize(500);
            }
            assertThat(overUdp(scene)).as("large answers are cached").isOne();
            final long least = scene.server.cache().leastLimit();
            assertThat(limit(scene, String.valueOf(least))).startsWith("limit ");
            keepsTo(scene, least);
            final String[] texts = new String[120];
            Arrays.fill(texts, "huge.example.test. 300 IN TXT \"%0250d\"");
            for (int i = 0; i < texts.length; i++) {
                texts[i] = texts[i].formatted(i);
            }
            scene.upstream.when("huge.example.test", "TXT").answer(texts);
            for (int i = 0; i < 2; i++) {
                assertThat(scene.client.askOverTcp(Query.of("huge.example.test", "TXT")).answer())
                        .as("too large now, and given all the same")
                        .hasSize(120);
            }
            assertThat(cache(scene, "stats")).containsPattern("insertions too_large +2\\n");
            assertThat(limit(scene, "4MiB")).contains("limit 4 MiB");
            assertThat(limit(scene, "8MiB")).contains("found 8388608, expected ");
        }
    }

    private static long overUdp(Scene scene) {
        return scene.upstream.queries().stream()
                .filter(q -> q.type() == RecordType.SRV && !q.overTcp())
                .count();
    }

    private static String limit(Scene scene, String size) {
        return cache(scene, "limit", size);
    }

    /** What the command says, to the one stream or the other. */
    private static String cache(Scene scene, String... arguments) {
        final int port = Objects.requireNonNull(scene.server.adminAddress()).getPort();
        final List<String> all = new ArrayList<>(List.of("cache"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--admin", "127.0.0.1:" + port));
        final StringWriter said = new StringWriter();
        Main.commandLine()
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(said))
                .execute(all.toArray(String[]::new));
        return said.toString();
    }

    private static Server restarted(ScriptedUpstream upstream, Path file, ManualClock clock)
            throws Exception {
        final Configuration c = TestServer.configuration(upstream);
        final Server server =
                Server.start(
                        c.withCache(c.cache().withStale(0, 30))
                                .withCaching(c.caching().withSnapshot(file)),
                        clock);
        Objects.requireNonNull(server.snapshot()).awaitLoaded();
        return server;
    }

    @Test
    void b085(@TempDir Path directory) throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        for (int down : new int[] {30, 90, -3_600}) {
            final ManualClock clock = new ManualClock();
            Files.deleteIfExists(file);
            try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
                upstream.when(NAME, "A").answer(address(60, 1)).answer(address(60, 2));
                try (Server server = restarted(upstream, file, clock)) {
                    TestServer.client(server).ask(NAME, "A");
                    clock.advance(Duration.ofSeconds(10));
                }
                clock.advance(Duration.ofSeconds(down));
                try (Server server = restarted(upstream, file, clock)) {
                    final DnsMessage response = TestServer.client(server).ask(NAME, "A");
                    switch (down) {
                        case 30 -> assertThat(Scene.ttl(response)).isEqualTo(20);
                        case 90 ->
                                assertThat(Scene.data(response, "A")).containsExactly("192.0.2.2");
                        default -> assertThat(Scene.ttl(response)).isLessThanOrEqualTo(50);
                    }
                }
            }
        }
    }

    @Test
    void b085ADamagedFileIsNoReasonNotToStart(@TempDir Path directory) throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            upstream.when(NAME, "A").answer(address(60, 1));
            final ManualClock clock = new ManualClock();
            try (Server server = restarted(upstream, file, clock)) {
                TestServer.client(server).ask(NAME, "A");
            }
            final byte[] whole = Files.readAllBytes(file);
            final byte[] otherVersion = whole.clone();
            otherVersion[8]++;
            for (byte[] damaged :
                    List.of(Arrays.copyOf(whole, whole.length / 2), otherVersion, new byte[0])) {
                Files.write(file, damaged);
                final Logger logger = (Logger) LoggerFactory.getLogger(CacheSnapshot.class);
                final ListAppender<ILoggingEvent> lines = new ListAppender<>();
                lines.start();
                logger.addAppender(lines);
                try (Server server = restarted(upstream, file, clock)) {
                    logger.detachAppender(lines);
                    assertThat(lines.list)
                            .singleElement()
                            .satisfies(line -> {
                                assertThat(line.getLevel()).isEqualTo(Level.WARN);
                                assertThat(line.getFormattedMessage())
                                        .contains("is not used", "the cache starts empty")
                                        .doesNotContain("\n");
                            });
                    assertThat(server.cache().stats().entries()).isZero();
                    assertThat(TestServer.client(server).ask(NAME, "A").answer()).hasSize(1);
                }
            }
            assertThat(upstream.count()).isEqualTo(4);
        }
    }

    @Test
    void b085NobodyWaitsForTheFile(@TempDir Path directory) throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        final ManualClock clock = new ManualClock();
        try (Scene scene = Scene.open()) {
            scene.upstream.when(NAME, "A").answer(address(60, 1));
            scene.ask(NAME, "A");
            scene.server.cache().save(file, (int) clock.instant().getEpochSecond());
        }
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(4 << 20));
                Housekeeping housekeeping = new Housekeeping()) {
            final CacheSnapshot snapshot = new CacheSnapshot(cache, file, clock);
            synchronized (snapshot) { // as long as loading takes
                snapshot.start(Duration.ofMinutes(10), housekeeping);
                assertThat(cache.stats().entries()).isZero();
            }
            snapshot.awaitLoaded();
            assertThat(cache.stats().entries()).isOne();
        }
    }
}
