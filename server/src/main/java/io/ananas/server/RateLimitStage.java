package io.ananas.server;

import io.ananas.message.QueryBatch;
import io.ananas.message.ResponseCode;

/**
 * Holds each client to its rate. Over UDP the sender may be forged, so what is too much gets no
 * reply; a stream proves its sender, who is told.
 */
final class RateLimitStage implements Stage {
    private final RateLimiter limiter;
    private final PipelineCounters counters;

    RateLimitStage(RateLimiter limiter, PipelineCounters counters) {
        this.limiter = limiter;
        this.counters = counters;
    }

    @Override
    public String name() {
        return "rate limit";
    }

    @Override
    public void apply(Round round) {
        if (limiter.isUnlimited()) {
            return;
        }
        final QueryBatch batch = round.batch();
        final long nanos = System.nanoTime();
        final int count = round.openCount();
        int kept = 0;
        int end;
        for (int from = 0; from < count; from = end) {
            final long client = client(batch, round.open(from));
            end = from + 1;
            while (end < count && client(batch, round.open(end)) == client) {
                end++;
            }
            final int within = from + limiter.take(client, end - from, nanos);
            for (int k = from; k < within; k++) {
                round.keep(kept++, round.open(k));
            }
            for (int k = within; k < end; k++) {
                refuse(batch, round.open(k), round);
            }
        }
        round.keepFirst(kept);
    }

    private static long client(QueryBatch batch, int i) {
        return RateLimiter.client(batch.clientAddress(i), batch.clientAddressLength(i));
    }

    private void refuse(QueryBatch batch, int i, Round round) {
        counters.rateLimited.add(1);
        if (batch.isStream(i)) {
            Replies.error(batch, i, round.query(i), ResponseCode.REFUSED, null);
        }
    }
}
