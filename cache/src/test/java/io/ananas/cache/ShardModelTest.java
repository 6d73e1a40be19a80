package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A small cache under random insertions, replacements and evictions against a map: what is found is
 * what was inserted last, never an older version, never another name's; and the shard's books are
 * right.
 */
class ShardModelTest {
    private static final int NOW = 1_700_000_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 24, 200})
    void findsTheLatestOrNothing(int meanEntry) {
        for (long seed = 1; seed <= 3; seed++) {
            run(seed, meanEntry);
        }
    }

    private static void run(long seed, int meanEntry) {
        final Random random = new Random(seed);
        final CacheOptions options =
                CacheOptions.ofSize(CacheOptions.MIN_SIZE)
                        .withMeanEntry(meanEntry)
                        .withRotate(false);
        final Map<Name, Integer> model = new HashMap<>();
        int lost = 0;
        int found = 0;
        try (AnswerCache cache = AnswerCache.open(options, random);
                CacheReader reader = cache.newReader();
                Packets packets = new Packets()) {
            final int names = 1 + random.nextInt(40_000);
            for (int step = 0; step < 60_000; step++) {
                final Name name = Name.of("n" + random.nextInt(names) + ".example.");
                if (random.nextInt(3) > 0) {
                    final int version = step << 8;
                    final Insertion insertion =
                            cache.insert(
                                    Packets.addresses(name, 300, version, 1 + random.nextInt(6)),
                                    NOW);
                    assertThat(insertion.isCached()).as("seed %d step %d", seed, step).isTrue();
                    model.put(name, version);
                } else {
                    final int address = packets.firstAddress(reader, name, NOW + 1);
                    if (address == -1) {
                        lost += model.containsKey(name) ? 1 : 0;
                    } else {
                        found++;
                        assertThat(address)
                                .as("seed %d step %d %s", seed, step, name)
                                .isEqualTo(model.get(name));
                    }
                }
            }
            final CacheStats stats = cache.stats();
            assertThat(stats.logOctets() + stats.indexOctets()).isLessThanOrEqualTo(options.size());
            assertThat(stats.entryOctets()).isLessThanOrEqualTo(stats.logOctets());
            final long reachable =
                    model.entrySet().stream()
                            .filter(e ->
                                    packets.firstAddress(reader, e.getKey(), NOW) == e.getValue())
                            .count();
            assertThat(stats.entries()).as("seed %d", seed).isEqualTo(reachable);
            assertThat(found).isPositive();
            if (stats.evictions() == 0) {
                assertThat(lost).as("seed %d: nothing evicted, so nothing lost", seed).isZero();
            }
        }
    }

    /**
     * Traffic that lets the small queue grow (names come back some time after they left it), then
     * traffic that lets it shrink (the same names over and over among new ones), in turn; with
     * lengths of all kinds.
     */
    @Test
    void theBorderMovesBothWays() {
        for (long seed = 1; seed <= 4; seed++) {
            final Random random = new Random(seed);
            final CacheOptions options =
                    CacheOptions.ofSize(CacheOptions.MIN_SIZE).withRotate(false);
            final Map<Name, Integer> model = new HashMap<>();
            try (AnswerCache cache = AnswerCache.open(options, random);
                    CacheReader reader = cache.newReader();
                    Packets packets = new Packets()) {
                int fresh = 0;
                for (int step = 0; step < 240_000; step++) {
                    final boolean recent = step / 40_000 % 2 == 0;
                    final int back = recent ? 2_000 + random.nextInt(6_000) : 0;
                    final int key =
                            random.nextInt(3) == 0
                                    ? ++fresh
                                    : recent ? Math.max(0, fresh - back) : random.nextInt(4_000);
                    final Name name = Name.of("b" + key + ".example.");
                    final int address = packets.firstAddress(reader, name, NOW + 1);
                    if (address != -1) {
                        assertThat(address)
                                .as("seed %d step %d", seed, step)
                                .isEqualTo(model.get(name));
                        continue;
                    }
                    final int version = step << 8;
                    cache.insert(Packets.addresses(name, 300, version, 1 + random.nextInt(6)), NOW);
                    model.put(name, version);
                }
                final CacheStats stats = cache.stats();
                final long reachable =
                        model.entrySet().stream()
                                .filter(e ->
                                        packets.firstAddress(reader, e.getKey(), NOW)
                                                == e.getValue())
                                .count();
                assertThat(stats.entries()).as("seed %d", seed).isEqualTo(reachable);
                assertThat(stats.entryOctets()).isLessThanOrEqualTo(stats.logOctets());
            }
        }
    }

    /** Large answers among small ones, some asked for again: the books stay right. */
    @Test
    void largeAnswersInASmallCache() {
        for (int seed = 31; seed <= 60; seed++) {
            final Random random = new Random(seed);
            final long size = (1L << 20) + random.nextInt(3 << 20);
            final CacheOptions options =
                    CacheOptions.ofSize(size)
                            .withMeanEntry(random.nextBoolean() ? 0 : 80)
                            .withRotate(false);
            try (AnswerCache cache = AnswerCache.open(options, random);
                    CacheReader reader = cache.newReader();
                    Packets packets = new Packets()) {
                final int oneIn = random.nextBoolean() ? 400 : 40;
                int fresh = 0;
                for (int step = 0; step < 60_000; step++) {
                    final int key =
                            random.nextInt(3) == 0
                                    ? ++fresh
                                    : step / 5_000 % 2 == 0
                                            ? random.nextInt(2_000)
                                            : random.nextInt(1 + fresh);
                    final Name name = Name.of("f" + key + ".example.");
                    final int now = NOW + step / 200;
                    if (packets.firstAddress(reader, name, now) != -1 && random.nextInt(8) > 0) {
                        continue;
                    }
                    if (random.nextInt(oneIn) == 0) {
                        final int octets = 1 + random.nextInt(oneIn == 400 ? 60_000 : 8_000);
                        cache.insert(
                                Packets.text(Name.of("t" + key + ".example."), 300, octets), now);
                    }
                    cache.insert(
                            Packets.addresses(name, 100, step << 8, 1 + random.nextInt(20)), now);
                }
                assertThat(cache.list(Name.of("."), true, Integer.MAX_VALUE, NOW))
                        .as("seed %d", seed)
                        .hasSize((int) cache.stats().entries());
            }
        }
    }
}
