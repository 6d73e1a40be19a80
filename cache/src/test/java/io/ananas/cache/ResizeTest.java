package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Name;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The budget of a cache that is in use becomes smaller, and larger again. */
class ResizeTest {
    private static final int NOW = 1_700_000_000;
    private static final long SIZE = 20L << 20;
    private static final long HALF = 10L << 20;

    /** What is kept for readers and writers in a cache of that size. */
    private static final long SET_ASIDE = 768 << 10;

    private static final long TENTH = 2L << 20;
    private static final int HOT = 1_000;

    private static Name name(int i) {
        return Name.of("name-" + i + ".example.");
    }

    private static void fill(AnswerCache cache, int from, int to) {
        for (int i = from; i < to; i++) {
            cache.insert(Packets.addresses(name(i), 3_600, i << 8, 1 + i % 3), NOW);
        }
    }

    private static int held(CacheReader reader, Packets packets, int from, int to) {
        int held = 0;
        for (int i = from; i < to; i++) {
            final int address = packets.firstAddress(reader, name(i), NOW);
            if (address != -1) {
                assertThat(address & 0xffff_ff00).isEqualTo(i << 8);
                held++;
            }
        }
        return held;
    }

    private static void keepsTo(AnswerCache cache, long limit) {
        assertThat(cache.limit()).isEqualTo(limit);
        assertThat(cache.stats().size()).isEqualTo(limit);
        assertThat(cache.stats().resident()).isLessThanOrEqualTo(limit);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hotAnswersStayAndTheLimitHolds(boolean hugePages) {
        final CacheOptions options = CacheOptions.ofSize(SIZE).withHugePages(hugePages);
        try (AnswerCache cache = AnswerCache.open(options, new Random(1));
                CacheReader reader = cache.newReader();
                Packets packets = new Packets()) {
            fill(cache, 0, 600_000);
            fill(cache, 0, HOT);
            held(reader, packets, 0, HOT);
            final int hot = held(reader, packets, 0, HOT);
            assertThat(hot).isGreaterThan(HOT * 9 / 10);
            assertThat(cache.stats().resident()).isGreaterThan(SIZE * 8 / 10);
            for (long limit : new long[] {HALF, TENTH}) {
                cache.resize(limit, NOW);
                keepsTo(cache, limit);
                assertThat(cache.stats().entryOctets()).isGreaterThan((limit - SET_ASIDE) * 3 / 4);
                assertThat(held(reader, packets, 0, HOT)).isGreaterThan(hot * 98 / 100);
            }
            for (int from = 2_000_000; from < 2_200_000; from += 50_000) {
                fill(cache, from, from + 50_000);
                keepsTo(cache, TENTH);
            }
            assertThat(cache.stats().evictions()).isPositive();
            final long entries = cache.stats().entries();
            cache.resize(SIZE, NOW);
            assertThat(cache.stats().entries()).isEqualTo(entries);
            fill(cache, 3_000_000, 3_600_000);
            keepsTo(cache, SIZE);
            assertThat(cache.stats().entryOctets()).isGreaterThan(SIZE * 7 / 10);
        }
    }

    @Test
    void anEmptyCacheMayBecomeSmallerToo() {
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(SIZE), new Random(1))) {
            cache.resize(cache.leastLimit(), NOW);
            fill(cache, 0, 100_000);
            keepsTo(cache, cache.leastLimit());
            cache.flushAll();
            cache.resize(SIZE, NOW);
            fill(cache, 0, 100_000);
            assertThat(cache.stats().entries()).isEqualTo(100_000);
        }
    }

    @Test
    void otherSizesAreRefused() {
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(SIZE), new Random(1))) {
            for (long wrong : new long[] {0, cache.leastLimit() - 1, SIZE + 1}) {
                assertThatThrownBy(() -> cache.resize(wrong, NOW))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("found " + wrong)
                        .hasMessageContaining("to " + SIZE);
            }
        }
    }

    /** Whatever is looked up meanwhile is right or missing; what is saved then is whole. */
    @Test
    void readersAndSnapshotsGoOn(@TempDir Path directory) throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        final AtomicBoolean done = new AtomicBoolean();
        final AtomicReference<Throwable> wrong = new AtomicReference<>();
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(SIZE), new Random(1));
                CacheReader reader = cache.newReader();
                Packets packets = new Packets()) {
            fill(cache, 0, 100_000);
            final Thread asking =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    while (!done.get()) {
                                        held(reader, packets, 0, 2_000);
                                    }
                                } catch (Throwable e) {
                                    wrong.set(e);
                                }
                            });
            final Thread saving =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    while (!done.get()) {
                                        cache.save(file, NOW);
                                    }
                                } catch (Throwable e) {
                                    wrong.set(e);
                                }
                            });
            for (int i = 0; i < 4; i++) {
                cache.resize(i % 2 == 0 ? TENTH : SIZE, NOW);
                fill(cache, i * 20_000, i * 20_000 + 20_000);
            }
            done.set(true);
            asking.join();
            saving.join();
            assertThat(wrong.get()).isNull();
            cache.save(file, NOW);
            try (AnswerCache after = AnswerCache.open(CacheOptions.ofSize(SIZE), new Random(2))) {
                assertThat(after.load(file, NOW)).isEqualTo(cache.stats().entries());
            }
        }
    }
}
