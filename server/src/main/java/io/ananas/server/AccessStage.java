package io.ananas.server;

import io.ananas.message.ExtendedError;
import io.ananas.message.QueryBatch;
import io.ananas.message.ResponseCode;

/** Refuses clients that are not on the list. */
final class AccessStage implements Stage {
    private final AccessList access;
    private final PipelineCounters counters;

    AccessStage(AccessList access, PipelineCounters counters) {
        this.access = access;
        this.counters = counters;
    }

    @Override
    public String name() {
        return "access";
    }

    @Override
    public void apply(Round round) {
        final QueryBatch batch = round.batch();
        final int count = round.openCount();
        int kept = 0;
        for (int k = 0; k < count; k++) {
            final int i = round.open(k);
            if (access.contains(batch.clientAddress(i), batch.clientAddressLength(i))) {
                round.keep(kept++, i);
            } else {
                counters.prohibited.add(1);
                Replies.error(
                        batch, i, round.query(i), ResponseCode.REFUSED, ExtendedError.PROHIBITED);
            }
        }
        round.keepFirst(kept);
    }
}
