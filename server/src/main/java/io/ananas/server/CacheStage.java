package io.ananas.server;

import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;

/** Answers what is known, in place. */
final class CacheStage implements Stage {
    private final AnswerStore.Reader reader;
    private final PipelineCounters counters;

    CacheStage(AnswerStore.Reader reader, PipelineCounters counters) {
        this.reader = reader;
        this.counters = counters;
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public void apply(Round round) {
        final QueryBatch batch = round.batch();
        final AnswerStore.Reader r = reader;
        final int now = round.now();
        final int count = round.openCount();
        int kept = 0;
        for (int k = 0; k < count; k++) {
            final int i = round.open(k);
            final QueryView query = round.query(i);
            final int length =
                    r.lookup(query, now, batch.replyAddress(i), Replies.limit(batch, i, query));
            if (length == 0) {
                round.keep(kept++, i);
            } else {
                batch.reply(i, length);
            }
        }
        counters.hits.add(count - kept);
        round.keepFirst(kept);
    }
}
