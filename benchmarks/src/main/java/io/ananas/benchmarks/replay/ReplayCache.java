package io.ananas.benchmarks.replay;

import io.ananas.benchmarks.ladder.HeapReplayCache;
import io.ananas.benchmarks.trace.Trace;
import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.cache.CacheReader;
import io.ananas.cache.CacheStats;
import io.ananas.message.ClientSubnet;
import io.ananas.message.Memory;
import io.ananas.message.MessageView;
import io.ananas.message.QueryView;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A cache that a trace is replayed through: asked with packets, filled with answers. */
sealed interface ReplayCache extends AutoCloseable {
    /**
     * Asks.
     *
     * @param packet the query, {@code length} octets
     * @param subnet of the client, from 1 on; 0 where answers are for everyone
     * @return whether there was an answer
     */
    boolean lookup(byte[] packet, int length, int subnet, int now);

    void insert(MessageView answer, int subnet, int now);

    long entries();

    double octetsPerEntry();

    @Override
    void close();

    /** Step 0 or 5 of the ladder. */
    static ReplayCache heap(int step, long budget, Trace trace) {
        return new Heap(HeapReplayCache.of(step, budget, trace));
    }

    /** The answer cache itself. */
    static ReplayCache ananas(long budget) {
        return new Ananas(budget);
    }

    /** On the heap, a subnet being a tag of the key. */
    record Heap(HeapReplayCache cache) implements ReplayCache {
        private static byte @Nullable [] tag(int subnet) {
            return subnet == 0 ? null : new byte[] {10, (byte) (subnet >>> 8), (byte) subnet, 24};
        }

        @Override
        public boolean lookup(byte[] packet, int length, int subnet, int now) {
            return cache.lookup(packet, tag(subnet), now);
        }

        @Override
        public void insert(MessageView answer, int subnet, int now) {
            cache.insert(answer, tag(subnet), now);
        }

        @Override
        public long entries() {
            return cache.capacity();
        }

        @Override
        public double octetsPerEntry() {
            return cache.octetsPerEntry();
        }

        @Override
        public void close() {}
    }

    /** Off the heap, a subnet being that of RFC 7871. */
    final class Ananas implements ReplayCache {
        private static final int PREFIX = 24;
        private static final int LIMIT = 65_535;

        private final AnswerCache cache;
        private final CacheReader reader;
        private final Arena arena = Arena.ofConfined();
        private final long query = arena.allocate(1 << 16, 8).address();
        private final long reply = arena.allocate((1 << 16) + 64, 8).address();
        private final long address = arena.allocate(16, 8).address();
        private final QueryView view = new QueryView();

        private Ananas(long budget) {
            cache = AnswerCache.open(CacheOptions.ofSize(budget), new Random(budget));
            reader = cache.newReader();
        }

        @Override
        public boolean lookup(byte[] packet, int length, int subnet, int now) {
            Memory.copyFrom(packet, 0, query, length);
            if (view.parse(query, length) != QueryView.ANSWERABLE) {
                throw new IllegalStateException("a query of the trace cannot be parsed");
            }
            if (subnet == 0) {
                return reader.lookup(view, now, reply, LIMIT) > 0;
            }
            Memory.putIntBE(address, 10 << 24 | subnet << 8);
            return reader.lookupSubnet(view, ClientSubnet.IPV4, address, PREFIX, now, reply, LIMIT)
                    > 0;
        }

        @Override
        public void insert(MessageView answer, int subnet, int now) {
            if (subnet == 0) {
                cache.insert(answer, now);
                return;
            }
            final String text = "10." + (subnet >>> 8) + "." + (subnet & 255) + ".0";
            final ClientSubnet client = ClientSubnet.of(InetAddress.ofLiteral(text), PREFIX);
            cache.insert(answer, client.withScope(PREFIX), now);
        }

        @Override
        public long entries() {
            return cache.entries();
        }

        @Override
        public double octetsPerEntry() {
            final CacheStats stats = cache.stats();
            return stats.octetsPerEntry();
        }

        @Override
        public void close() {
            cache.close();
            arena.close();
        }
    }
}
