package io.ananas.benchmarks.measure;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.cache.CacheReader;
import io.ananas.cache.CacheWriter;
import io.ananas.cache.Insertion;
import io.ananas.message.Fault;
import io.ananas.message.Memory;
import io.ananas.message.MessageView;
import io.ananas.message.QueryView;
import io.ananas.testkit.Workload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.DoubleConsumer;

/**
 * Fills a cache with the reference workload and looks it up: one fill and its passes, measured as
 * the reference measures itself.
 *
 * <p>An insertion starts from a parsed answer and ends with the entry in the cache; answers are
 * made and parsed in chunks outside the timed region. A lookup starts from the octets of a query,
 * in a stream that is read front to back, and ends with the whole response written; so the parsing
 * of the query is in the figure. One thread.
 */
public final class CacheMeasurement implements AutoCloseable {
    private static final int CHUNK = 512;
    private static final int BATCH = 32;
    private static final int SLACK = 64;
    private static final int MEAN_QUERY = 48;
    private static final int STRIDE = CacheReader.MIN_CAPACITY + SLACK;

    private final int entries;
    private final AnswerCache cache;
    private final CacheReader reader;
    private final Arena arena = Arena.ofShared();
    private final long replies;
    private final QueryView[] views = new QueryView[BATCH];
    private final long[] replyAddress = new long[BATCH];
    private final int[] limits = new int[BATCH];
    private final int[] lengths = new int[BATCH];
    private long allocated;

    public CacheMeasurement(int entries, CacheOptions options) {
        this.entries = entries;
        cache = AnswerCache.open(options, new Random(entries));
        reader = cache.newReader();
        replies = arena.allocate((long) BATCH * STRIDE, SLACK).address();
        for (int i = 0; i < BATCH; i++) {
            views[i] = new QueryView();
            replyAddress[i] = replies + (long) i * STRIDE;
            limits[i] = CacheReader.MIN_CAPACITY - 8;
        }
    }

    public AnswerCache cache() {
        return cache;
    }

    /**
     * Inserts all entries.
     *
     * @param progress told the share that is done, now and then, outside the timed regions
     * @return nanoseconds that the insertions took
     */
    public long fill(DoubleConsumer progress) {
        final CacheWriter writer = cache.newWriter();
        final Workload workload = new Workload();
        final MessageView[] chunk = new MessageView[CHUNK];
        for (int i = 0; i < CHUNK; i++) {
            chunk[i] = new MessageView();
        }
        final byte[] scratch = new byte[1_200];
        long nanos = 0;
        for (int from = 0; from < entries; from += CHUNK) {
            final int count = Math.min(CHUNK, entries - from);
            for (int i = 0; i < count; i++) {
                final int length = workload.generate(from + i).response(scratch);
                if (chunk[i].parse(java.util.Arrays.copyOf(scratch, length), length)
                        != Fault.NONE) {
                    throw new IllegalStateException("entry " + (from + i) + " is no sound answer");
                }
            }
            final long before = Allocation.octets();
            nanos += insert(writer, chunk, count);
            allocated += Allocation.octets() - before;
            progress.accept((double) from / entries);
        }
        return nanos;
    }

    /** Octets that the insertions allocated on the heap. */
    public long allocated() {
        return allocated;
    }

    private static long insert(CacheWriter writer, MessageView[] chunk, int count) {
        final long start = System.nanoTime();
        int stored = 0;
        for (int i = 0; i < count; i++) {
            stored += writer.insert(chunk[i], Workload.CREATED) == Insertion.STORED ? 1 : 0;
        }
        final long nanos = System.nanoTime() - start;
        if (stored != count) {
            throw new IllegalStateException("stored " + stored + " of " + count + " answers");
        }
        return nanos;
    }

    /** A stream of queries in native memory, read front to back like packets. */
    public static final class Stream implements AutoCloseable {
        private final Arena arena = Arena.ofShared();
        private final MemorySegment octets;
        private final int[] offsets;

        private Stream(int queries) {
            octets = arena.allocate((long) queries * MEAN_QUERY * 2 + SLACK, SLACK);
            offsets = new int[queries + 1];
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    public Stream stream(Workload.Picks picks, int count) {
        final Stream stream = new Stream(count);
        final int[] offsets = stream.offsets;
        final Workload workload = new Workload();
        int at = 0;
        for (int i = 0; i < count; i++) {
            offsets[i] = at;
            at += workload.generate(picks.next()).query(i & 0xffff, stream.octets.address() + at);
        }
        offsets[count] = at;
        return stream;
    }

    /** Looks up queries {@code from} to {@code to} one at a time; nanoseconds in all. */
    public long lookup(Stream stream, int from, int to) {
        final long base = stream.octets.address();
        final int[] offsets = stream.offsets;
        final QueryView view = views[0];
        final int now = Workload.CREATED + Workload.AGE;
        final long start = System.nanoTime();
        int hits = 0;
        for (int i = from; i < to; i++) {
            view.parse(base + offsets[i], offsets[i + 1] - offsets[i]);
            hits += reader.lookup(view, now, replies, CacheReader.MIN_CAPACITY - 8) > 0 ? 1 : 0;
        }
        final long nanos = System.nanoTime() - start;
        requireAll(hits, to - from);
        return nanos;
    }

    /** As {@link #lookup}, in batches of 32. */
    public long lookupBatches(Stream stream, int from, int to) {
        final long base = stream.octets.address();
        final int[] offsets = stream.offsets;
        final int now = Workload.CREATED + Workload.AGE;
        final long start = System.nanoTime();
        int hits = 0;
        for (int at = from; at < to; at += BATCH) {
            final int count = Math.min(BATCH, to - at);
            for (int i = 0; i < count; i++) {
                views[i].parse(base + offsets[at + i], offsets[at + i + 1] - offsets[at + i]);
            }
            reader.lookupBatch(views, count, now, replyAddress, limits, lengths);
            for (int i = 0; i < count; i++) {
                hits += lengths[i] > 0 ? 1 : 0;
            }
        }
        final long nanos = System.nanoTime() - start;
        requireAll(hits, to - from);
        return nanos;
    }

    /** FNV-1a of the responses for entries 0 to {@code count} less one, ids from 16 on. */
    public String digest(int count) {
        final Workload workload = new Workload();
        final QueryView view = views[0];
        long fnv = 0xcbf29ce484222325L;
        try (Arena scratch = Arena.ofConfined()) {
            final long query = scratch.allocate(512, 8).address();
            for (int i = 0; i < count; i++) {
                view.parse(query, workload.generate(i).query(i + 16 & 0xffff, query));
                final int octets =
                        reader.lookup(
                                view,
                                Workload.CREATED + Workload.AGE,
                                replies,
                                CacheReader.MIN_CAPACITY - 8);
                if (octets == 0) {
                    throw new IllegalStateException("entry " + i + " is not in the cache");
                }
                for (int k = 0; k < octets; k++) {
                    fnv = (fnv ^ Memory.getUnsignedByte(replies + k)) * 0x100000001b3L;
                }
            }
        }
        return Long.toHexString(fnv);
    }

    private static void requireAll(int hits, int asked) {
        if (hits != asked) {
            throw new IllegalStateException("found " + hits + " of " + asked + " answers");
        }
    }

    @Override
    public void close() {
        cache.close();
        arena.close();
    }
}
