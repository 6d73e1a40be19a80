package io.ananas.benchmarks.ladder;

import io.ananas.testkit.Workload;
import java.util.function.DoubleConsumer;

/** One cache of a step, being filled and asked. One thread. */
interface StageMeasurement extends AutoCloseable {
    /** What a fill took. */
    record Fill(long nanos, long allocated) {}

    /** Inserts all entries. */
    Fill fill(DoubleConsumer progress);

    /**
     * Octets off the heap per entry by the cache's own count; 0 for a cache on the heap, which is
     * counted by the JVM.
     */
    double nativeOctets();

    /** Nanoseconds per lookup; a quarter as many lookups go before as warm-up. */
    double lookup(Workload.Picks picks, int lookups);

    /** As {@link #lookup} in batches of 32; NaN where a step has none. */
    double lookupBatches(Workload.Picks picks, int lookups);

    /** FNV-1a of the responses for the first {@code count} entries. */
    String digest(int count);

    @Override
    void close();
}
