package io.ananas.message;

/**
 * What a listener hands its packets to: the port between {@code transport} and {@code server}.
 *
 * <p>A handler is made per listener thread, so it may keep scratch memory without synchronisation.
 * It must not throw for anything a packet holds, must not block, and leaves what it cannot answer
 * at once by {@link QueryBatch#detach}.
 */
@FunctionalInterface
public interface QueryHandler {
    void handle(QueryBatch batch);
}
