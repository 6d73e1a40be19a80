package io.ananas.server;

import io.ananas.cache.CacheReader;
import io.ananas.message.Edns;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where a detached query is answered: by the same cache lookup as on the hot path, so that a fresh
 * answer and a cached one are the same, or, if the cache did not take the answer, from the response
 * itself. Not thread-safe.
 */
final class AnswerDesk {
    /** What the cache may read or write behind a message. */
    private static final int SLACK = 64;

    private final CacheReader reader;
    private final QueryView view = new QueryView();
    private final MemorySegment queryRoom =
            Arena.ofAuto().allocate((long) MessageLayout.MAX_MESSAGE + SLACK);
    private final MemorySegment replyRoom =
            Arena.ofAuto().allocate((long) MessageLayout.MAX_MESSAGE + SLACK);

    AnswerDesk(CacheReader reader) {
        this.reader = reader;
    }

    /**
     * Answers one client.
     *
     * @param cached whether the response is in the cache
     * @param now seconds since 1970
     */
    void answer(QueryBatch.Pending client, MessageView response, boolean cached, int now) {
        final byte[] octets = client.query();
        final long query = queryRoom.address();
        final long reply = replyRoom.address();
        Memory.copyFrom(octets, 0, query, octets.length);
        view.parse(query, octets.length);
        final int limit =
                client.isStream()
                        ? MessageLayout.MAX_MESSAGE
                        : Math.min(Edns.PAYLOAD_SIZE, view.payloadSize());
        final int length = cached ? reader.lookup(view, now, reply, limit) : 0;
        final byte[] message;
        if (length > 0) {
            message = new byte[length];
            Memory.copyTo(reply, message, 0, length);
        } else {
            message = UncachedAnswer.build(octets, view, response, limit);
        }
        client.reply(message, message.length);
    }
}
