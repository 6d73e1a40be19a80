package io.ananas.cache;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads from {@code /proc/self/smaps} how much of a range of addresses is resident. */
final class ResidentMemory {
    private static final Path MAPS = Path.of("/proc/self/smaps");

    private ResidentMemory() {}

    /**
     * Octets resident in the mappings that begin within {@code [address, address + size)}, or that
     * begin before and reach into it; {@code size} where there is no such file.
     */
    static long of(long address, long size) {
        if (!Files.isReadable(MAPS)) {
            return size;
        }
        try (BufferedReader lines = Files.newBufferedReader(MAPS)) {
            long resident = 0;
            boolean inside = false;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (isHeader(line)) {
                    final int dash = line.indexOf('-');
                    final long from = Long.parseUnsignedLong(line.substring(0, dash), 16);
                    final long to =
                            Long.parseUnsignedLong(line.substring(dash + 1, line.indexOf(' ')), 16);
                    inside = from < address + size && to > address;
                } else if (inside && line.startsWith("Rss:")) {
                    resident += 1024 * Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
            return resident;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isHeader(String line) {
        final int dash = line.indexOf('-');
        return dash > 0 && Character.digit(line.charAt(0), 16) >= 0 && line.indexOf(':') > dash;
    }
}
