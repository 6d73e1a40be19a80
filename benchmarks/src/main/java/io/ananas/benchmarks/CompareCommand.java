package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.CommandErrors;
import io.ananas.benchmarks.measure.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ananas bench compare}: the last step of {@code benchmarks/compare-rust.sh}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Compares runs of the reference in Rust with runs of bench cache.")
final class CompareCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--rust",
            paramLabel = "FILE",
            required = true,
            description = "Lines of the reference's bench time, labelled plain and huge.")
    @SuppressWarnings("NullAway.Init")
    private Path rust;

    @Option(
            names = "--ananas",
            paramLabel = "DIR",
            required = true,
            description = "Folder of the files that bench cache wrote.")
    @SuppressWarnings("NullAway.Init")
    private Path ananas;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the ratios.")
    private @Nullable Path json;

    /** Reads, prints, writes. */
    @Override
    public Integer call() {
        return CommandErrors.run(spec, this::compare);
    }

    private void compare() throws IOException {
        for (Path path : new Path[] {rust, ananas}) {
            if (!Files.isReadable(path)) {
                throw new IOException(path + ": cannot be read; run benchmarks/compare-rust.sh");
            }
        }
        final RustComparison comparison = RustComparison.read(rust, ananas);
        spec.commandLine().getOut().print(comparison.table());
        spec.commandLine().getOut().flush();
        if (json != null) {
            Json.write(json, comparison);
        }
    }
}
