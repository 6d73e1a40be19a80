package io.ananas.benchmarks.ladder;

import io.ananas.benchmarks.measure.Allocation;
import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.testkit.Workload;
import java.util.function.DoubleConsumer;

/**
 * Measures steps whose queries and responses are on the heap (0 to 7). Subclasses bring the cache.
 */
abstract sealed class OnHeapQueries implements StageMeasurement
        permits HeapMeasurement, PackedMeasurement {
    static final int NOW = Workload.CREATED + Workload.AGE;
    private static final int CHUNK = 512;
    private static final int FIRST_DIGEST_ID = 16;

    final int entries;
    final ResponseBuffer out = new ResponseBuffer();
    private final HeapQuery query = new HeapQuery();
    private final SourceAnswer source = new SourceAnswer();
    private final MessageView[] chunk = new MessageView[CHUNK];
    private final byte[][] packets = new byte[CHUNK][1_200];

    OnHeapQueries(int entries) {
        this.entries = entries;
        for (int i = 0; i < CHUNK; i++) {
            chunk[i] = new MessageView();
        }
    }

    abstract void insert(SourceAnswer answer);

    abstract int find(HeapQuery query, byte[] stream, int[] offsets, int from, int to);

    @Override
    public final Fill fill(DoubleConsumer progress) {
        final Workload workload = new Workload();
        long nanos = 0;
        long allocated = 0;
        for (int from = 0; from < entries; from += CHUNK) {
            final int count = Math.min(CHUNK, entries - from);
            parse(workload, from, count);
            final long before = Allocation.octets();
            final long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                insert(source.read(chunk[i], null));
            }
            nanos += System.nanoTime() - start;
            allocated += Allocation.octets() - before;
            progress.accept((double) from / entries);
        }
        return new Fill(nanos, allocated);
    }

    private void parse(Workload workload, int from, int count) {
        for (int i = 0; i < count; i++) {
            final int length = workload.generate(from + i).response(packets[i]);
            if (chunk[i].parse(packets[i], length) != Fault.NONE) {
                throw new IllegalStateException("entry " + (from + i) + " is no sound answer");
            }
        }
    }

    @Override
    public final double lookup(Workload.Picks picks, int lookups) {
        final int warm = lookups / 4;
        final QueryStream stream = QueryStream.of(i -> picks.next(), warm + lookups, 0);
        find(query, stream.octets(), stream.offsets(), 0, warm);
        final long start = System.nanoTime();
        final int hits = find(query, stream.octets(), stream.offsets(), warm, warm + lookups);
        final long nanos = System.nanoTime() - start;
        if (hits != lookups) {
            throw new IllegalStateException("found " + hits + " of " + lookups + " answers");
        }
        return (double) nanos / lookups;
    }

    @Override
    public final double lookupBatches(Workload.Picks picks, int lookups) {
        return Double.NaN;
    }

    @Override
    public final String digest(int count) {
        final QueryStream stream = QueryStream.of(i -> i, count, FIRST_DIGEST_ID);
        long fnv = 0xcbf29ce484222325L;
        for (int i = 0; i < count; i++) {
            if (find(query, stream.octets(), stream.offsets(), i, i + 1) != 1) {
                throw new IllegalStateException("entry " + i + " is not in the cache");
            }
            for (int k = 0; k < out.end; k++) {
                fnv = (fnv ^ (out.octets[k] & 0xff)) * 0x100000001b3L;
            }
        }
        return Long.toHexString(fnv);
    }
}
