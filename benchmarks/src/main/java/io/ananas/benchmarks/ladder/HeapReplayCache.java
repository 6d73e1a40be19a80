package io.ananas.benchmarks.ladder;

import io.ananas.benchmarks.measure.Allocation;
import io.ananas.benchmarks.trace.Trace;
import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * Step 0 or 5 of the ladder under a budget, for replaying traces: as many entries as the budget
 * pays for, at the size that the trace's own answers have there.
 */
public final class HeapReplayCache {
    private static final int SAMPLE = 20_000;

    /** A reference in the map: 4 octets at a load of 0.84. */
    private static final double BUCKET = 4.8;

    private final HeapCache cache;
    private final int capacity;
    private final double octetsPerEntry;
    private final HeapQuery query = new HeapQuery();
    private final SourceAnswer source = new SourceAnswer();
    private final ResponseBuffer out = new ResponseBuffer();

    private HeapReplayCache(HeapStage stage, int capacity, double octetsPerEntry) {
        this.capacity = capacity;
        this.octetsPerEntry = octetsPerEntry;
        cache = HeapCache.limitedTo(stage.builder(), capacity);
    }

    /**
     * A cache for a budget of octets.
     *
     * @param step 0 or 5
     */
    public static HeapReplayCache of(int step, long budget, Trace trace) {
        final HeapStage stage = step == 0 ? HeapStage.STAGE_0 : HeapStage.STAGE_5;
        final double octets = octetsPerEntry(stage, trace) + ArcGhosts.OCTETS_PER_KEY;
        final int capacity = (int) Math.clamp((long) (budget / octets), 2L, 1L << 28);
        return new HeapReplayCache(stage, capacity, octets);
    }

    /**
     * What insertions of a sample of the trace's answers allocate, by the JVM's own counter, and a
     * bucket of the map.
     */
    private static double octetsPerEntry(HeapStage stage, Trace trace) {
        final int keys = trace.questions().count();
        final int count = Math.min(SAMPLE, keys);
        final byte[] packet = new byte[1 << 16];
        final MessageView view = new MessageView();
        final SourceAnswer source = new SourceAnswer();
        final HeapCache filled = HeapCache.limitedTo(stage.builder(), Math.max(2, count));
        long octets = 0;
        int inserted = 0;
        for (int i = 0; i < count; i++) {
            final int key = (int) ((long) i * keys / count);
            if (view.parse(packet, trace.questions().response(key, 0, packet)) == Fault.NONE) {
                source.read(view, null);
                final long before = Allocation.octets();
                filled.insert(source, 0);
                octets += Allocation.octets() - before;
                inserted++;
            }
        }
        return (double) octets / Math.max(1, inserted) + BUCKET;
    }

    /** Entries that the budget pays for. */
    public int capacity() {
        return capacity;
    }

    /** Octets per entry, ghosts of the policy included. */
    public double octetsPerEntry() {
        return octetsPerEntry;
    }

    /** Asks with the octets of a query, which must be lower-cased; true for a hit. */
    public boolean lookup(byte[] packet, byte @Nullable [] tag, int now) {
        query.parse(packet, 0);
        query.validated = false;
        query.tag = tag;
        return cache.lookup(query, now, out);
    }

    /** Keeps an answer. */
    public void insert(MessageView answer, byte @Nullable [] tag, int now) {
        source.read(answer, tag);
        source.validated = false;
        cache.insert(source, now);
    }
}
