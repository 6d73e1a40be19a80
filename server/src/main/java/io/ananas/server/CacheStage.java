package io.ananas.server;

import io.ananas.cache.CacheReader;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;

/** Answers what is known, in place; a batch is looked up together. */
final class CacheStage implements Stage {
    private final CacheReader reader;
    private final PipelineCounters counters;
    private final QueryView[] queries = new QueryView[CacheReader.MAX_BATCH];
    private final long[] replies = new long[CacheReader.MAX_BATCH];
    private final int[] limits = new int[CacheReader.MAX_BATCH];
    private final int[] lengths = new int[CacheReader.MAX_BATCH];

    CacheStage(CacheReader reader, PipelineCounters counters) {
        this.reader = reader;
        this.counters = counters;
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public void apply(Round round) {
        final int count = round.openCount();
        int kept = 0;
        for (int from = 0; from < count; from += CacheReader.MAX_BATCH) {
            kept = lookUp(round, from, Math.min(CacheReader.MAX_BATCH, count - from), kept);
        }
        counters.hits.add(count - kept);
        round.keepFirst(kept);
    }

    private int lookUp(Round round, int from, int count, int keptBefore) {
        final QueryBatch batch = round.batch();
        for (int k = 0; k < count; k++) {
            final int i = round.open(from + k);
            queries[k] = round.query(i);
            replies[k] = batch.replyAddress(i);
            limits[k] = Replies.limit(batch, i, queries[k]);
        }
        if (count == 1) {
            lengths[0] = reader.lookup(queries[0], round.now(), replies[0], limits[0]);
        } else {
            reader.lookupBatch(queries, count, round.now(), replies, limits, lengths);
        }
        int kept = keptBefore;
        for (int k = 0; k < count; k++) {
            final int i = round.open(from + k);
            if (lengths[k] == 0) {
                round.keep(kept++, i);
            } else {
                batch.reply(i, lengths[k]);
            }
        }
        return kept;
    }
}
