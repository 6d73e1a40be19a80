package io.ananas.server;

import io.ananas.cache.CacheReader;
import io.ananas.message.Edns;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where a detached query is answered: by the same cache lookup as on the hot path, so that a fresh
 * answer and a cached one are the same, or, if the cache did not take the answer, from the response
 * itself. Not thread-safe.
 */
final class AnswerDesk {
    /** What the cache may read or write behind a message. */
    private static final int SLACK = 64;

    private static final int ADDRESS = 16;

    private final CacheReader reader;
    private final @Nullable SubnetChoice subnets;
    private final int maxTtl;
    private final QueryView view = new QueryView();
    private final MemorySegment queryRoom =
            Arena.ofAuto().allocate((long) MessageLayout.MAX_MESSAGE + SLACK + ADDRESS);
    private final MemorySegment replyRoom =
            Arena.ofAuto().allocate((long) MessageLayout.MAX_MESSAGE + SLACK);

    /**
     * @param subnets null where nobody's subnet counts
     * @param maxTtl the longest TTL that a client sees
     */
    AnswerDesk(CacheReader reader, @Nullable SubnetChoice subnets, int maxTtl) {
        this.reader = reader;
        this.subnets = subnets;
        this.maxTtl = maxTtl;
    }

    /**
     * Answers one client.
     *
     * @param cached whether the response is in the cache
     * @param now seconds since 1970
     */
    void answer(QueryBatch.Pending client, ForwardResult.Answered answer, boolean cached, int now) {
        final int limit = read(client);
        final int length = cached ? lookup(client, now, limit) : 0;
        if (length > 0) {
            reply(client, length);
        } else {
            final byte[] message =
                    UncachedAnswer.build(client.query(), view, answer, maxTtl, limit);
            client.reply(message, message.length);
        }
    }

    private int lookup(QueryBatch.Pending client, int now, int limit) {
        final long reply = replyRoom.address();
        if (subnets != null && isTailored(client, subnets)) {
            return reader.lookupSubnet(
                    view, subnets.family(), subnets.address(), subnets.source(), now, reply, limit);
        }
        return reader.lookup(view, now, reply, limit);
    }

    private int lookupStale(QueryBatch.Pending client, int now) {
        final int limit = read(client);
        final long reply = replyRoom.address();
        if (subnets != null && isTailored(client, subnets)) {
            return reader.lookupStaleSubnet(
                    view, subnets.family(), subnets.address(), subnets.source(), now, reply, limit);
        }
        return reader.lookupStale(view, now, reply, limit);
    }

    private boolean isTailored(QueryBatch.Pending client, SubnetChoice choice) {
        final byte[] address = client.clientAddress();
        final long at = queryRoom.address() + MessageLayout.MAX_MESSAGE + SLACK;
        Memory.copyFrom(address, 0, at, address.length);
        return choice.choose(view, at, address.length);
    }

    /** Whether an expired answer could be given to a client. */
    boolean hasStale(QueryBatch.Pending client, int now) {
        return lookupStale(client, now) > 0;
    }

    /** Answers a client with an expired answer; false if there is none. */
    boolean answerStale(QueryBatch.Pending client, int now) {
        final int length = lookupStale(client, now);
        if (length > 0) {
            reply(client, length);
        }
        return length > 0;
    }

    /** Parses a client's query; returns the octets that it takes. */
    private int read(QueryBatch.Pending client) {
        final byte[] octets = client.query();
        Memory.copyFrom(octets, 0, queryRoom.address(), octets.length);
        view.parse(queryRoom.address(), octets.length);
        return client.isStream()
                ? MessageLayout.MAX_MESSAGE
                : Math.min(Edns.PAYLOAD_SIZE, view.payloadSize());
    }

    private void reply(QueryBatch.Pending client, int length) {
        final byte[] message = new byte[length];
        Memory.copyTo(replyRoom.address(), message, 0, length);
        client.reply(message, length);
    }
}
