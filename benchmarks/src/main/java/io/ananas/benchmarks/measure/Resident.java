package io.ananas.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resident memory of this process, as the kernel counts it. */
public final class Resident {
    private static final Path STATUS = Path.of("/proc/self/status");

    private Resident() {}

    /** Octets resident; -1 where the system does not tell (no {@code /proc}). */
    public static long octets() {
        if (!Files.isReadable(STATUS)) {
            return -1;
        }
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
