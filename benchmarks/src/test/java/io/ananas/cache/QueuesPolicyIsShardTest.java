package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ananas.benchmarks.policy.EvictionPolicy;
import io.ananas.benchmarks.policy.PolicyKind;
import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The policy that {@code bench hit-ratio --policy} calls ours is what a shard does: both are given
 * the same requests, with TTLs, and find the same number of answers, to within half a point in a
 * hundred, where CLOCK is several points away. Entries are of equal length, so that octets and
 * entries are the same measure. They need not keep the very same entries: a shard moves its border
 * in steps, and hashes with a secret.
 */
class QueuesPolicyIsShardTest {
    private static final int START = 1_700_000_000;
    private static final int KEYS = 60_000;
    private static final int REQUESTS = 400_000;
    private static final int TTL = 3_000;
    private static final int CODE_OCTETS = 9;
    private static final int MEAN = 77;

    private final List<byte[]> names = new ArrayList<>();

    @Test
    void sameHitRatio() {
        final CacheOptions options =
                CacheOptions.ofSize(CacheOptions.MIN_SIZE).withMeanEntry(MEAN).withHugePages(false);
        try (Arena arena = Arena.ofConfined();
                AnswerCache cache = AnswerCache.open(options, new Random(3));
                CacheReader reader = cache.newReader()) {
            assertThat(cache.stats().shards()).isEqualTo(1);
            collectNames(arena);
            final int capacity = fill(cache);
            replay(arena, cache, reader, capacity);
        }
    }

    /** Names whose codes are equally long. */
    private void collectNames(Arena arena) {
        final MemorySegment wire = arena.allocate(64, 8);
        final long code = arena.allocate(NameCode.MAX_ENCODED + 64, 8).address();
        for (int i = 0; names.size() < KEYS; i++) {
            final byte[] name = Name.of("k" + (1_000_000 + i) + ".test").wire();
            MemorySegment.copy(name, 0, wire, ValueLayout.JAVA_BYTE, 8, name.length);
            if (NameCode.encode(wire.address() + 8, name.length - 1, code) == CODE_OCTETS) {
                names.add(name);
            }
            assertThat(i).as("names looked at").isLessThan(9_000_000);
        }
    }

    /** The number of entries in a full cache. */
    private int fill(AnswerCache cache) {
        for (int key = 0; key < KEYS; key++) {
            assertThat(cache.insert(answer(key), START)).isEqualTo(Insertion.STORED);
        }
        final CacheStats stats = cache.stats();
        assertThat(stats.evictions()).isPositive();
        cache.flushAll();
        return (int) stats.entries();
    }

    private void replay(Arena arena, AnswerCache cache, CacheReader reader, int capacity) {
        final long[] now = {START};
        final long[] expiry = new long[KEYS];
        final long[] clockExpiry = new long[KEYS];
        final EvictionPolicy ours =
                PolicyKind.ANANAS.create(capacity, KEYS, key -> expiry[key] <= now[0]);
        final EvictionPolicy clock = PolicyKind.CLOCK.create(capacity, KEYS, key -> false);
        final MemorySegment query = arena.allocate(128, 8);
        final long reply = arena.allocate(CacheReader.MIN_CAPACITY + 64, 8).address();
        final QueryView view = new QueryView();
        final Random random = new Random(11);
        int oursHits = 0;
        int clockHits = 0;
        int shardHits = 0;
        for (int i = 0; i < REQUESTS; i++) {
            now[0] = START + i / 100L;
            final int key = (int) (KEYS * Math.pow(random.nextDouble(), 4));
            oursHits += ask(ours, expiry, key, now[0]) ? 1 : 0;
            clockHits += ask(clock, clockExpiry, key, now[0]) ? 1 : 0;
            assertThat(view.parse(query.address(), ask(key, query))).isZero();
            if (reader.lookup(view, (int) now[0], reply, 1_000) > 0) {
                shardHits++;
            } else {
                cache.insert(answer(key), (int) now[0]);
            }
        }
        final double share = 100.0 / REQUESTS;
        assertThat(shardHits * share)
                .as(
                        "points; ours %d, clock %d of %d, %d entries",
                        oursHits, clockHits, REQUESTS, capacity)
                .isCloseTo(oursHits * share, within(0.5));
        assertThat((oursHits - clockHits) * share).isGreaterThan(2);
    }

    private static boolean ask(EvictionPolicy policy, long[] expiry, int key, long now) {
        final boolean kept = policy.contains(key);
        if (kept && expiry[key] > now) {
            policy.hit(key);
            return true;
        }
        expiry[key] = now + TTL;
        if (kept) {
            policy.renew(key);
        } else {
            policy.insert(key);
        }
        return false;
    }

    /** Four addresses, so that an entry has {@link #MEAN} octets. */
    private MessageView answer(int key) {
        final byte[] name = names.get(key);
        final ByteBuffer out = ByteBuffer.allocate(256);
        out.putShort((short) 0).putShort((short) 0x8180).putInt(0x1_0004).putInt(0);
        out.put(name).putInt(0x1c_0001);
        for (int i = 0; i < 4; i++) {
            out.putShort((short) 0xc00c).putInt(0x1c_0001).putInt(TTL).putShort((short) 16);
            out.putLong(i).putLong(key);
        }
        final MessageView view = new MessageView();
        assertThat(view.parse(out.array(), out.position())).isEqualTo(Fault.NONE);
        return view;
    }

    private int ask(int key, MemorySegment query) {
        final byte[] name = names.get(key);
        final ByteBuffer out = query.asByteBuffer();
        out.putShort((short) 0).putShort((short) 0x0100).putInt(0x1_0000).putInt(0);
        out.put(name).putInt(0x1c_0001);
        return out.position();
    }
}
