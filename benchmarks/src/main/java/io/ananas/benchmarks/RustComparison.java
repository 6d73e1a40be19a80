package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.Json;
import io.ananas.benchmarks.measure.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The reference in Rust and the answer cache, run in turn.
 *
 * @param rows one per quantity
 */
record RustComparison(List<Row> rows) {
    /**
     * A quantity.
     *
     * @param rustPlain the reference, step 5, default pages
     * @param rustHuge the same on huge pages
     * @param ratioPlain how many times better Ananas is, by medians: above 1 is better
     */
    record Row(
            String quantity,
            Spread rustPlain,
            Spread rustHuge,
            Spread ananas,
            double ratioPlain,
            double ratioHuge) {}

    private record Quantity(String title, String rust, String ananas, boolean moreIsBetter) {}

    private static final List<Quantity> QUANTITIES =
            List.of(
                    new Quantity("resident bytes per entry", "rss", "rssBytesPerEntry", false),
                    new Quantity("inserts per second", "inserts", "insertsPerSecond", true),
                    new Quantity("lookup ns, uniform", "uniform", "lookupNanosUniform", false),
                    new Quantity("lookup ns, Zipf", "zipf", "lookupNanosZipf", false),
                    new Quantity(
                            "lookup ns, uniform, batches of 32",
                            "uniform",
                            "lookupNanosUniformBatch32",
                            false),
                    new Quantity(
                            "lookup ns, Zipf, batches of 32",
                            "zipf",
                            "lookupNanosZipfBatch32",
                            false));

    /**
     * Reads what the runs wrote.
     *
     * @param rust lines of the reference's {@code bench time}, labels {@code plain} and {@code
     *     huge}
     * @param ananas a folder of files that {@code bench cache --json} wrote
     */
    static RustComparison read(Path rust, Path ananas) throws IOException {
        final List<String> lines = Files.readAllLines(rust);
        final List<JsonNode> runs = new ArrayList<>();
        try (Stream<Path> files = Files.list(ananas)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
                runs.add(Json.MAPPER.readTree(Files.readString(file)));
            }
        } catch (JacksonException e) {
            throw new IOException(ananas + ": a file in it is not what bench cache wrote", e);
        }
        final List<Row> rows = new ArrayList<>();
        for (Quantity quantity : QUANTITIES) {
            rows.add(row(quantity, lines, runs));
        }
        return new RustComparison(rows);
    }

    private static Row row(Quantity quantity, List<String> lines, List<JsonNode> runs)
            throws IOException {
        final Spread plain = rust(lines, "plain", quantity.rust);
        final Spread huge = rust(lines, "huge", quantity.rust);
        final double[] ours =
                runs.stream()
                        .mapToDouble(r -> r.path(quantity.ananas).path("median").doubleValue())
                        .toArray();
        if (ours.length == 0) {
            throw new IOException("found no run of bench cache, expected one file per run");
        }
        final Spread ananas = Spread.of(ours);
        return new Row(
                quantity.title,
                plain,
                huge,
                ananas,
                ratio(quantity, plain, ananas),
                ratio(quantity, huge, ananas));
    }

    private static double ratio(Quantity quantity, Spread rust, Spread ananas) {
        return quantity.moreIsBetter
                ? ananas.median() / rust.median()
                : rust.median() / ananas.median();
    }

    private static Spread rust(List<String> lines, String label, String key) throws IOException {
        final double[] values =
                lines.stream()
                        .map(line -> line.split("\t", -1))
                        .filter(field -> field.length > 4 && field[3].equals(label))
                        .flatMap(Stream::of)
                        .filter(field -> field.startsWith(key + "="))
                        .mapToDouble(field -> Double.parseDouble(field.substring(key.length() + 1)))
                        .toArray();
        if (values.length == 0) {
            throw new IOException(
                    "found no value '%s' labelled '%s' in the reference's lines"
                            .formatted(key, label));
        }
        return Spread.of(values);
    }

    String table() {
        final StringBuilder out = new StringBuilder();
        out.append(
                String.format(
                        Locale.ROOT,
                        "%-34s %-34s %-34s %-34s %8s %8s%n",
                        "median [min .. max]",
                        "Rust",
                        "Rust, huge pages",
                        "Ananas",
                        "ratio",
                        "huge"));
        for (Row row : rows) {
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%-34s %-34s %-34s %-34s %8.2f %8.2f%n",
                            row.quantity,
                            row.rustPlain,
                            row.rustHuge,
                            row.ananas,
                            row.ratioPlain,
                            row.ratioHuge));
        }
        return out.append("A ratio above 1 says how many times better Ananas is.\n").toString();
    }
}
