package io.ananas.server;

import io.ananas.message.Edns;
import io.ananas.message.Fault;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;

/**
 * Answers special names and local data, whatever the cache holds. What begins with a local alias is
 * left to who resolves, as its target may be anywhere.
 *
 * <p>Only an answer allocates; for all other names {@link LocalNames} says no at once.
 */
final class LocalStage implements Stage {
    private static final int ECHOED = MessageLayout.RD | MessageLayout.CD;

    private final LocalNames names;
    private final PipelineCounters counters;
    private final int[] labels = new int[LocalNames.MAX_LABELS];

    LocalStage(LocalNames names, PipelineCounters counters) {
        this.names = names;
        this.counters = counters;
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public void apply(Round round) {
        final QueryBatch batch = round.batch();
        final int count = round.openCount();
        int kept = 0;
        for (int k = 0; k < count; k++) {
            final int i = round.open(k);
            final QueryView query = round.query(i);
            if (names.mayAnswer(query, labels) && answer(batch, i, query)) {
                counters.local.add(1);
            } else {
                round.keep(kept++, i);
            }
        }
        round.keepFirst(kept);
    }

    private boolean answer(QueryBatch batch, int i, QueryView query) {
        final byte[] wire = new byte[query.nameLength()];
        Memory.copyTo(query.nameAddress(), wire, 0, wire.length);
        final Name name = Name.ofWire(wire, 0);
        if (names.zones().isAlias(name, query.type())) {
            return false;
        }
        final byte[] found = names.zones().answer(name, query.type());
        if (found == null) {
            return false;
        }
        final MessageView view = new MessageView();
        if (view.parse(found, found.length) != Fault.NONE) {
            throw new IllegalStateException("an unsound local answer for " + name);
        }
        final byte[] response = response(query, name, view, Replies.limit(batch, i, query));
        Memory.copyFrom(response, 0, batch.replyAddress(i), response.length);
        batch.reply(i, response.length);
        return true;
    }

    private static byte[] response(QueryView query, Name name, MessageView answer, int limit) {
        final MessageWriter writer = start(query, name, answer, limit);
        for (int record = 0; record < answer.recordCount(); record++) {
            if (!writer.record(answer.section(record), answer, record)) {
                return start(query, name, answer, limit).truncated().toByteArray();
            }
        }
        return writer.toByteArray();
    }

    private static MessageWriter start(QueryView query, Name name, MessageView answer, int limit) {
        final int flags =
                MessageLayout.QR | MessageLayout.AA | MessageLayout.RA | (query.flags() & ECHOED);
        final MessageWriter writer =
                new MessageWriter(limit)
                        .header(query.id(), flags)
                        .question(name, query.type(), query.queryClass())
                        .responseCode(answer.responseCode());
        return query.hasEdns() ? writer.edns(Edns.of(Edns.PAYLOAD_SIZE, query.dnssecOk())) : writer;
    }
}
