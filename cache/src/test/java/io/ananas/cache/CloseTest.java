package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.MessageView;
import io.ananas.message.Name;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache is closed while other threads are at work in it: none of them touches freed memory. */
@Timeout(120)
class CloseTest {
    private static final int NOW = 1_700_000_000;
    private static final int ROUNDS = 20;
    private static final int ENTRIES = 20_000;

    @TempDir private Path directory;

    private static Name name(int i) {
        return Name.of("name-" + i + ".example.");
    }

    private static MessageView answer(int i) {
        return Packets.addresses(name(i), 3_600, i << 8, 1 + i % 3);
    }

    private List<Work> works(AnswerCache cache) {
        return List.of(
                i -> cache.insert(answer(i), NOW),
                i -> cache.insert(answer(ENTRIES + i), NOW),
                i -> cache.sweep(NOW),
                i -> cache.list(Name.of("example."), true, 10, NOW),
                i -> cache.show(name(1), NOW),
                i -> cache.flush(name(2), true),
                i -> cache.stats(),
                i -> cache.resize(i % 2 == 0 ? 16 << 20 : 17 << 20, NOW),
                i -> cache.save(directory.resolve("snapshot"), NOW));
    }

    @Test
    void whoIsAtWorkFinishesOrIsToldThatItIsClosed() throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int round = 0; round < ROUNDS; round++) {
                final AnswerCache cache =
                        AnswerCache.open(CacheOptions.ofSize(17L << 20), new Random(round));
                for (int i = 0; i < ENTRIES; i++) {
                    cache.insert(answer(i), NOW);
                }
                final List<Work> works = works(cache);
                final CountDownLatch begun = new CountDownLatch(works.size());
                final List<Future<?>> ends = new ArrayList<>();
                for (Work work : works) {
                    ends.add(threads.submit(() -> untilClosed(work, begun)));
                }
                begun.await();
                cache.close();
                for (Future<?> end : ends) {
                    assertThatThrownBy(end::get)
                            .isInstanceOf(ExecutionException.class)
                            .hasCauseInstanceOf(CacheClosedException.class);
                }
            }
        }
    }

    private static Void untilClosed(Work work, CountDownLatch begun) throws Exception {
        work.once(1);
        begun.countDown();
        for (int i = 2; ; i++) {
            work.once(i);
        }
    }

    @Test
    void closingTwiceIsClosingOnce() {
        final AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(1 << 20), new Random(1));
        final CacheReader reader = cache.newReader();
        cache.close();
        cache.close();
        assertThat(reader).isNotNull();
        assertThatThrownBy(() -> cache.insert(answer(1), NOW))
                .isInstanceOf(CacheClosedException.class)
                .hasMessage("the cache is closed");
    }

    @FunctionalInterface
    private interface Work {
        void once(int number) throws Exception;
    }
}
