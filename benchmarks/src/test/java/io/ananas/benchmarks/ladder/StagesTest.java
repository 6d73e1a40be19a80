package io.ananas.benchmarks.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.testkit.AnswerGenerator;
import io.ananas.testkit.Workload;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All steps answer alike, and as the reference does. */
class StagesTest {
    private static final int ENTRIES = 100_000;
    private static final int NOW = Workload.CREATED;
    private static final String PUBLISHED = "ee0fc0863bbdb692";

    /** A cache of any step. */
    private interface Store {
        void insert(SourceAnswer source);

        boolean lookup(HeapQuery query, int now, ResponseBuffer out);
    }

    private static Store heap(HeapStage stage, int entries) {
        final HeapCache cache = HeapCache.holding(stage.builder(), entries);
        return new Store() {
            @Override
            public void insert(SourceAnswer source) {
                cache.insert(source, NOW);
            }

            @Override
            public boolean lookup(HeapQuery query, int now, ResponseBuffer out) {
                return cache.lookup(query, now, out);
            }
        };
    }

    private static Store packed(PackedForm form, int entries, double mean) {
        final PackedCache cache = new PackedCache(form, entries, mean);
        final byte[] work = new byte[1 << 18];
        return new Store() {
            @Override
            public void insert(SourceAnswer source) {
                cache.insert(source, NOW, work);
            }

            @Override
            public boolean lookup(HeapQuery query, int now, ResponseBuffer out) {
                return cache.lookup(query, now, out, work);
            }
        };
    }

    @ParameterizedTest
    @EnumSource(HeapStage.class)
    void heapStagesHaveThePublishedDigest(HeapStage stage) {
        assertThat(digest(heap(stage, ENTRIES))).isEqualTo(PUBLISHED);
    }

    @Test
    void packedStagesHaveThePublishedDigest() {
        assertThat(digest(packed(new PlainForm(), ENTRIES, 140))).isEqualTo(PUBLISHED);
        assertThat(digest(packed(new GroupedForm(), ENTRIES, 120))).isEqualTo(PUBLISHED);
    }

    private static String digest(Store store) {
        final SourceAnswer source = new SourceAnswer();
        final MessageView view = new MessageView();
        final Workload workload = new Workload();
        final byte[] packet = new byte[1_200];
        for (int i = 0; i < ENTRIES; i++) {
            final int length = workload.generate(i).response(packet);
            assertThat(view.parse(packet, length)).isEqualTo(Fault.NONE);
            store.insert(source.read(view, null));
        }
        final HeapQuery query = new HeapQuery();
        final ResponseBuffer out = new ResponseBuffer();
        final QueryStream stream = QueryStream.of(i -> i, ENTRIES, 16);
        long fnv = 0xcbf29ce484222325L;
        int at = 0;
        for (int i = 0; i < ENTRIES; i++) {
            at = query.parse(stream.octets(), at);
            assertThat(store.lookup(query, NOW + Workload.AGE, out)).isTrue();
            for (int k = 0; k < out.end; k++) {
                fnv = (fnv ^ (out.octets[k] & 0xff)) * 0x100000001b3L;
            }
        }
        return Long.toHexString(fnv);
    }

    @Test
    void anyAnswerComesOutAlikeFromAllHeapStages() {
        final int answers = 3_000;
        final Store[] stores =
                Arrays.stream(HeapStage.values())
                        .map(stage -> heap(stage, answers))
                        .toArray(Store[]::new);
        final ResponseBuffer out = new ResponseBuffer();
        int answered = 0;
        for (long seed = 0; seed < answers; seed++) {
            final byte[] message = AnswerGenerator.answer(seed).toWire(true);
            final MessageView view = new MessageView();
            if (view.parse(message, message.length) != Fault.NONE || view.questionCount() != 1) {
                continue;
            }
            final SourceAnswer source = new SourceAnswer().read(view, null);
            for (Store store : stores) {
                store.insert(source);
            }
            for (int bits = 0; bits < 4; bits++) {
                final HeapQuery query = query(source, bits, null);
                final byte[] expected = answer(stores[0], query, out);
                answered += expected == null ? 0 : 1;
                for (int i = 1; i < stores.length; i++) {
                    assertThat(answer(stores[i], query, out))
                            .as("seed %d, stage %d, bits %d", seed, i, bits)
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(answered).isGreaterThan(answers);
    }

    private static byte @Nullable [] answer(Store store, HeapQuery query, ResponseBuffer out) {
        return store.lookup(query, NOW, out) ? Arrays.copyOf(out.octets, out.end) : null;
    }

    static HeapQuery query(SourceAnswer source, int bits, byte @Nullable [] tag) {
        final HeapQuery query = new HeapQuery();
        query.octets = source.name();
        query.nameLength = source.nameLength;
        query.type = source.type;
        query.validated = source.validated;
        query.tag = tag;
        query.dnssecOk = (bits & 1) != 0;
        query.edns = (bits & 2) != 0;
        return query;
    }
}
