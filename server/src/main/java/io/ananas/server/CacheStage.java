package io.ananas.server;

import io.ananas.cache.CacheReader;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import org.jspecify.annotations.Nullable;

/**
 * Answers what is known, in place: answers, failures that are remembered, and stale answers in
 * their place. A batch is looked up together; queries whose answer may depend on the client's
 * subnet one by one. An answer that should be renewed goes out, and its question to the resolver.
 */
final class CacheStage implements Stage {
    private final CacheReader reader;
    private final Resolver resolver;
    private final @Nullable SubnetChoice subnets;
    private final PipelineCounters counters;
    private final QueryView[] queries = new QueryView[CacheReader.MAX_BATCH];
    private final long[] replies = new long[CacheReader.MAX_BATCH];
    private final int[] limits = new int[CacheReader.MAX_BATCH];
    private final int[] lengths = new int[CacheReader.MAX_BATCH];

    CacheStage(
            CacheReader reader,
            Resolver resolver,
            SubnetPolicy subnets,
            PipelineCounters counters) {
        this.reader = reader;
        this.resolver = resolver;
        this.subnets = subnets.isOn() ? new SubnetChoice(subnets) : null;
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
        if (subnets == null) {
            for (int from = 0; from < count; from += CacheReader.MAX_BATCH) {
                kept = lookUp(round, from, Math.min(CacheReader.MAX_BATCH, count - from), kept);
            }
        } else {
            for (int k = 0; k < count; k++) {
                kept = lookUpSubnet(round, k, kept, subnets);
            }
        }
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
        int plain = 0;
        for (int k = 0; k < count; k++) {
            final int i = round.open(from + k);
            if (lengths[k] == 0) {
                round.keep(kept++, i);
                continue;
            }
            batch.reply(i, lengths[k]);
            final int notes = reader.notes(k);
            if ((notes & ~CacheReader.UNCHECKED) == 0) {
                plain++;
            } else {
                note(batch, i, queries[k], notes);
            }
        }
        counters.hits.add(plain);
        return kept;
    }

    private int lookUpSubnet(Round round, int k, int kept, SubnetChoice choice) {
        final QueryBatch batch = round.batch();
        final int i = round.open(k);
        final QueryView query = round.query(i);
        if (!choice.choose(query, batch.clientAddress(i), batch.clientAddressLength(i))) {
            return lookUp(round, k, 1, kept);
        }
        final int length =
                reader.lookupSubnet(
                        query,
                        choice.family(),
                        choice.address(),
                        choice.source(),
                        round.now(),
                        batch.replyAddress(i),
                        Replies.limit(batch, i, query));
        if (length == 0) {
            round.keep(kept, i);
            return kept + 1;
        }
        batch.reply(i, length);
        note(batch, i, query, reader.notes(0));
        return kept;
    }

    private void note(QueryBatch batch, int i, QueryView query, int notes) {
        if ((notes & CacheReader.FAILURE) != 0) {
            counters.failures.add(1);
        } else if ((notes & CacheReader.STALE) != 0) {
            counters.stale.add(1);
        } else {
            counters.hits.add(1);
            if ((notes & CacheReader.RENEW) != 0) {
                resolver.renew(query, batch, i, (notes & CacheReader.UNCHECKED) != 0);
            }
        }
    }
}
