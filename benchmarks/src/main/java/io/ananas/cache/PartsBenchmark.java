package io.ananas.cache;

import io.ananas.message.QueryView;
import io.ananas.testkit.Workload;
import java.lang.foreign.Arena;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a lookup does besides going to memory: parse the query, hash the name; and what names cost
 * in code. One of many names at a time, in random order, so that branches are as hard to foresee as
 * in traffic.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PartsBenchmark {
    private static final int NAMES = 1 << 14;
    private static final int ROOM = 256;

    private final Arena arena = Arena.ofShared();
    private final long[] query = new long[NAMES];
    private final int[] length = new int[NAMES];
    private final long[] name = new long[NAMES];
    private final int[] nameLength = new int[NAMES];
    private final long[] coded = new long[NAMES];
    private final long code = arena.allocate(NameCode.MAX_ENCODED, 64).address();
    private final QueryView view = new QueryView();
    private final KeyHash hashes = new KeyHash(new Random(1));
    private int next;

    /** Makes the queries. */
    @Setup
    public void queries() {
        final Workload workload = new Workload();
        final Random random = new Random(2);
        for (int i = 0; i < NAMES; i++) {
            query[i] = arena.allocate(ROOM, 8).address();
            length[i] = workload.generate(random.nextInt(Workload.MAX_ENTRIES)).query(i, query[i]);
            view.parse(query[i], length[i]);
            name[i] = view.nameAddress();
            nameLength[i] = view.nameLength();
            coded[i] = arena.allocate(NameCode.MAX_ENCODED, 8).address();
            NameCode.encode(name[i], nameLength[i] - 1, coded[i]);
        }
    }

    @TearDown
    public void close() {
        arena.close();
    }

    private int step() {
        next = next + 1 & NAMES - 1;
        return next;
    }

    /** Parsing a query. */
    @Benchmark
    public int parse() {
        final int i = step();
        return view.parse(query[i], length[i]);
    }

    /** Hashing a key. */
    @Benchmark
    public long hash() {
        final int i = step();
        return hashes.of(name[i], nameLength[i], 1, 0);
    }

    /** Coding a name. */
    @Benchmark
    public int encode() {
        final int i = step();
        return NameCode.encode(name[i], nameLength[i] - 1, code);
    }

    /** Comparing a name with its code. */
    @Benchmark
    public int match() {
        final int i = step();
        return NameCode.match(name[i], nameLength[i] - 1, coded[i]);
    }

    /** Coding a name and decoding it again. */
    @Benchmark
    public long encodeAndDecode() {
        final int i = step();
        final int octets = NameCode.encode(name[i], nameLength[i] - 1, code);
        return NameDecoder.decode(code, code + octets + 8, name[i]);
    }
}
