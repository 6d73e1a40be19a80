package io.ananas.server;

import io.ananas.message.ExtendedError;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;

/**
 * Answers what has an answer of its own, before and whatever the cache holds.
 *
 * <ul>
 *   <li>malformed, or other than one question: FORMERR (RFC 9619)
 *   <li>an opcode other than QUERY: NOTIMP
 *   <li>an EDNS version above 0: BADVERS (RFC 6891, section 6.1.3)
 *   <li>class CHAOS: the server's identity (RFC 4892); any other class but IN: REFUSED
 *   <li>ANY: one HINFO record (RFC 8482, section 4.2)
 *   <li>types that are no data: REFUSED for zone transfers, FORMERR for OPT, NOTIMP for the rest
 * </ul>
 */
final class QuestionStage implements Stage {
    private static final int ANY_TTL = 3_600;
    private static final byte[] ANY_HINFO = {7, 'R', 'F', 'C', '8', '4', '8', '2', 0};

    private final Identity identity;
    private final PipelineCounters counters;

    QuestionStage(Identity identity, PipelineCounters counters) {
        this.identity = identity;
        this.counters = counters;
    }

    @Override
    public String name() {
        return "question";
    }

    @Override
    public void apply(Round round) {
        final QueryBatch batch = round.batch();
        final int count = round.openCount();
        int kept = 0;
        for (int k = 0; k < count; k++) {
            final int i = round.open(k);
            final QueryView query = round.query(i);
            final int outcome = round.outcome(i);
            if (outcome != QueryView.ANSWERABLE) {
                reject(batch, i, query, outcome);
            } else if (query.queryClass() != RecordClass.IN) {
                answerOtherClass(batch, i, query);
            } else if (isOrdinary(query.type())) {
                round.keep(kept++, i);
            } else {
                answerMetaType(batch, i, query);
            }
        }
        round.keepFirst(kept);
    }

    private static boolean isOrdinary(int type) {
        return type != RecordType.OPT && (type < RecordType.TKEY || type > RecordType.ANY);
    }

    private void reject(QueryBatch batch, int i, QueryView query, int outcome) {
        switch (outcome) {
            case QueryView.NOTIMP -> {
                counters.notImplemented.add(1);
                Replies.error(batch, i, query, ResponseCode.NOTIMP, null);
            }
            case QueryView.BADVERS -> {
                counters.badVersion.add(1);
                Replies.error(batch, i, query, ResponseCode.BADVERS, null);
            }
            default -> {
                counters.malformed.add(1);
                Replies.error(batch, i, query, ResponseCode.FORMERR, null);
            }
        }
    }

    private void answerOtherClass(QueryBatch batch, int i, QueryView query) {
        final byte[] text = query.queryClass() == RecordClass.CH ? identity.answer(query) : null;
        if (text == null) {
            counters.refused.add(1);
            Replies.error(batch, i, query, ResponseCode.REFUSED, ExtendedError.NOT_SUPPORTED);
        } else {
            counters.local.add(1);
            Replies.record(batch, i, query, RecordType.TXT, 0, text);
        }
    }

    private void answerMetaType(QueryBatch batch, int i, QueryView query) {
        switch (query.type()) {
            case RecordType.ANY -> {
                counters.local.add(1);
                Replies.record(batch, i, query, RecordType.HINFO, ANY_TTL, ANY_HINFO);
            }
            case RecordType.AXFR, RecordType.IXFR -> {
                counters.refused.add(1);
                Replies.error(batch, i, query, ResponseCode.REFUSED, null);
            }
            case RecordType.OPT -> {
                counters.malformed.add(1);
                Replies.error(batch, i, query, ResponseCode.FORMERR, null);
            }
            default -> {
                counters.notImplemented.add(1);
                Replies.error(batch, i, query, ResponseCode.NOTIMP, null);
            }
        }
    }
}
