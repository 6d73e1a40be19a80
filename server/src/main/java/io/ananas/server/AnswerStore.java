package io.ananas.server;

import io.ananas.cache.Insertion;
import io.ananas.message.MessageView;
import io.ananas.message.QueryView;

/** The answer cache as the pipeline sees it. Thread-safe but for the readers. */
interface AnswerStore {
    /** A reader for one thread. */
    Reader newReader();

    /**
     * Offers a response to the cache.
     *
     * @param now seconds since 1970
     */
    Insertion insert(MessageView response, int now);

    /** Looks up answers; for one thread. */
    interface Reader {
        /**
         * Writes the complete response to {@code query} at {@code reply}.
         *
         * @param now seconds since 1970
         * @param limit octets that the client takes; a longer response is written without records
         *     and with TC set
         * @return octets written; 0 for a miss
         */
        int lookup(QueryView query, int now, long reply, int limit);
    }
}
