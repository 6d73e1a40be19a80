package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.testkit.Workload;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The budget is kept whatever is inserted, and an entry of the reference workload costs what was
 * promised.
 */
class BudgetTest {
    private static final int NOW = Workload.CREATED;
    private static final long SIZE = 32L << 20;

    /** What to fill the cache with. */
    enum Filling {
        WORKLOAD(700_000),
        TEXT_OF_4_KIB(20_000),
        ANSWERS_OF_30_000_OCTETS(4_000),
        ONE_ADDRESS(2_000_000);

        private final int count;

        Filling(int count) {
            this.count = count;
        }

        MessageView answer(int i) {
            return switch (this) {
                case WORKLOAD -> workload(i);
                case TEXT_OF_4_KIB -> Packets.text(host(i), 300, 4_096);
                case ANSWERS_OF_30_000_OCTETS -> Packets.text(host(i), 300, 30_000);
                case ONE_ADDRESS -> Packets.addresses(host(i), 300, i, 1);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void residentMemoryNeverPassesTheBudget(Filling filling) {
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(SIZE), new Random(1))) {
            final int checks = 8;
            for (int i = 0; i < filling.count; i++) {
                assertThat(cache.insert(filling.answer(i), NOW)).isEqualTo(Insertion.STORED);
                if (i % (filling.count / checks) == 0) {
                    assertThat(cache.stats().resident()).isLessThanOrEqualTo(SIZE);
                }
            }
            final CacheStats stats = cache.stats();
            assertThat(stats.resident()).isLessThanOrEqualTo(SIZE);
            assertThat(stats.evictions()).as("the filling is larger than the cache").isPositive();
            assertThat(stats.entryOctets() + stats.indexOctets())
                    .as("the budget is used, not only kept")
                    .isGreaterThan(SIZE * 85 / 100);
        }
    }

    @Test
    void anEntryOfTheWorkloadCostsAtMost106Octets() {
        final int entries = 1_000_000;
        final CacheOptions options = CacheOptions.ofSize(entries * 106L).withMeanEntry(101);
        try (AnswerCache cache = AnswerCache.open(options, new Random(1))) {
            for (int i = 0; i < entries; i++) {
                cache.insert(workload(i), NOW);
            }
            final CacheStats stats = cache.stats();
            assertThat(stats.entries()).isEqualTo(entries);
            assertThat(cache.entries()).isEqualTo(entries);
            assertThat(stats.octetsPerEntry()).isLessThanOrEqualTo(106);
            assertThat((double) stats.resident() / entries).isLessThanOrEqualTo(106);
            assertThat((double) stats.resident() / entries / stats.octetsPerEntry())
                    .as("resident memory against the cache's own count")
                    .isBetween(0.95, 1.05);
        }
    }

    private static MessageView workload(int i) {
        final byte[] response = new byte[1_200];
        return Packets.parse(response, new Workload().generate(i).response(response));
    }

    private static Name host(int i) {
        return Name.of("host" + i + ".example.");
    }
}
