package io.ananas.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a table of a run into a page, between the lines {@code <!-- table NAME -->} and {@code
 * <!-- end NAME -->}, so that no figure is ever typed by hand.
 */
public final class PageTable {
    private PageTable() {}

    /**
     * Replaces what stands between the marks.
     *
     * @throws IOException if the page cannot be read or has no such marks
     */
    public static void write(Path page, String name, String table) throws IOException {
        final String begin = "<!-- table " + name + " -->\n";
        final String end = "<!-- end " + name + " -->";
        final String text = Files.readString(page);
        final int from = text.indexOf(begin);
        final int to = text.indexOf(end);
        if (from < 0 || to < from) {
            throw new IOException(
                    "%s: found no lines '%s' and '%s', expected both, in this order"
                            .formatted(page, begin.strip(), end));
        }
        Files.writeString(
                page,
                text.substring(0, from)
                        + begin
                        + table.stripTrailing()
                        + "\n"
                        + text.substring(to));
    }
}
