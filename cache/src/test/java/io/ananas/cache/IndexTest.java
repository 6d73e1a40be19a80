package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 17, 1_000, 9_973})
    void theOtherBucketOfTheOtherIsTheFirst(int buckets) {
        final Random random = new Random(buckets);
        for (int i = 0; i < 10_000; i++) {
            final int bucket = random.nextInt(buckets);
            final int tag = 1 + random.nextInt(255);
            final int other = Index.other(bucket, tag, buckets);
            assertThat(other).isBetween(0, buckets - 1);
            assertThat(Index.other(other, tag, buckets)).isEqualTo(bucket);
        }
    }

    @Test
    void takesNinetySevenPercentOfItsSlotsAndFindsAll() {
        final int buckets = 4_000;
        final int entries = (int) (buckets * BucketLayout.SLOTS * 0.97);
        final Random random = new Random(7);
        final Index.Search search = new Index.Search();
        try (Arena arena = Arena.ofConfined()) {
            final long index = arena.allocate((long) buckets * BucketLayout.SIZE, 64).address();
            final Map<Integer, Long> hashes = new HashMap<>();
            for (int offset = 1; offset <= entries; offset++) {
                final long hash = random.nextLong();
                assertThat(Index.add(index, buckets, hash, offset, offset & 3, search))
                        .as("entry %d of %d", offset, entries)
                        .isTrue();
                hashes.put(offset, hash);
            }
            hashes.forEach((offset, hash) -> {
                final int place = Index.find(index, buckets, hash, offset);
                assertThat(place).isNotEqualTo(Index.NOT_FOUND);
                assertThat(Index.markOf(index, place)).isEqualTo(offset & 3);
            });
        }
    }

    @Test
    void aFullIndexRefusesAndStaysAsItWas() {
        final int buckets = 4;
        final Random random = new Random(3);
        final Index.Search search = new Index.Search();
        try (Arena arena = Arena.ofConfined()) {
            final long index = arena.allocate((long) buckets * BucketLayout.SIZE, 64).address();
            final Map<Integer, Long> hashes = new HashMap<>();
            for (int offset = 1; offset <= 200; offset++) {
                final long hash = random.nextLong();
                if (Index.add(index, buckets, hash, offset, 0, search)) {
                    hashes.put(offset, hash);
                }
            }
            assertThat(hashes).hasSize(buckets * BucketLayout.SLOTS);
            hashes.forEach((offset, hash) ->
                    assertThat(Index.find(index, buckets, hash, offset))
                            .isNotEqualTo(Index.NOT_FOUND));
        }
    }

    @Test
    void marksSaturateAndDoNotTouchTheirNeighbours() {
        try (Arena arena = Arena.ofConfined()) {
            final long bucket = arena.allocate(BucketLayout.SIZE, 64).address();
            for (int i = 0; i < 5; i++) {
                Index.touch(bucket, 14);
                Index.touch(bucket, 0);
            }
            for (int slot = 0; slot < BucketLayout.SLOTS; slot++) {
                assertThat(Index.mark(bucket, slot)).isEqualTo(slot == 0 || slot == 14 ? 3 : 0);
            }
        }
    }
}
