package io.ananas.benchmarks.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads traces from text files, plain or gzip. Three forms, told apart by their first lines:
 *
 * <ul>
 *   <li><b>Query log</b>, tab-separated, one query a line: seconds, client, name, type, and if
 *       known rcode, answers, TTLs (comma-separated). {@code -} or nothing stands for unknown. A
 *       first line that starts with {@code #} names the columns and is skipped. Without answers,
 *       those of the reference workload's shape are made up. This is the form of our own query log,
 *       and that of captured traces.
 *   <li><b>dnsperf</b>: name and type a line, separated by blanks. Has no times: queries follow at
 *       the rate given.
 * </ul>
 */
public final class LogTrace {
    private static final int FIRST_ANSWERS = 5;
    private static final int FIRST_TTLS = 6;

    private final Path file;
    private final double rate;
    private final Map<String, Integer> keys = new HashMap<>();
    private final Map<String, Integer> clients = new HashMap<>();
    private final RecordedQuestions questions = new RecordedQuestions();
    private final List<long[]> queries = new ArrayList<>();
    private int skipped;

    private LogTrace(Path file, double rate) {
        this.file = file;
        this.rate = rate;
    }

    /**
     * Reads a trace.
     *
     * @param rate queries per second, for files that have no times
     * @throws IOException if the file cannot be read as a trace; the message says where and why
     */
    public static Trace read(Path file, double rate) throws IOException {
        return new LogTrace(file, rate).read();
    }

    private Trace read() throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IOException(
                    file + ": no file that can be read; give a query log or a dnsperf file");
        }
        int line = 0;
        try (BufferedReader lines = open()) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                if (!text.isBlank() && text.charAt(0) != '#' && text.charAt(0) != ';') {
                    parse(text);
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("%s:%d: %s".formatted(file, line, e.getMessage()), e);
        } catch (IOException e) {
            throw new IOException("%s:%d: %s".formatted(file, line + 1, e.getMessage()), e);
        }
        if (queries.isEmpty()) {
            throw new IOException(
                    file + ": found no query, expected lines of a query log or of a dnsperf file");
        }
        return build();
    }

    private BufferedReader open() throws IOException {
        final InputStream raw = Files.newInputStream(file);
        final InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
    }

    private void parse(String text) {
        final String[] field = text.split("\t", -1);
        if (field.length >= 4) {
            parseLog(field);
            return;
        }
        final String[] word = text.strip().split("\\s+", -1);
        if (field.length != 1 || word.length < 2) {
            throw new IllegalArgumentException(
                    "found '%s', expected seconds, client, name, type between tabs, or name and type"
                            .formatted(text.length() > 60 ? text.substring(0, 60) + "..." : text));
        }
        add(Math.round(queries.size() * 1_000 / rate), "-", word[0], word[1], null, null, null);
    }

    private void parseLog(String[] field) {
        final double seconds;
        try {
            seconds = Double.parseDouble(field[0]);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "found '" + field[0] + "' as time, expected seconds", e);
        }
        final String rcode = known(field, 4);
        if (field.length > 4 && rcode == null) {
            skipped++;
            return;
        }
        add(
                Math.round(seconds * 1_000),
                field[1],
                field[2],
                field[3],
                rcode,
                known(field, FIRST_ANSWERS),
                known(field, FIRST_TTLS));
    }

    private static @Nullable String known(String[] field, int i) {
        return field.length <= i || field[i].isEmpty() || field[i].equals("-") ? null : field[i];
    }

    private void add(
            long millis,
            String client,
            String name,
            String type,
            @Nullable String rcode,
            @Nullable String answers,
            @Nullable String ttls) {
        final String lower = name.toLowerCase(Locale.ROOT);
        final String question = lower + " " + type;
        final Integer known = keys.get(question);
        final int key = known == null ? keys.size() : known;
        if (known == null) {
            if (!questions.add(lower, type)) {
                skipped++;
                return;
            }
            keys.put(question, key);
        }
        questions.answer(key, rcode, answers, ttls);
        final Integer number = clients.computeIfAbsent(client, c -> clients.size());
        queries.add(new long[] {millis, key, number});
    }

    private Trace build() {
        queries.sort((a, b) -> Long.compare(a[0], b[0]));
        final int count = queries.size();
        final long[] millis = new long[count];
        final int[] key = new int[count];
        final int[] client = new int[count];
        for (int i = 0; i < count; i++) {
            millis[i] = queries.get(i)[0];
            key[i] = (int) queries.get(i)[1];
            client[i] = (int) queries.get(i)[2];
        }
        final String name = String.valueOf(file.getFileName());
        return new Trace(name, millis, key, client, questions, skipped);
    }
}
