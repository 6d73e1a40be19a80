package io.ananas.benchmarks.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracesTest {
    private static final String LOG =
            """
            #offset_s\tclient\tqname\tqtype\trcode\tanswers\tttls_s
            0.500\tc1\twww.Example.com\tA\tNOERROR\tcdn.example.net,192.0.2.7\t60.0,30.0
            0.100\tc2\texample.com\tAAAA\tNOERROR\t2001:db8::1\t3600
            1.000\tc1\twww.example.com\tA\tNOERROR\tcdn.example.net,192.0.2.7\t40.0,90.0
            2.000\tc3\tnone.example.com\tA\tNXDOMAIN\t-\t-
            3.000\tc3\tlost.example.com\tA\t-\t-\t-
            4.000\tc3\talias.example.com\tA\tNOERROR\tnowhere.example.net\t60
            """;

    @TempDir private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void readsAQueryLog() throws IOException {
        final Trace trace = LogTrace.read(file("log.tsv", LOG), 1);
        assertThat(trace.millis()).containsExactly(100, 500, 1_000, 2_000, 4_000);
        assertThat(trace.key()).containsExactly(1, 0, 0, 2, 3);
        assertThat(trace.client()).containsExactly(1, 0, 0, 2, 2);
        assertThat(trace.skipped()).isEqualTo(1);
        assertThat(trace.questions().ttl(0)).as("the longest least TTL seen").isEqualTo(40);
    }

    @Test
    void answersAreSoundAndSayWhatWasSeen() throws IOException {
        final Trace trace = LogTrace.read(file("log.tsv", LOG), 1);
        final MessageView alias = response(trace, 0, 0);
        assertThat(alias.recordCount()).isEqualTo(2);
        assertThat(alias.owner(1)).hasToString("cdn.example.net.");
        assertThat(alias.rdata(1)).containsExactly(192, 0, 2, 7);
        assertThat(response(trace, 0, 3).rdata(1)).containsExactly(192, 0, 2, 7 ^ 3);
        final MessageView denial = response(trace, 2, 0);
        assertThat(denial.responseCode()).isEqualTo(3);
        assertThat(denial.recordCount()).isEqualTo(1);
        final MessageView dangling = response(trace, 3, 0);
        assertThat(dangling.section(1)).isEqualTo(MessageView.AUTHORITY);
    }

    private static MessageView response(Trace trace, int key, int subnet) {
        final byte[] packet = new byte[1 << 16];
        final MessageView view = new MessageView();
        assertThat(view.parse(packet, trace.questions().response(key, subnet, packet)))
                .isEqualTo(Fault.NONE);
        return view;
    }

    @Test
    void readsDnsperfFilesAndGzip() throws IOException {
        final Path packed = folder.resolve("queries.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(
                    "; a comment\nwww.example.com A\n\nexample.com\tMX\nwww.example.com A\n"
                            .getBytes(StandardCharsets.US_ASCII));
        }
        final Path plain = file("queries", "www.example.com A\nexample.com MX\n");
        assertThat(LogTrace.read(plain, 10).millis()).containsExactly(0, 100);
        assertThatThrownBy(() -> LogTrace.read(packed, 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("queries.gz:4: found 'example.com\tMX'");
    }

    @Test
    void saysWhereALineIsWrong() throws IOException {
        assertThatThrownBy(() -> LogTrace.read(folder.resolve("absent"), 1))
                .hasMessageContaining("no file that can be read");
        final Path wrong = file("wrong.tsv", "# head\nx\tc1\texample.com\tA\n");
        assertThatThrownBy(() -> LogTrace.read(wrong, 1))
                .hasMessageContaining("wrong.tsv:2: found 'x' as time, expected seconds");
        final Path empty = file("empty", "\n# nothing\n");
        assertThatThrownBy(() -> LogTrace.read(empty, 1)).hasMessageContaining("found no query");
        final Path broken = file("broken.gz", "no gzip");
        assertThatThrownBy(() -> LogTrace.read(broken, 1)).hasMessageContaining("broken.gz");
    }

    @Test
    void syntheticTracesRepeatAndHaveOneShotNames() {
        final SyntheticTrace made = new SyntheticTrace(50_000, 1_000, 1.0, 0.25, 2, 1_000, 10, 5);
        final Trace trace = made.generate();
        assertThat(made.generate().key()).isEqualTo(trace.key());
        final Map<Integer, Integer> count = new HashMap<>();
        for (int key : trace.key()) {
            count.merge(key, 1, Integer::sum);
        }
        final long once = count.values().stream().filter(n -> n == 1).count();
        assertThat(once).isBetween(12_000L, 13_500L);
        assertThat(trace.millis()).isSorted();
        assertThat(trace.millis()[49_999]).isBetween(48_000L, 52_000L);
    }
}
