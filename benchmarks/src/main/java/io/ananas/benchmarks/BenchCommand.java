package io.ananas.benchmarks;

import io.ananas.benchmarks.ladder.LadderCommand;
import io.ananas.benchmarks.miss.ColdMissCommand;
import io.ananas.benchmarks.replay.HitRatioCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ananas bench}: the measurements. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Measures the cache, and compares it.",
        subcommands = {
            CacheBenchCommand.class,
            SnapshotCommand.class,
            LadderCommand.class,
            HitRatioCommand.class,
            CompareCommand.class,
            ColdMissCommand.class,
            MicroCommand.class
        })
final class BenchCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** Without a subcommand: says which there are. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "bench: found no measurement, expected one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
