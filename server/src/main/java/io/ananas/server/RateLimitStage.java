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
        for (int k = 0; k < count; k++) {
            final int i = round.open(k);
            if (limiter.tryTake(batch.clientAddress(i), batch.clientAddressLength(i), nanos)) {
                round.keep(kept++, i);
            } else {
                counters.rateLimited.add(1);
                if (batch.isStream(i)) {
                    Replies.error(batch, i, round.query(i), ResponseCode.REFUSED, null);
                }
            }
        }
        round.keepFirst(kept);
    }
}
