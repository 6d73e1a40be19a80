package io.ananas.benchmarks.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.testkit.Workload;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** ARC in the shard of the heap caches: the bounds of the paper, under eviction. */
class ArcShardTest {
    private static final int NOW = Workload.CREATED;
    private static final int KEYS = 400;

    private static SourceAnswer answer(int i) {
        final byte[] packet = new byte[1_200];
        final MessageView view = new MessageView();
        assertThat(view.parse(packet, new Workload().generate(i).response(packet)))
                .isEqualTo(Fault.NONE);
        return new SourceAnswer().read(view, null);
    }

    @Test
    void keepsTheBoundsOfThePaper() {
        final SourceAnswer[] answers = new SourceAnswer[KEYS];
        for (int i = 0; i < KEYS; i++) {
            answers[i] = answer(i);
        }
        for (long seed = 0; seed < 8; seed++) {
            final Random random = new Random(seed);
            final int capacity = 2 + random.nextInt(100);
            final ArcShard shard = new ArcShard(capacity, 128);
            final HeapCache.Builder builder = HeapStage.STAGE_5.builder();
            boolean ghosts = false;
            for (int i = 0; i < 10_000; i++) {
                final int key = (int) (KEYS * Math.pow(random.nextDouble(), 3));
                final int hash = key * 0x9e3779b1;
                final HeapQuery query = StagesTest.query(answers[key], 0, null);
                if (shard.find(query, hash) == null) {
                    shard.insert(builder.build(answers[key], hash, NOW), answers[key]);
                }
                final int[] s = shard.state();
                final String at = "seed " + seed + ", request " + i;
                assertThat(s[0] + s[1]).as(at).isLessThanOrEqualTo(capacity);
                assertThat(s[0] + s[2]).as(at).isLessThanOrEqualTo(capacity);
                assertThat(s[0] + s[1] + s[2] + s[3]).as(at).isLessThanOrEqualTo(2 * capacity);
                assertThat(s[4]).as(at).isBetween(0, capacity);
                ghosts |= s[2] > 0 && s[3] > 0;
            }
            assertThat(ghosts).as("seed %d used both ghost lists", seed).isTrue();
            assertThat(shard.size()).isEqualTo(capacity);
        }
    }

    @Test
    void insertingAgainReplaces() {
        final HeapCache cache = HeapCache.holding(HeapStage.STAGE_0.builder(), 100);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 100; i++) {
                cache.insert(answer(i), NOW);
            }
        }
        assertThat(cache.size()).isEqualTo(100);
    }

    @Test
    void expiredAndForeignTagsAreMisses() {
        final SourceAnswer source = answer(7);
        source.tag = new byte[] {1};
        for (HeapStage stage : HeapStage.values()) {
            final HeapCache cache = HeapCache.holding(stage.builder(), 10);
            cache.insert(source, NOW);
            final ResponseBuffer out = new ResponseBuffer();
            final HeapQuery mine = StagesTest.query(source, 0, new byte[] {1});
            assertThat(cache.lookup(mine, NOW + source.ttl - 1, out)).as("%s", stage).isTrue();
            assertThat(cache.lookup(mine, NOW + source.ttl, out)).as("%s", stage).isFalse();
            assertThat(cache.lookup(StagesTest.query(source, 0, null), NOW, out)).isFalse();
            final HeapQuery other = StagesTest.query(source, 0, new byte[] {2});
            assertThat(cache.lookup(other, NOW, out)).isFalse();
        }
    }
}
