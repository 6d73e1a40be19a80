package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import io.ananas.testkit.Workload;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A million hits allocate nothing, one at a time and in batches, of the short form and the general
 * one.
 */
class HotPathTest {
    private static final int ENTRIES = 20_000;
    private static final int HITS = 1_000_000;
    private static final int BATCH = 32;
    private static final int NOW = Workload.CREATED;

    @Test
    void hitsAllocateNothing() {
        final CacheOptions options = CacheOptions.ofSize(8 << 20);
        try (AnswerCache cache = AnswerCache.open(options, new Random(1));
                CacheReader reader = cache.newReader();
                Arena arena = Arena.ofConfined()) {
            final Workload workload = new Workload();
            final byte[] response = new byte[1_200];
            final long queries = arena.allocate(ENTRIES * 96L, 8).address();
            for (int i = 0; i < ENTRIES; i++) {
                final int length = workload.generate(i).response(response);
                cache.insert(Packets.parse(response.clone(), length), NOW);
                workload.query(i & 0xffff, queries + i * 96L);
            }
            final Name alias = Name.of("alias.example.");
            assertThat(cache.insert(Answers.aliasChain(alias, 300), NOW))
                    .isEqualTo(Insertion.STORED);
            final Run run = new Run(reader, arena, queries);
            run.hits(HITS);
            final long before = allocated();
            final long hits = run.hits(HITS);
            final long octets = allocated() - before;
            assertThat(hits).isGreaterThanOrEqualTo(HITS);
            assertThat(octets).as("octets allocated in %d lookups", HITS).isLessThan(1_024);
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    private static final class Run {
        private final CacheReader reader;
        private final long queries;
        private final QueryView[] views = new QueryView[BATCH];
        private final long[] replies = new long[BATCH];
        private final int[] limits = new int[BATCH];
        private final int[] lengths = new int[BATCH];
        private final long alias;
        private final int aliasLength;

        Run(CacheReader reader, Arena arena, long queries) {
            this.reader = reader;
            this.queries = queries;
            for (int i = 0; i < BATCH; i++) {
                views[i] = new QueryView();
                replies[i] = arena.allocate(4_096, 8).address();
                limits[i] = 1_232;
            }
            try (Packets packets = new Packets()) {
                final QueryView asked =
                        packets.ask(
                                Name.of("alias.example."),
                                RecordType.A,
                                MessageLayout.RD,
                                1_232,
                                true);
                aliasLength = asked.length();
                alias = arena.allocate(512, 8).address();
                Memory.copy(asked.address(), alias, aliasLength);
            }
        }

        /** Half of them one at a time; every batch holds one answer with an alias. */
        long hits(int count) {
            long hits = 0;
            int entry = 0;
            for (int done = 0; done < count; done += 2 * BATCH) {
                for (int i = 0; i < BATCH; i++) {
                    entry = (entry + 7_919) % ENTRIES;
                    views[i].parse(queries + entry * 96L, 90);
                    hits += reader.lookup(views[i], NOW + 1, replies[0], 1_232) > 0 ? 1 : 0;
                }
                views[0].parse(alias, aliasLength);
                reader.lookupBatch(views, BATCH, NOW + 1, replies, limits, lengths);
                for (int i = 0; i < BATCH; i++) {
                    hits += lengths[i] > 0 ? 1 : 0;
                }
            }
            return hits;
        }
    }
}
