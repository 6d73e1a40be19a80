package io.ananas.server;

import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;

/** Who answers what the cache cannot. Thread-safe. */
interface Resolver {
    /**
     * Takes packet {@code i} out of the batch, to answer it later; does not block.
     *
     * @param query that packet, parsed
     * @return false if there is too much in hand already; the packet then stays in the batch, and
     *     the caller has to answer it
     */
    boolean resolve(QueryView query, QueryBatch batch, int i);

    /**
     * Fetches anew what the cache has just given for packet {@code i}, which stays in the batch;
     * does not block, and may do nothing.
     *
     * @param unchecked whether that was an answer which is for clients with CD only
     */
    default void renew(QueryView query, QueryBatch batch, int i, boolean unchecked) {}
}
