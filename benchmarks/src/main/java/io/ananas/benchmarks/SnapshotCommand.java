package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.CacheMeasurement;
import io.ananas.benchmarks.measure.CommandErrors;
import io.ananas.benchmarks.measure.Json;
import io.ananas.benchmarks.measure.Progress;
import io.ananas.benchmarks.measure.Spread;
import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.testkit.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ananas bench snapshot}: saving the cache to a file, and loading it again. */
@Command(
        name = "snapshot",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Fills the answer cache with the reference workload, saves it and loads it again.",
            "Saving ends when the file is forced to disk and renamed."
        })
final class SnapshotCommand implements Callable<Integer> {
    private static final double NANOS = 1e9;

    /**
     * What is measured.
     *
     * @param entries answers saved and loaded
     * @param fileOctets length of the file
     * @param saveSeconds until the file is in its place, for good
     * @param loadSeconds until all of it can be looked up, with the check of the file before
     */
    record Figures(int entries, long fileOctets, Spread saveSeconds, Spread loadSeconds) {}

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--entries",
            paramLabel = "N",
            defaultValue = "4000000",
            description = "Answers in the cache, 1000 to 33554432. Without: ${DEFAULT-VALUE}.")
    private int entries;

    @Option(
            names = "--runs",
            paramLabel = "K",
            defaultValue = "3",
            description = "How often it is saved and loaded. Without: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Where to save it. Without: a file that is deleted in the end.")
    private @Nullable Path file;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the figures.")
    private @Nullable Path json;

    /** Measures, prints, writes. */
    @Override
    public Integer call() {
        return CommandErrors.run(spec, this::measure);
    }

    private void measure() {
        CommandErrors.requireRange("--entries", entries, 1_000, Workload.MAX_ENTRIES);
        CommandErrors.requireRange("--runs", runs, 1, 100);
        final Figures figures;
        try (Progress progress = Progress.of("bench snapshot", 1 + 2 * runs)) {
            final Path target = file != null ? file : Files.createTempFile("ananas", ".snapshot");
            try {
                figures = measure(target, progress);
            } finally {
                if (file == null) {
                    Files.deleteIfExists(target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        print(spec.commandLine().getOut(), figures);
        if (json != null) {
            Json.write(json, figures);
        }
    }

    private Figures measure(Path target, Progress progress) throws IOException {
        final double[] saved = new double[runs];
        final double[] loaded = new double[runs];
        final CacheOptions options =
                CacheOptions.ofSize(Math.max(CacheOptions.MIN_SIZE, 112L * entries))
                        .withMeanEntry(CacheBench.MEAN_ENTRY);
        try (CacheMeasurement cache = new CacheMeasurement(entries, options)) {
            cache.fill(progress::within);
            for (int run = 0; run < runs; run++) {
                progress.next("saving, " + (run + 1) + " of " + runs);
                saved[run] = save(cache.cache(), target);
                progress.next("loading, " + (run + 1) + " of " + runs);
                loaded[run] = load(options, target);
            }
        }
        return new Figures(entries, Files.size(target), Spread.of(saved), Spread.of(loaded));
    }

    private static double save(AnswerCache cache, Path target) throws IOException {
        final long start = System.nanoTime();
        cache.save(target, Workload.CREATED);
        return (System.nanoTime() - start) / NANOS;
    }

    private double load(CacheOptions options, Path target) throws IOException {
        try (AnswerCache cache = AnswerCache.open(options)) {
            final long start = System.nanoTime();
            final long loaded = cache.load(target, Workload.CREATED + 1);
            final double seconds = (System.nanoTime() - start) / NANOS;
            if (loaded != entries) {
                throw new IllegalStateException(
                        "loaded " + loaded + " of " + entries + " answers; please report this");
            }
            return seconds;
        }
    }

    private static void print(PrintWriter out, Figures f) {
        out.printf(
                "%,d entries, %,d octets, %d runs: median [min .. max]%n",
                f.entries(), f.fileOctets(), f.saveSeconds().runs());
        out.printf("saveSeconds                 %s%n", f.saveSeconds());
        out.printf("loadSeconds                 %s%n", f.loadSeconds());
        out.flush();
    }
}
