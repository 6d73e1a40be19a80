package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.CommandErrors;
import io.ananas.benchmarks.measure.Json;
import io.ananas.benchmarks.measure.Progress;
import io.ananas.testkit.Workload;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ananas bench cache}: memory per entry, insertions and lookups of the answer cache. */
@Command(
        name = "cache",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Fills the answer cache with the reference workload and looks it up.",
            "One thread. A lookup starts from the octets of a query and ends with the whole response."
        })
final class CacheBenchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--entries",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Answers in the cache, 1000 to 33554432. Without: ${DEFAULT-VALUE}.")
    private int entries;

    @Option(
            names = "--lookups",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Timed lookups per run and kind. Without: ${DEFAULT-VALUE}.")
    private int lookups;

    @Option(
            names = "--runs",
            paramLabel = "K",
            defaultValue = "5",
            description = "Whole runs, each with a new cache. Without: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--plain-pages", description = "Do not ask the system for huge pages.")
    private boolean plainPages;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the figures.")
    private @Nullable Path json;

    /** Measures, prints, writes. */
    @Override
    public Integer call() {
        return CommandErrors.run(spec, this::measure);
    }

    private void measure() {
        CommandErrors.requireRange("--entries", entries, 1_000, Workload.MAX_ENTRIES);
        CommandErrors.requireRange("--lookups", lookups, 100, 20_000_000);
        CommandErrors.requireRange("--runs", runs, 1, 1_000);
        final CacheFigures figures;
        try (Progress progress = Progress.of("bench cache", CacheBench.parts(runs))) {
            figures = new CacheBench(entries, lookups, runs, !plainPages, progress).measure();
        }
        print(spec.commandLine().getOut(), figures);
        if (json != null) {
            Json.write(json, figures);
        }
    }

    private static void print(PrintWriter out, CacheFigures f) {
        out.printf(
                "%,d entries, %,d lookups, %d runs: median [min .. max]%n",
                f.entries(), f.lookups(), f.insertsPerSecond().runs());
        out.printf(
                "bytesPerEntry               %.1f  (budget %.1f, huge pages %s)%n",
                f.bytesPerEntry(), f.budgetBytesPerEntry(), f.hugePages());
        out.printf("rssBytesPerEntry            %s%n", f.rssBytesPerEntry());
        out.printf("insertsPerSecond            %s%n", f.insertsPerSecond());
        out.printf("lookupNanosUniform          %s%n", f.lookupNanosUniform());
        out.printf("lookupNanosZipf             %s%n", f.lookupNanosZipf());
        out.printf("lookupNanosUniformBatch32   %s%n", f.lookupNanosUniformBatch32());
        out.printf("lookupNanosZipfBatch32      %s%n", f.lookupNanosZipfBatch32());
        out.flush();
    }
}
