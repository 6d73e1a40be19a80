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
     * Octets resident in the mappings that overlap {@code [address, address + size)}, none counted
     * beyond its overlap; {@code size} where there is no such file.
     */
    static long of(long address, long size) {
        if (!Files.isReadable(MAPS)) {
            return size;
        }
        try (BufferedReader lines = Files.newBufferedReader(MAPS)) {
            long resident = 0;
            long overlap = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (isHeader(line)) {
                    final int dash = line.indexOf('-');
                    final long from = Long.parseUnsignedLong(line.substring(0, dash), 16);
                    final long to =
                            Long.parseUnsignedLong(line.substring(dash + 1, line.indexOf(' ')), 16);
                    overlap = Math.min(to, address + size) - Math.max(from, address);
                } else if (overlap > 0 && line.startsWith("Rss:")) {
                    resident +=
                            Math.min(overlap, 1024 * Long.parseLong(line.replaceAll("\\D", "")));
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
