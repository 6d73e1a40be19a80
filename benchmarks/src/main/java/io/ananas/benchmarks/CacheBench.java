package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.CacheMeasurement;
import io.ananas.benchmarks.measure.Progress;
import io.ananas.benchmarks.measure.Spread;
import io.ananas.cache.CacheOptions;
import io.ananas.cache.CacheStats;
import io.ananas.testkit.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The measurement behind {@code bench cache}: first the smallest budget that holds all entries is
 * looked for, which warms the code up as well; then whole runs follow, each with a cache of its
 * own, and of each quantity the median and the extremes are told.
 */
final class CacheBench {
    private static final double GENEROUS = 1.25;
    private static final double STEP = 1.005;
    private static final double MOST = 2;
    static final int MEAN_ENTRY = 101;
    private static final int WARM_UP_ROUNDS = 3;

    private final int entries;
    private final int lookups;
    private final int runs;
    private final boolean hugePages;
    private final Progress progress;

    private record Run(
            CacheStats stats,
            double rss,
            double inserts,
            double uniform,
            double zipf,
            double uniformBatch,
            double zipfBatch) {}

    CacheBench(int entries, int lookups, int runs, boolean hugePages, Progress progress) {
        this.entries = entries;
        this.lookups = lookups;
        this.runs = runs;
        this.hugePages = hugePages;
        this.progress = progress;
    }

    /** Parts of a progress bar that the work has. */
    static int parts(int runs) {
        return runs + 1;
    }

    CacheFigures measure() {
        final CacheOptions options = smallest();
        warmUp(options);
        final List<Run> all = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            progress.next("run " + (i + 1) + " of " + runs);
            all.add(run(options));
        }
        return figures(options, all);
    }

    private CacheOptions options(double bytesPerEntry) {
        final long size = Math.max(CacheOptions.MIN_SIZE, Math.round(bytesPerEntry * entries));
        return CacheOptions.ofSize(size)
                .withMeanEntry(MEAN_ENTRY)
                .withRotate(false)
                .withHugePages(hugePages);
    }

    private CacheOptions smallest() {
        double bytesPerEntry = MEAN_ENTRY * GENEROUS;
        try (CacheMeasurement first = new CacheMeasurement(entries, options(bytesPerEntry))) {
            first.fill(share -> progress.within(share / 4));
            final CacheStats stats = first.cache().stats();
            bytesPerEntry = (double) stats.entryOctets() / entries + 4;
        }
        for (; bytesPerEntry < MEAN_ENTRY * MOST; bytesPerEntry *= STEP) {
            try (CacheMeasurement attempt = new CacheMeasurement(entries, options(bytesPerEntry))) {
                attempt.fill(share -> progress.within(0.25 + share / 2));
                if (attempt.cache().stats().evictions() == 0) {
                    return options(bytesPerEntry);
                }
            }
        }
        return options(MEAN_ENTRY * MOST);
    }

    private void warmUp(CacheOptions options) {
        final int count = Math.min(lookups, 200_000);
        try (CacheMeasurement cache = new CacheMeasurement(entries, options)) {
            cache.fill(share -> progress.within(0.75 + share / 8));
            final CacheMeasurement.Stream stream =
                    cache.stream(Workload.Picks.uniform(entries), count);
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                cache.lookup(stream, 0, count);
                cache.lookupBatches(stream, 0, count);
            }
        }
    }

    private Run run(CacheOptions options) {
        System.gc();
        try (CacheMeasurement cache = new CacheMeasurement(entries, options)) {
            final long nanos = cache.fill(share -> progress.within(share / 2));
            final CacheStats stats = cache.cache().stats();
            final Workload.Picks uniform = Workload.Picks.uniform(entries);
            final Workload.Picks zipf = Workload.Picks.zipf(entries);
            return new Run(
                    stats,
                    (double) stats.resident() / entries,
                    entries * 1e9 / nanos,
                    pass(cache, uniform, false, 0.6),
                    pass(cache, zipf, false, 0.7),
                    pass(cache, uniform, true, 0.8),
                    pass(cache, zipf, true, 0.9));
        }
    }

    /** Nanoseconds per lookup; a quarter more than is timed goes first as warm-up. */
    private double pass(
            CacheMeasurement cache, Workload.Picks picks, boolean batches, double share) {
        progress.within(share);
        try (CacheMeasurement.Stream stream = cache.stream(picks, lookups + lookups / 4)) {
            final int warm = lookups / 4;
            final int end = lookups + warm;
            if (batches) {
                cache.lookupBatches(stream, 0, warm);
                return (double) cache.lookupBatches(stream, warm, end) / lookups;
            }
            cache.lookup(stream, 0, warm);
            return (double) cache.lookup(stream, warm, end) / lookups;
        }
    }

    private CacheFigures figures(CacheOptions options, List<Run> all) {
        final CacheStats stats = all.getLast().stats();
        return new CacheFigures(
                entries,
                lookups,
                options.size(),
                (double) options.size() / entries,
                stats.octetsPerEntry(),
                spread(all, Run::rss),
                spread(all, Run::inserts),
                spread(all, Run::uniform),
                spread(all, Run::zipf),
                spread(all, Run::uniformBatch),
                spread(all, Run::zipfBatch),
                stats.hugePages(),
                Runtime.version().toString());
    }

    private static Spread spread(List<Run> all, ToDoubleFunction<Run> figure) {
        return Spread.of(all.stream().mapToDouble(figure).toArray());
    }
}
