package io.ananas.server;

import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. */
@Command(
        name = "ananas",
        description = "A DNS platform on the most compact answer cache.",
        mixinStandardHelpOptions = true,
        version = "ananas 0.1.0-SNAPSHOT",
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    private Main() {}

    /** Runs a subcommand and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** All subcommands, those of other modules too. */
    static CommandLine commandLine() {
        final CommandLine line =
                new CommandLine(new Main())
                        .addSubcommand(new ServeCommand())
                        .addSubcommand(new CacheCommand())
                        .addSubcommand(new RehearsalCommand());
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            provider.commands().forEach(line::addSubcommand);
        }
        return line;
    }
}
