package io.ananas.server;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheReader;
import io.ananas.message.Fault;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.QueryView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Asks the cache for what is alive, for who finds answers beside the hot path. Thread-safe. */
final class CacheProbe {
    /** What the cache may read or write behind a message. */
    private static final int SLACK = 64;

    /** What one question at a time needs. */
    private final class Desk {
        private final CacheReader reader = cache.newReader();
        private final QueryView view = new QueryView();
        private final MemorySegment query = room();
        private final MemorySegment reply = room();

        private static MemorySegment room() {
            return Arena.ofAuto().allocate((long) MessageLayout.MAX_MESSAGE + SLACK);
        }

        @Nullable MessageView find(byte[] name, int from, int type, boolean unchecked, int now) {
            final byte[] question = ForwardQuery.withDo(name, from, type, unchecked);
            Memory.copyFrom(question, 0, query.address(), question.length);
            view.parse(query.address(), question.length);
            final int length = reader.lookup(view, now, reply.address(), MessageLayout.MAX_MESSAGE);
            if (length == 0 || (reader.notes(0) & (CacheReader.STALE | CacheReader.FAILURE)) != 0) {
                return null;
            }
            final byte[] octets = new byte[length];
            Memory.copyTo(reply.address(), octets, 0, length);
            final MessageView found = new MessageView();
            return found.parse(octets, length) == Fault.NONE ? found : null;
        }
    }

    private final AnswerCache cache;
    private final InstantSource clock;
    private final Queue<Desk> idle = new ConcurrentLinkedQueue<>();

    CacheProbe(AnswerCache cache, InstantSource clock) {
        this.cache = cache;
        this.clock = clock;
    }

    /**
     * The answer that is alive, with its DNSSEC records, and with AD if it was validated; null if
     * there is none.
     *
     * @param name a name in wire format, of which the labels from octet {@code from} on count
     * @param unchecked whether one that was not validated will do, too
     */
    @Nullable MessageView find(byte[] name, int from, int type, boolean unchecked) {
        final Desk known = idle.poll();
        final Desk desk = known != null ? known : new Desk();
        try {
            return desk.find(name, from, type, unchecked, (int) (clock.millis() / 1_000));
        } finally {
            idle.add(desk);
        }
    }

    /** Where the parent of the name that begins at an octet begins; the root is its own. */
    static int parent(byte[] name, int at) {
        return name[at] == 0 ? at : at + 1 + name[at];
    }
}
