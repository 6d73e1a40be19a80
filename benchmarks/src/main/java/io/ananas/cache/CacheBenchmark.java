package io.ananas.cache;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.message.QueryView;
import io.ananas.testkit.Workload;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Lookups and insertions, one at a time and in batches, in a cache that is full. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CacheBenchmark {
    private static final int BATCH = 32;
    private static final int QUERIES = 1 << 14;
    private static final int ROOM = 256;
    private static final int STRIDE = CacheReader.MIN_CAPACITY + 64;
    private static final int ANSWERS = 1 << 10;

    /** Entries in the cache. */
    @Param({"1000000"})
    public int entries;

    private final Arena arena = Arena.ofShared();
    private final long[] query = new long[QUERIES];
    private final int[] length = new int[QUERIES];
    private final QueryView[] views = new QueryView[BATCH];
    private final long[] replies = new long[BATCH];
    private final int[] limits = new int[BATCH];
    private final int[] lengths = new int[BATCH];
    private final MessageView[] answers = new MessageView[ANSWERS];

    @SuppressWarnings("NullAway.Init")
    private AnswerCache cache;

    @SuppressWarnings("NullAway.Init")
    private CacheReader reader;

    @SuppressWarnings("NullAway.Init")
    private CacheWriter writer;

    private int next;

    /** Fills the cache and makes the queries. */
    @Setup
    public void fill() {
        cache =
                AnswerCache.open(
                        CacheOptions.ofSize(entries * 106L + (1 << 20)).withMeanEntry(101),
                        new Random(1));
        reader = cache.newReader();
        writer = cache.newWriter();
        final Workload workload = new Workload();
        for (int i = 0; i < entries; i++) {
            answers[i % ANSWERS] = answer(workload, i);
            writer.insert(answers[i % ANSWERS], Workload.CREATED);
        }
        final Workload.Picks picks = Workload.Picks.uniform(entries);
        for (int i = 0; i < QUERIES; i++) {
            query[i] = arena.allocate(ROOM, 8).address();
            length[i] = workload.generate(picks.next()).query(i, query[i]);
        }
        for (int i = 0; i < BATCH; i++) {
            views[i] = new QueryView();
            replies[i] = arena.allocate(STRIDE, 64).address();
            limits[i] = CacheReader.MIN_CAPACITY - 8;
        }
    }

    private static MessageView answer(Workload workload, int i) {
        final byte[] response = new byte[1_200];
        final int octets = workload.generate(i).response(response);
        final MessageView view = new MessageView();
        if (view.parse(Arrays.copyOf(response, octets), octets) != Fault.NONE) {
            throw new IllegalStateException("entry " + i + " is no sound answer");
        }
        return view;
    }

    @TearDown
    public void close() {
        cache.close();
        arena.close();
    }

    /** Parsing and answering one query. */
    @Benchmark
    public int lookup() {
        next = next + 1 & QUERIES - 1;
        views[0].parse(query[next], length[next]);
        return reader.lookup(views[0], Workload.CREATED + 30, replies[0], limits[0]);
    }

    /** Parsing and answering 32 queries at once; the figure is for one. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int lookupBatch() {
        for (int i = 0; i < BATCH; i++) {
            next = next + 1 & QUERIES - 1;
            views[i].parse(query[next], length[next]);
        }
        reader.lookupBatch(views, BATCH, Workload.CREATED + 30, replies, limits, lengths);
        return lengths[BATCH - 1];
    }

    /** Putting an answer in the place of the one with the same key. */
    @Benchmark
    public Insertion replace() {
        next = next + 1 & QUERIES - 1;
        return writer.insert(answers[next & ANSWERS - 1], Workload.CREATED + 30);
    }
}
