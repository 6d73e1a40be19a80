package io.ananas.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ananas.benchmarks.measure.ByteSize;
import io.ananas.benchmarks.measure.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** The commands as a user meets them: what they write, and how they refuse. */
class BenchCommandsTest {
    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command(name = "ananas")
    private static final class Root {}

    private int run(String... arguments) {
        final CommandLine line = new CommandLine(new Root());
        new Commands().commands().forEach(line::addSubcommand);
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void benchSnapshotWritesItsFigures() throws IOException {
        final Path json = folder.resolve("snapshot.json");
        final Path file = folder.resolve("kept.snapshot");
        assertThat(
                        run(
                                "bench",
                                "snapshot",
                                "--entries",
                                "4000",
                                "--runs",
                                "2",
                                "--file",
                                file.toString(),
                                "--json",
                                json.toString()))
                .isZero();
        final JsonNode figures = Json.MAPPER.readTree(Files.readString(json));
        assertThat(figures.path("entries").intValue()).isEqualTo(4_000);
        assertThat(figures.path("fileOctets").longValue()).isEqualTo(Files.size(file));
        for (String timing : new String[] {"saveSeconds", "loadSeconds"}) {
            assertThat(figures.path(timing).path("runs").intValue()).isEqualTo(2);
            assertThat(figures.path(timing).path("min").doubleValue()).isPositive();
        }
        assertThat(run("bench", "snapshot", "--entries", "1")).isEqualTo(2);
    }

    @Test
    void benchCacheWritesItsFigures() throws IOException {
        final Path json = folder.resolve("cache.json");
        final int code =
                run(
                        "bench",
                        "cache",
                        "--entries",
                        "20000",
                        "--lookups",
                        "5000",
                        "--runs",
                        "5",
                        "--json",
                        json.toString());
        assertThat(code).isZero();
        final JsonNode figures = Json.MAPPER.readTree(Files.readString(json));
        assertThat(figures.path("bytesPerEntry").doubleValue()).isBetween(80.0, 120.0);
        for (String timing :
                new String[] {
                    "insertsPerSecond",
                    "lookupNanosUniform",
                    "lookupNanosZipf",
                    "lookupNanosUniformBatch32",
                    "lookupNanosZipfBatch32"
                }) {
            final JsonNode spread = figures.path(timing);
            assertThat(spread.path("runs").intValue()).as(timing).isEqualTo(5);
            assertThat(spread.path("min").doubleValue()).as(timing).isPositive();
            assertThat(spread.path("median").doubleValue())
                    .as(timing)
                    .isBetween(spread.path("min").doubleValue(), spread.path("max").doubleValue());
            assertThat(out.toString()).contains(timing);
        }
        assertThat(figures.path("rssBytesPerEntry").path("runs").intValue()).isEqualTo(5);
    }

    @Test
    void hitRatioReplaysThroughAllCachesAndPolicies() throws IOException {
        final Path json = folder.resolve("hits.json");
        final Path plot = folder.resolve("hits.svg");
        final int code =
                run(
                        "bench",
                        "hit-ratio",
                        "--trace",
                        "synthetic",
                        "--queries",
                        "20000",
                        "--names",
                        "5000",
                        "--budget",
                        "1MiB",
                        "--policy",
                        "all",
                        "--sizes",
                        "0.05,0.2",
                        "--json",
                        json.toString(),
                        "--plot",
                        plot.toString());
        assertThat(code).isZero();
        final JsonNode report = Json.MAPPER.readTree(Files.readString(json));
        assertThat(report.path("budgets").size()).isEqualTo(6);
        assertThat(report.path("policies").size()).isEqualTo(16);
        for (JsonNode result : report.path("policies")) {
            assertThat(result.path("hitRatio").doubleValue()).isBetween(0.05, 0.9);
        }
        assertThat(Files.readString(plot)).startsWith("<svg").endsWith("</svg>\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench hit-ratio --trace /absent/trace",
                "bench hit-ratio --trace synthetic --budget 100KiB",
                "bench hit-ratio --trace synthetic --policy mru",
                "bench hit-ratio --trace synthetic --one-shot 1",
                "bench ladder --from /absent/ladder.json",
                "bench compare --rust /absent --ananas /absent",
                "plan --entries 1e9 --node-memory 1GiB --measured /absent",
                "plan --entries 0 --node-memory 1GiB"
            })
    void refusesInOneLine(String arguments) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("ananas: ").hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "4096,4096",
        "64MiB,67108864",
        "1.5KiB,1536",
        "2GB,2000000000",
        "768GiB,824633720832"
    })
    void readsSizes(String text, long octets) {
        assertThat(ByteSize.of(text).octets()).isEqualTo(octets);
    }

    @Test
    void plansAFleet() {
        final FleetPlan plan = new FleetPlan(250e9, 0.1, 10, 100, 120, 1, 768L << 30, 0.9);
        assertThat(plan.octets()).isCloseTo(225e9 * 100 + 250e9 * 120, within(1.0));
        assertThat(plan.nodes()).isEqualTo(71);
        assertThat(plan.headroom()).isBetween(0.0, 0.02);
        assertThat(plan.costOfOneByte()).isCloseTo(475e9, within(1.0));
    }

    @Test
    void comparesRuns() throws IOException {
        final Path rust = folder.resolve("rust.tsv");
        Files.writeString(
                rust,
                """
                time\t5\t1000\tplain\trss=280\tinserts=1000000\tuniform=500\tzipf=300
                time\t5\t1000\thuge\trss=284\tinserts=2000000\tuniform=400\tzipf=250
                """);
        assertThat(
                        run(
                                "bench",
                                "cache",
                                "--entries",
                                "2000",
                                "--lookups",
                                "1000",
                                "--runs",
                                "1",
                                "--json",
                                folder.resolve("a.json").toString()))
                .isZero();
        final RustComparison comparison = RustComparison.read(rust, folder);
        assertThat(comparison.rows()).hasSize(6);
        final RustComparison.Row uniform = comparison.rows().get(2);
        assertThat(uniform.ratioPlain()).isCloseTo(500 / uniform.ananas().median(), within(1e-9));
        final RustComparison.Row inserts = comparison.rows().get(1);
        assertThat(inserts.ratioHuge())
                .isCloseTo(inserts.ananas().median() / 2_000_000, within(1e-9));
    }

    @Test
    void microRunsWhatFits() {
        assertThat(run("bench", "micro", "Parts.*hash", "--iterations", "1")).isZero();
        assertThat(run("bench", "micro", "noSuchPart")).isEqualTo(2);
        assertThat(err.toString()).contains("noSuchPart");
    }
}
