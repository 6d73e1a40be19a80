package io.ananas.benchmarks.ladder;

import io.ananas.benchmarks.measure.Spread;
import io.ananas.benchmarks.measure.SvgChart;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A whole run of the ladder.
 *
 * @param lookups timed lookups per run and kind
 * @param runs fills per step
 * @param java version of the JVM
 * @param machine processors and memory
 */
record LadderReport(
        int entries, int lookups, int runs, String java, String machine, List<StageResult> stages) {
    /** Net bytes per entry before and after, as the authors of the ladder published them. */
    static final double PUBLISHED_FIRST = 953;

    static final double PUBLISHED_LAST = 420;

    /** Net bytes per entry of our reproduction in Rust, steps 0 and 5. */
    static final double RUST_FIRST = 806.1;

    static final double RUST_LAST = 236.5;

    private static final String[] HEAD = {
        "step",
        "what changes",
        "headers",
        "net B",
        "allocated B",
        "objects",
        "resident B",
        "inserts/s",
        "uniform ns",
        "Zipf ns",
        "uniform x32",
        "Zipf x32"
    };

    /** The table for a terminal. */
    String table() {
        final StringBuilder out = new StringBuilder();
        out.append(row((Object[]) HEAD));
        for (StageResult s : stages) {
            out.append(row(cells(s)));
        }
        return out.toString();
    }

    private static String row(Object... cells) {
        return String.format(
                                Locale.ROOT,
                                "%-4s  %-36s  %-8s %7s %11s %8s %10s %11s %10s %8s %11s %9s",
                                cells)
                        .stripTrailing()
                + "\n";
    }

    /** The table for a page, with the extremes of what was timed. */
    String markdown() {
        final StringBuilder out = new StringBuilder();
        out.append("| ").append(String.join(" | ", HEAD)).append(" |\n");
        out.append("|---|---|---|").append("---:|".repeat(HEAD.length - 3)).append('\n');
        for (StageResult s : stages) {
            out.append("| ");
            for (Object cell : cells(s)) {
                out.append(cell).append(" | ");
            }
            out.setLength(out.length() - 1);
            out.append('\n');
        }
        return out.toString();
    }

    private static Object[] cells(StageResult s) {
        return new Object[] {
            s.stage(),
            s.change(),
            s.compactHeaders() ? "compact" : "plain",
            decimal(s.netBytes()),
            decimal(s.allocatedBytes()),
            decimal(s.objects()),
            s.residentBytes() < 0 ? "-" : decimal(s.residentBytes()),
            String.format(Locale.ROOT, "%,.0f", s.insertsPerSecond().median()),
            median(s.lookupNanosUniform()),
            median(s.lookupNanosZipf()),
            median(s.lookupNanosUniformBatch32()),
            median(s.lookupNanosZipfBatch32())
        };
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String median(@Nullable Spread spread) {
        return spread == null ? "-" : String.format(Locale.ROOT, "%.0f", spread.median());
    }

    /** Bytes per entry by step, with the published and the Rust figures as lines. */
    String chart() {
        final List<String> numbers = stages.stream().map(StageResult::stage).distinct().toList();
        final SvgChart chart =
                new SvgChart(
                        String.format(Locale.ROOT, "Bytes per entry by step, %,d entries", entries),
                        "step",
                        numbers);
        for (boolean compact : new boolean[] {false, true}) {
            if (stages.stream().anyMatch(s -> s.compactHeaders() == compact)) {
                final String name = compact ? "compact headers" : "plain headers";
                chart.bars(name, values(numbers, compact, StageResult::netBytes));
            }
        }
        return chart.mark("published, step 0: 953", PUBLISHED_FIRST)
                .mark("published, step 5: 420", PUBLISHED_LAST)
                .mark("Rust, step 0: 806", RUST_FIRST)
                .mark("Rust, step 5: 236.5", RUST_LAST)
                .render();
    }

    private double[] values(
            List<String> numbers, boolean compact, ToDoubleFunction<StageResult> figure) {
        return numbers.stream()
                .mapToDouble(number ->
                        stages.stream()
                                .filter(s -> s.stage().equals(number))
                                .filter(s -> s.compactHeaders() == compact)
                                .mapToDouble(figure)
                                .findFirst()
                                .orElse(Double.NaN))
                .toArray();
    }
}
