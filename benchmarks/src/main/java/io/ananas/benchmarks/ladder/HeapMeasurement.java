package io.ananas.benchmarks.ladder;

import io.ananas.testkit.Workload;

/** Measures steps 0 to 5. */
final class HeapMeasurement extends OnHeapQueries {
    private final HeapCache cache;

    HeapMeasurement(HeapStage stage, int entries) {
        super(entries);
        cache = HeapCache.holding(stage.builder(), entries);
    }

    @Override
    void insert(SourceAnswer answer) {
        cache.insert(answer, Workload.CREATED);
    }

    @Override
    int find(HeapQuery query, byte[] stream, int[] offsets, int from, int to) {
        int hits = 0;
        for (int i = from; i < to; i++) {
            query.parse(stream, offsets[i]);
            hits += cache.lookup(query, NOW, out) ? 1 : 0;
        }
        return hits;
    }

    @Override
    public double nativeOctets() {
        if (cache.size() != entries) {
            throw new IllegalStateException(
                    "the cache holds " + cache.size() + " of " + entries + " entries");
        }
        return 0;
    }

    @Override
    public void close() {}
}
