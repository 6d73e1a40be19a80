package io.ananas.benchmarks.ladder;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.testkit.Workload;

/** Measures steps 6 and 7. */
final class PackedMeasurement extends OnHeapQueries {
    private final PackedCache cache;
    private final byte[] work = new byte[1 << 18];

    PackedMeasurement(PackedForm form, int entries) {
        super(entries);
        cache = new PackedCache(form, entries, meanEntry(form, entries));
    }

    /** Octets per entry, of all that will come. */
    private static double meanEntry(PackedForm form, int entries) {
        final Workload workload = new Workload();
        final MessageView view = new MessageView();
        final SourceAnswer source = new SourceAnswer();
        final byte[] packet = new byte[1_200];
        final byte[] entry = new byte[1 << 17];
        long sum = 0;
        for (int i = 0; i < entries; i++) {
            if (view.parse(packet, workload.generate(i).response(packet)) != Fault.NONE) {
                throw new IllegalStateException("entry " + i + " is no sound answer");
            }
            sum += form.encode(source.read(view, null), Workload.CREATED, entry);
        }
        return (double) sum / entries;
    }

    @Override
    void insert(SourceAnswer answer) {
        cache.insert(answer, Workload.CREATED, work);
    }

    @Override
    int find(HeapQuery query, byte[] stream, int[] offsets, int from, int to) {
        int hits = 0;
        for (int i = from; i < to; i++) {
            query.parse(stream, offsets[i]);
            hits += cache.lookup(query, NOW, out, work) ? 1 : 0;
        }
        return hits;
    }

    @Override
    public double nativeOctets() {
        return (double) cache.octets() / entries;
    }

    @Override
    public void close() {
        cache.close();
    }
}
