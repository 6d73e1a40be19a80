package io.ananas.benchmarks.ladder;

import io.ananas.benchmarks.measure.CacheMeasurement;
import io.ananas.cache.CacheOptions;
import io.ananas.cache.CacheStats;
import io.ananas.testkit.Workload;
import java.util.function.DoubleConsumer;

/** Measures steps 8 and 9: the cache itself. */
final class AnanasMeasurement implements StageMeasurement {
    /** The budget: so much that nothing is evicted, whatever the shards draw. */
    private static final double BUDGET_PER_ENTRY = 104.9;

    private static final int MEAN_ENTRY = 101;
    private static final long ROOM = 768 << 10;

    private final CacheMeasurement cache;

    AnanasMeasurement(int entries, boolean hugePages) {
        final long size =
                Math.max(CacheOptions.MIN_SIZE, (long) (BUDGET_PER_ENTRY * entries) + ROOM);
        cache =
                new CacheMeasurement(
                        entries,
                        CacheOptions.ofSize(size)
                                .withMeanEntry(MEAN_ENTRY)
                                .withRotate(false)
                                .withHugePages(hugePages));
    }

    @Override
    public Fill fill(DoubleConsumer progress) {
        final long nanos = cache.fill(progress);
        return new Fill(nanos, cache.allocated());
    }

    @Override
    public double nativeOctets() {
        final CacheStats stats = cache.cache().stats();
        if (stats.evictions() != 0) {
            throw new IllegalStateException(
                    "the cache evicted " + stats.evictions() + " entries; its budget is too small");
        }
        return stats.octetsPerEntry();
    }

    @Override
    public double lookup(Workload.Picks picks, int lookups) {
        final int warm = lookups / 4;
        try (CacheMeasurement.Stream stream = cache.stream(picks, warm + lookups)) {
            cache.lookup(stream, 0, warm);
            return (double) cache.lookup(stream, warm, warm + lookups) / lookups;
        }
    }

    @Override
    public double lookupBatches(Workload.Picks picks, int lookups) {
        final int warm = lookups / 4;
        try (CacheMeasurement.Stream stream = cache.stream(picks, warm + lookups)) {
            cache.lookupBatches(stream, 0, warm);
            return (double) cache.lookupBatches(stream, warm, warm + lookups) / lookups;
        }
    }

    @Override
    public String digest(int count) {
        return cache.digest(count);
    }

    @Override
    public void close() {
        cache.close();
    }
}
