package io.ananas.server;

import io.ananas.transport.Counter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The counts of all listener threads together. Thread-safe. */
final class ServerCounters {
    private final List<PipelineCounters> threads = new CopyOnWriteArrayList<>();

    /** The counts of one more thread. */
    PipelineCounters newThread() {
        final PipelineCounters counters = new PipelineCounters();
        threads.add(counters);
        return counters;
    }

    /** One count over all threads, for example {@code sum(c -> c.hits)}. */
    long sum(Function<PipelineCounters, Counter> which) {
        return threads.stream().mapToLong(c -> which.apply(c).get()).sum();
    }
}
