package io.ananas.benchmarks.ladder;

import org.jspecify.annotations.Nullable;

/** A record as its entry sees it. */
interface OwnedRecord {
    /** The owner; null where it is the asked name. */
    byte @Nullable [] owner();

    int type();

    int recordClass();

    int ttl();

    void writeData(ResponseBuffer out);

    /** Writes a record into a response, unless it is hidden from this client. */
    static void put(OwnedRecord record, int section, int ttl, HeapQuery query, ResponseBuffer out) {
        final int type = record.type();
        if (HeapEntry.isHidden(type, query)) {
            return;
        }
        final byte[] owner = record.owner();
        if (owner == null) {
            out.headAtQuestion(type, record.recordClass(), ttl, 0);
        } else {
            out.head(owner, 0, owner.length, query, type, record.recordClass(), ttl);
        }
        final int start = out.end;
        record.writeData(out);
        out.patchLength(start);
        out.count(section);
    }
}
