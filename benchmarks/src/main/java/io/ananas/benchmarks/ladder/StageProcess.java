package io.ananas.benchmarks.ladder;

import io.ananas.benchmarks.measure.HeapCensus;
import io.ananas.benchmarks.measure.Json;
import io.ananas.benchmarks.measure.JvmFork;
import io.ananas.benchmarks.measure.Resident;
import io.ananas.benchmarks.measure.Spread;
import io.ananas.testkit.Workload;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Measures one step, in a JVM that does nothing else. */
final class StageProcess {
    // small, so that warming up leaves the old generation untouched: it is to grow in the fill
    private static final int WARM_UP_ENTRIES = 1_000;
    private static final int WARM_UP_LOOKUPS = 5_000;
    private static final int WARM_UP_ROUNDS = 200;
    private static final int DIGEST_ENTRIES = 100_000;

    private final LadderStage stage;
    private final boolean compact;
    private final int entries;
    private final int runs;
    private final int lookups;
    private final String flags;
    private double net;
    private double allocated;
    private double objects;
    private double resident;
    private String digest = "";
    private final double[] inserts;
    private final double[] uniform;
    private final double[] zipf;
    private final double[] uniformBatch;
    private final double[] zipfBatch;

    private StageProcess(String[] a) {
        stage = LadderStage.valueOf(a[0]);
        compact = Boolean.parseBoolean(a[1]);
        entries = Integer.parseInt(a[2]);
        runs = Integer.parseInt(a[3]);
        lookups = Integer.parseInt(a[4]);
        flags = a[5];
        inserts = new double[runs];
        uniform = new double[runs];
        zipf = new double[runs];
        uniformBatch = new double[runs];
        zipfBatch = new double[runs];
    }

    /** Arguments: step, compact headers, entries, runs, lookups, flags as they are to be shown. */
    public static void main(String[] arguments) {
        JvmFork.tellResult(Json.line(new StageProcess(arguments).measure()));
    }

    private StageResult measure() {
        warmUp();
        for (int run = 0; run < runs; run++) {
            measure(run);
        }
        return new StageResult(
                stage.number(),
                stage.change(),
                compact,
                net,
                allocated,
                objects,
                resident,
                Spread.of(inserts),
                Spread.of(uniform),
                Spread.of(zipf),
                spreadOrNull(uniformBatch),
                spreadOrNull(zipfBatch),
                digest,
                flags);
    }

    private static @Nullable Spread spreadOrNull(double[] values) {
        return Arrays.stream(values).anyMatch(Double::isNaN) ? null : Spread.of(values);
    }

    private void warmUp() {
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            final int count = Math.min(entries, WARM_UP_ENTRIES);
            try (StageMeasurement warm = stage.measurement(count)) {
                warm.fill(share -> {});
                warm.lookup(Workload.Picks.uniform(count), WARM_UP_LOOKUPS);
                warm.lookupBatches(Workload.Picks.uniform(count), WARM_UP_LOOKUPS);
            }
        }
    }

    private void measure(int run) {
        final double start = (double) run / runs;
        final HeapCensus before = HeapCensus.take();
        final long residentBefore = Resident.octets();
        try (StageMeasurement cache = stage.measurement(entries)) {
            final StageMeasurement.Fill fill =
                    cache.fill(share -> JvmFork.tellProgress(start + share / 2 / runs));
            inserts[run] = entries * 1e9 / fill.nanos();
            if (run == 0) {
                // the census first: it moves the young entries to where they will stay
                final HeapCensus grown = HeapCensus.take().since(before);
                resident =
                        residentBefore < 0
                                ? -1
                                : (double) (Resident.octets() - residentBefore) / entries;
                final double offHeap = cache.nativeOctets();
                net = offHeap + (stage.onHeap() ? (double) grown.octets() / entries : 0);
                objects = stage.onHeap() ? (double) grown.objects() / entries : 0;
                allocated = (double) fill.allocated() / entries;
                digest = cache.digest(Math.min(entries, DIGEST_ENTRIES));
            }
            uniform[run] = cache.lookup(Workload.Picks.uniform(entries), lookups);
            zipf[run] = cache.lookup(Workload.Picks.zipf(entries), lookups);
            uniformBatch[run] = cache.lookupBatches(Workload.Picks.uniform(entries), lookups);
            zipfBatch[run] = cache.lookupBatches(Workload.Picks.zipf(entries), lookups);
            JvmFork.tellProgress(start + 1.0 / runs);
        }
    }
}
