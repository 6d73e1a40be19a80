package io.ananas.benchmarks.ladder;

import io.ananas.benchmarks.measure.CommandErrors;
import io.ananas.benchmarks.measure.Json;
import io.ananas.benchmarks.measure.JvmFork;
import io.ananas.benchmarks.measure.PageTable;
import io.ananas.benchmarks.measure.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ananas bench ladder}: every step of the published ladder, and those beyond it. */
@Command(
        name = "ladder",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures every step from lists and Strings to the compact cache, each in a JVM of its own,",
            "with plain and with compact object headers. Needs about 1.4 kB of memory per entry."
        })
public final class LadderCommand implements Callable<Integer> {
    private static final int HEAP_PER_ENTRY = 1_300;
    private static final long HEAP_BASE = 384L << 20;
    private static final int YOUNG_MEBIBYTES = 64;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--entries",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Answers in each cache, 1000 to 20000000. Without: ${DEFAULT-VALUE}.")
    private int entries;

    @Option(
            names = "--runs",
            paramLabel = "K",
            defaultValue = "5",
            description = "Fills per step, each with its lookups. Without: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(
            names = "--lookups",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Timed lookups per run and kind. Without: ${DEFAULT-VALUE}.")
    private int lookups;

    @Option(
            names = "--stages",
            paramLabel = "LIST",
            split = ",",
            description = "Only these steps, such as 0,5,9. Without: all.")
    private @Nullable List<String> only;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the figures.")
    private @Nullable Path json;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Where to write the chart.")
    private @Nullable Path plot;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Show the figures of an earlier run (its --json) instead of measuring.")
    private @Nullable Path from;

    @Option(
            names = "--page",
            paramLabel = "FILE.md",
            description = "Write the table into this page, between its marks for it.")
    private @Nullable Path page;

    /** Measures, prints, writes. */
    @Override
    public Integer call() {
        return CommandErrors.run(spec, this::ladder);
    }

    private void ladder() throws IOException {
        CommandErrors.requireRange("--entries", entries, 1_000, 20_000_000);
        CommandErrors.requireRange("--runs", runs, 1, 100);
        CommandErrors.requireRange("--lookups", lookups, 1_000, 20_000_000);
        final LadderReport report = from == null ? measure(chosen()) : read(from);
        spec.commandLine().getOut().print(report.table());
        spec.commandLine().getOut().flush();
        if (json != null) {
            Json.write(json, report);
        }
        if (plot != null) {
            Files.writeString(plot, report.chart());
        }
        if (page != null) {
            PageTable.write(page, "ladder", caption(report) + "\n" + report.markdown());
        }
    }

    private List<LadderStage> chosen() {
        final List<LadderStage> chosen = new ArrayList<>();
        for (LadderStage stage : LadderStage.values()) {
            if (only == null || only.contains(stage.number())) {
                chosen.add(stage);
            }
        }
        CommandErrors.require(
                !chosen.isEmpty(), "--stages", String.valueOf(only), "numbers from 0 to 9");
        return chosen;
    }

    private LadderReport read(Path file) throws IOException {
        try {
            return Json.MAPPER.readValue(Files.readString(file), LadderReport.class);
        } catch (IOException | tools.jackson.core.JacksonException e) {
            throw new IOException(
                    file
                            + ": cannot be read as figures of bench ladder; give a file that --json wrote",
                    e);
        }
    }

    private LadderReport measure(List<LadderStage> stages) throws IOException {
        final List<StageResult> results = new ArrayList<>();
        try (Progress progress = Progress.of("bench ladder", 2 * stages.size())) {
            for (boolean compact : new boolean[] {false, true}) {
                for (LadderStage stage : stages) {
                    results.add(measure(stage, compact, progress));
                    progress.next("step " + stage.number());
                }
            }
        }
        requireSameAnswers(results);
        return new LadderReport(
                entries, lookups, runs, Runtime.version().toString(), machine(), results);
    }

    private StageResult measure(LadderStage stage, boolean compact, Progress progress)
            throws IOException {
        final List<String> flags = flags(stage, compact);
        final List<String> arguments =
                List.of(
                        stage.name(),
                        Boolean.toString(compact),
                        Integer.toString(entries),
                        Integer.toString(runs),
                        Integer.toString(lookups),
                        String.join(" ", flags));
        final String line = JvmFork.run(flags, StageProcess.class, arguments, progress::within);
        return Json.MAPPER.readValue(line, StageResult.class);
    }

    /** A heap of fixed size, so that no step gets another collector's choices than the others. */
    private List<String> flags(LadderStage stage, boolean compact) {
        final long need = HEAP_BASE + (stage.onHeap() ? (long) HEAP_PER_ENTRY * entries : 0);
        final String heap = (need >> 20) + "m";
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                compact ? "-XX:+UseCompactObjectHeaders" : "-XX:-UseCompactObjectHeaders",
                "-XX:+UseSerialGC",
                "-Xms" + heap,
                "-Xmx" + heap,
                "-Xmn" + YOUNG_MEBIBYTES + "m",
                "-XX:MarkSweepAlwaysCompactCount=1",
                "-XX:-UsePerfData");
    }

    private static void requireSameAnswers(List<StageResult> results) {
        for (StageResult result : results) {
            if (!result.digest().equals(results.getFirst().digest())) {
                throw new IllegalStateException(
                        "step %s answers otherwise than step %s; this is a bug, please report it"
                                .formatted(result.stage(), results.getFirst().stage()));
            }
        }
    }

    private static String machine() {
        return Runtime.getRuntime().availableProcessors()
                + " processors, "
                + System.getProperty("os.name")
                + " "
                + System.getProperty("os.arch");
    }

    private static String caption(LadderReport report) {
        return String.format(
                java.util.Locale.ROOT,
                "%,d entries, %d fills per step, %,d lookups per kind and fill, medians; Java %s, %s.%n",
                report.entries(),
                report.runs(),
                report.lookups(),
                report.java(),
                report.machine());
    }
}
