package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Readers and writers at once on a cache so small that every insertion evicts: no answer is ever
 * another name's, torn, or of a version that was not yet inserted. Every record of an answer
 * repeats the number of its name.
 */
class ConcurrencyTest {
    private static final int NOW = 1_700_000_000;
    private static final int NAMES = 30_000;
    private static final int INSERTIONS = 400_000;

    @Test
    void readersNeverSeeAWrongAnswer() throws Exception {
        final CacheOptions options = CacheOptions.ofSize(CacheOptions.MIN_SIZE);
        final AtomicBoolean done = new AtomicBoolean();
        try (AnswerCache cache = AnswerCache.open(options, new Random(9));
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            final List<Future<Long>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                final int seed = i;
                readers.add(threads.submit(() -> read(cache, seed, done)));
            }
            final List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                final int seed = 100 + i;
                writers.add(threads.submit(() -> write(cache, seed)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            done.set(true);
            for (Future<Long> reader : readers) {
                assertThat(reader.get()).as("hits").isPositive();
            }
            assertThat(cache.stats().evictions()).isPositive();
        }
    }

    private static void write(AnswerCache cache, int seed) {
        final Random random = new Random(seed);
        for (int i = 0; i < INSERTIONS / 2; i++) {
            final int number = random.nextInt(NAMES);
            final int count = 1 + random.nextInt(6);
            final int kind = random.nextInt(3);
            cache.insert(
                    kind == 0
                            ? Answers.numbered(name(number), number, count)
                            : Packets.addresses(name(number), 300, number << 8, count),
                    NOW);
        }
    }

    private static long read(AnswerCache cache, int seed, AtomicBoolean done) {
        final Random random = new Random(seed);
        long hits = 0;
        try (CacheReader reader = cache.newReader();
                Packets packets = new Packets()) {
            while (!done.get()) {
                final int number = random.nextInt(NAMES);
                final QueryView query =
                        packets.ask(name(number), RecordType.A, MessageLayout.RD, 1_232, true);
                final int octets = reader.lookup(query, NOW + 1, packets.replyAddress(), 1_232);
                if (octets > 0) {
                    hits++;
                    requireSound(packets.replyAddress(), octets, query, number);
                }
            }
        }
        return hits;
    }

    private static void requireSound(long reply, int octets, QueryView query, int number) {
        final byte[] response = new byte[octets];
        Memory.copyTo(reply, response, 0, octets);
        final io.ananas.message.MessageView view = Packets.parse(response, octets);
        assertThat(view.end()).isEqualTo(octets);
        assertThat(view.name(view.questionName())).isEqualTo(name(number));
        assertThat(view.questionEnd()).isEqualTo(query.questionEnd());
        for (int i = 0; i < view.endRecord(0); i++) {
            if (view.type(i) == RecordType.A) {
                final long address = Memory.getIntBE(reply + view.rdataOffset(i)) & 0xffff_ffffL;
                assertThat(address >>> 8).isEqualTo(number);
            }
        }
        assertThat(view.endRecord(0)).isPositive();
    }

    private static Name name(int number) {
        return Name.of("name-" + number + ".example.");
    }
}
