package io.ananas.server;

import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;

/**
 * A batch of packets on its way through the stages: each packet parsed, and the list of those that
 * nobody has dealt with yet. One per listener thread, used again and again.
 */
final class Round {
    private static final int INITIAL = 64;

    private QueryView[] queries = views(INITIAL);
    private int[] outcomes = new int[INITIAL];
    private int[] open = new int[INITIAL];
    private int openCount;
    private QueryBatch batch = EmptyBatch.INSTANCE;
    private int now;

    private static QueryView[] views(int count) {
        final QueryView[] views = new QueryView[count];
        for (int i = 0; i < count; i++) {
            views[i] = new QueryView();
        }
        return views;
    }

    /**
     * Parses the packets of a batch; those to be dropped in silence are not open.
     *
     * @param now seconds since 1970
     */
    void begin(QueryBatch batch, int now) {
        this.batch = batch;
        this.now = now;
        final int size = batch.size();
        if (size > queries.length) {
            queries = views(size);
            outcomes = new int[size];
            open = new int[size];
        }
        int count = 0;
        for (int i = 0; i < size; i++) {
            final int outcome = queries[i].parse(batch.queryAddress(i), batch.queryLength(i));
            outcomes[i] = outcome;
            if (outcome != QueryView.DROP) {
                open[count++] = i;
            }
        }
        openCount = count;
    }

    QueryBatch batch() {
        return batch;
    }

    int now() {
        return now;
    }

    /** Packets that nobody has dealt with yet. */
    int openCount() {
        return openCount;
    }

    /** The index in the batch of the k-th open packet. */
    int open(int k) {
        return open[k];
    }

    /**
     * Keeps a packet open for the next stage. A stage walks all open packets in order, keeps some
     * by counting them from 0, and ends with {@link #keepFirst}.
     */
    void keep(int place, int packet) {
        open[place] = packet;
    }

    /** The first {@code count} are open now. */
    void keepFirst(int count) {
        openCount = count;
    }

    QueryView query(int packet) {
        return queries[packet];
    }

    /** What {@link QueryView#parse} said of the packet. */
    int outcome(int packet) {
        return outcomes[packet];
    }
}
