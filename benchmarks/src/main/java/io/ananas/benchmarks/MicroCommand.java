package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.CommandErrors;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ananas bench micro}: the parts of the hot path, each measured alone by JMH. */
@Command(
        name = "micro",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures the parts of a lookup with JMH: parsing, hashing, coding, cache.")
public final class MicroCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(
            paramLabel = "REGEX",
            defaultValue = ".",
            description = "Which benchmarks, such as 'encode' or 'CacheBenchmark'. All.")
    private String pattern = ".";

    @Option(
            names = "--forks",
            paramLabel = "N",
            defaultValue = "1",
            description = "Processes for each. ${DEFAULT-VALUE}.")
    private int forks;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            defaultValue = "5",
            description = "Iterations of a second in each. ${DEFAULT-VALUE}.")
    private int iterations;

    /** Runs the benchmarks that fit. */
    @Override
    public Integer call() {
        return CommandErrors.run(spec, this::measure);
    }

    private void measure() {
        final Options options =
                new OptionsBuilder()
                        .include(pattern)
                        .forks(forks)
                        .measurementIterations(iterations)
                        .build();
        try {
            new Runner(options).run();
        } catch (NoBenchmarksException e) {
            throw new IllegalArgumentException(
                    "found no benchmark for '"
                            + pattern
                            + "', expected part of a name such as encode, lookup or CacheBenchmark",
                    e);
        } catch (RunnerException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
