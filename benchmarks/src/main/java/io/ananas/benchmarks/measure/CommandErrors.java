package io.ananas.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What goes wrong by what the user gave: one line, and exit code 2. */
public final class CommandErrors {
    /** The work of a command. */
    public interface Work {
        /**
         * Works.
         *
         * @throws IOException for a file that cannot be used, or a process that cannot be run
         */
        void run() throws IOException;
    }

    private CommandErrors() {}

    /**
     * Ends the work unless an option has a value of use.
     *
     * @throws IllegalArgumentException that says what was found and what is expected
     */
    public static void require(boolean holds, String option, Object found, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(
                    option + ": found " + found + ", expected " + expected);
        }
    }

    /**
     * Ends the work unless an option's number is {@code min} to {@code max}.
     *
     * @throws IllegalArgumentException that says what was found and what is expected
     */
    public static void requireRange(String option, int found, int min, int max) {
        require(found >= min && found <= max, option, found, min + " to " + max);
    }

    /** Does the work; 0, or 2 after one line on standard error. */
    public static int run(CommandSpec spec, Work work) {
        try {
            work.run();
            return CommandLine.ExitCode.OK;
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            spec.commandLine().getErr().println("ananas: " + e.getMessage());
            spec.commandLine().getErr().flush();
            return CommandLine.ExitCode.USAGE;
        }
    }
}
