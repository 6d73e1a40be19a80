package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Fault;
import io.ananas.message.Memory;
import io.ananas.message.MessageView;
import io.ananas.message.QueryView;
import io.ananas.testkit.Workload;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The workload is the published one, and the cache answers it octet for octet as the reference
 * does.
 */
class WorkloadTest {
    private static final int ENTRIES = 100_000;
    private static final int NOW = Workload.CREATED;

    @Test
    void entriesHaveThePublishedDigest() throws Exception {
        final MessageDigest digest = MessageDigest.getInstance("SHA-256");
        final Workload workload = new Workload();
        for (int i = 0; i < ENTRIES; i++) {
            digest.update(workload.generate(i).dumpLine(i).getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(HexFormat.of().formatHex(digest.digest()))
                .isEqualTo("220eefc3663791eb3e207c4184e5f5bf6e75ece90a48e9f3b7a68e47e1779eca");
    }

    @Test
    void responsesHaveThePublishedDigest() {
        final CacheOptions options =
                CacheOptions.ofSize(ENTRIES * 112L).withRotate(false).withHugePages(false);
        try (AnswerCache cache = AnswerCache.open(options, new Random(1));
                Arena arena = Arena.ofConfined();
                CacheReader reader = cache.newReader()) {
            final Workload workload = new Workload();
            fill(cache, workload);
            final long query = arena.allocate(512, 8).address();
            final long reply = arena.allocate(4096, 8).address();
            final QueryView view = new QueryView();
            long fnv = 0xcbf29ce484222325L;
            for (int i = 0; i < ENTRIES; i++) {
                final int length = workload.generate(i).query(i + 16 & 0xffff, query);
                assertThat(view.parse(query, length)).isEqualTo(QueryView.ANSWERABLE);
                final int octets = reader.lookup(view, NOW + Workload.AGE, reply, 4096 - 8);
                for (int k = 0; k < octets; k++) {
                    fnv = (fnv ^ Memory.getUnsignedByte(reply + k)) * 0x100000001b3L;
                }
            }
            assertThat(Long.toHexString(fnv)).isEqualTo("ee0fc0863bbdb692");
        }
    }

    private static void fill(AnswerCache cache, Workload workload) {
        final byte[] response = new byte[1_200];
        final MessageView message = new MessageView();
        for (int i = 0; i < ENTRIES; i++) {
            final int length = workload.generate(i).response(response);
            assertThat(message.parse(response, length)).isEqualTo(Fault.NONE);
            assertThat(cache.insert(message, NOW)).isEqualTo(Insertion.STORED);
        }
        assertThat(cache.stats().entries()).isEqualTo(ENTRIES);
    }
}
