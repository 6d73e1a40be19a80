package io.ananas.server;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import io.ananas.message.ResponseCode;

/**
 * Hands what is left to the resolver, which answers from other threads. A client that does not want
 * recursion gets none (RFC 1034, section 4.3.1): what is not in the cache is refused. What the
 * stages before have answered goes out first, so that no hit waits for a miss.
 */
final class ResolveStage implements Stage {
    private final Resolver resolver;
    private final PipelineCounters counters;

    ResolveStage(Resolver resolver, PipelineCounters counters) {
        this.resolver = resolver;
        this.counters = counters;
    }

    @Override
    public String name() {
        return "resolve";
    }

    @Override
    public void apply(Round round) {
        final QueryBatch batch = round.batch();
        batch.flush();
        final int count = round.openCount();
        for (int k = 0; k < count; k++) {
            final int i = round.open(k);
            final QueryView query = round.query(i);
            if ((query.flags() & MessageLayout.RD) == 0) {
                counters.refused.add(1);
                Replies.error(
                        batch, i, query, ResponseCode.REFUSED, ExtendedError.NOT_AUTHORITATIVE);
            } else if (resolver.resolve(query, batch, i)) {
                counters.misses.add(1);
            } else {
                counters.overloaded.add(1);
                Replies.error(batch, i, query, ResponseCode.SERVFAIL, ExtendedError.OTHER);
            }
        }
        round.keepFirst(0);
    }
}
