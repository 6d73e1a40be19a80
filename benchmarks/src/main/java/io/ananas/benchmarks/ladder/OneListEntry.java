package io.ananas.benchmarks.ladder;

import org.jspecify.annotations.Nullable;

/**
 * Steps 2, 3 and 4: one array of records.
 *
 * <p><b>Step 2</b>: the three sections follow each other in one array, two 16-bit offsets tell
 * where they part, and six booleans become bits of one word. Two arrays and their references less
 * per entry; the original saved 28 octets.
 *
 * <p><b>Step 3</b>: a record holds its owner only where it is not the asked name, and the list of
 * errors, which is nearly always empty, becomes a reference that may be null. Only behind an alias
 * does an answer have other owners at all.
 *
 * <p><b>Step 4</b>: records become {@link NarrowRecord}s: addresses inline, everything larger in an
 * object of its own that has the fields of its type and no others. This is the great saving for
 * addresses, four of five answers; the original's was 120 octets per record.
 */
final class OneListEntry extends HeapEntry {
    private final byte[] name;
    private final byte @Nullable [] tag;
    private final OwnedRecord[] records;
    private final ErrorReason @Nullable [] errors;
    private final short answersEnd;
    private final short authorityEnd;
    private final short flags;

    private OneListEntry(
            SourceAnswer source,
            int hash,
            int now,
            OwnedRecord[] records,
            ErrorReason @Nullable [] errors) {
        super(source, hash, now);
        name = source.name();
        tag = source.tag;
        this.records = records;
        this.errors = errors;
        answersEnd = (short) source.answersEnd;
        authorityEnd = (short) source.authorityEnd;
        flags = (short) flagsOf(source);
    }

    /** An entry of step 2. */
    static OneListEntry stage2(SourceAnswer source, int hash, int now) {
        final WideRecord[] records = new WideRecord[source.count];
        for (int i = 0; i < source.count; i++) {
            records[i] = new WideRecord(source, i, source.owner(i));
        }
        return new OneListEntry(source, hash, now, records, ErrorReason.all(source.reasons));
    }

    /** An entry of step 3. */
    static OneListEntry stage3(SourceAnswer source, int hash, int now) {
        final WideRecord[] records = new WideRecord[source.count];
        for (int i = 0; i < source.count; i++) {
            records[i] = new WideRecord(source, i, foreignOwner(source, i));
        }
        return new OneListEntry(source, hash, now, records, someErrors(source));
    }

    /** An entry of step 4. */
    static OneListEntry stage4(SourceAnswer source, int hash, int now) {
        final OwnedRecord[] records = new OwnedRecord[source.count];
        for (int i = 0; i < source.count; i++) {
            records[i] = NarrowRecord.of(source, i, foreignOwner(source, i));
        }
        return new OneListEntry(source, hash, now, records, someErrors(source));
    }

    private static byte @Nullable [] foreignOwner(SourceAnswer source, int record) {
        return source.ownsRecord(record) ? null : source.owner(record);
    }

    static ErrorReason @Nullable [] someErrors(SourceAnswer source) {
        return source.reasons.isEmpty() ? null : ErrorReason.all(source.reasons);
    }

    @Override
    boolean answers(HeapQuery query) {
        return type == (short) query.type
                && ((flags & FLAG_VALIDATED) != 0) == query.validated
                && sameName(name, query)
                && sameTag(tag, query.tag);
    }

    @Override
    boolean sameKey(SourceAnswer source) {
        return type == (short) source.type
                && ((flags & FLAG_VALIDATED) != 0) == source.validated
                && sameName(name, source)
                && sameTag(tag, source.tag);
    }

    @Override
    void respond(HeapQuery query, int now, ResponseBuffer out) {
        out.start(
                query,
                headerFlags(
                        (flags & FLAG_RECURSION) != 0,
                        (flags & FLAG_AUTHORITATIVE) != 0,
                        (flags & FLAG_VALIDATED) != 0,
                        responseCode));
        for (int i = 0; i < records.length; i++) {
            final OwnedRecord record = records[i];
            final int section = RecordBlock.section(i, answersEnd & 0xffff, authorityEnd & 0xffff);
            OwnedRecord.put(record, section, left(record.ttl(), now), query, out);
        }
        ErrorReason.put(errors, query, out);
        out.finish();
    }
}
