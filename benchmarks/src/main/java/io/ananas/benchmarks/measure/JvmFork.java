package io.ananas.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * Runs a measurement in a JVM of its own, with flags of its own, so that neither compiled code nor
 * garbage of one measurement is in the next.
 *
 * <p>The child prints {@code progress 0.5} lines as it goes and one {@code result ...} line at the
 * end. What it prints on standard error goes to ours.
 */
public final class JvmFork {
    private static final String PROGRESS = "progress ";
    private static final String RESULT = "result ";

    private JvmFork() {}

    /** Told by the child how far it is, 0 to 1. */
    public static void tellProgress(double share) {
        System.out.println(PROGRESS + share);
    }

    /** Told by the child at its end: one line of text. */
    public static void tellResult(String line) {
        System.out.println(RESULT + line);
    }

    /**
     * Runs a main class on this JVM's class path.
     *
     * @return what the child gave to {@link #tellResult}
     * @throws IOException if the child cannot be started, fails, or tells no result
     */
    public static String run(
            List<String> flags, Class<?> main, List<String> arguments, DoubleConsumer progress)
            throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        final Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final Thread killer = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            final String result = read(process, progress);
            final int code = process.waitFor();
            if (code != 0 || result.isEmpty()) {
                throw new IOException(
                        "the measuring process ended with code "
                                + code
                                + (result.isEmpty() ? " and no result" : ""));
            }
            return result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while measuring", e);
        } finally {
            process.destroy();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }

    private static String read(Process process, DoubleConsumer progress) throws IOException {
        String result = "";
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(PROGRESS)) {
                    progress.accept(Double.parseDouble(line.substring(PROGRESS.length())));
                } else if (line.startsWith(RESULT)) {
                    result = line.substring(RESULT.length());
                }
            }
        }
        return result;
    }
}
