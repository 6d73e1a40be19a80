package io.ananas.benchmarks.ladder;

import org.jspecify.annotations.Nullable;

/**
 * Step 1: arrays of exact size.
 *
 * <p>An entry never changes once it is built, so it needs no container that can grow: {@code
 * byte[]} for {@code String} saves the String object, {@code Record[]} for {@code ArrayList} saves
 * the list object with its size and modification count. The original saved the capacity fields of
 * its vectors, 64 octets per entry.
 */
final class Stage1Entry extends HeapEntry {
    private final byte[] name;
    private final byte @Nullable [] tag;
    private final WideRecord[] answers;
    private final WideRecord[] authority;
    private final WideRecord[] additional;
    private final ErrorReason[] errors;
    private final boolean validated;
    private final boolean authoritative;
    private final boolean recursion;
    private final boolean negative;
    private final boolean stale;
    private final boolean prefetched;

    Stage1Entry(SourceAnswer source, int hash, int now) {
        super(source, hash, now);
        name = source.name();
        tag = source.tag;
        answers = records(source, 0, source.answersEnd);
        authority = records(source, source.answersEnd, source.authorityEnd);
        additional = records(source, source.authorityEnd, source.count);
        errors = ErrorReason.all(source.reasons);
        validated = source.validated;
        authoritative = source.authoritative;
        recursion = true;
        negative = source.answersEnd == 0;
        stale = false;
        prefetched = false;
    }

    private static WideRecord[] records(SourceAnswer source, int from, int to) {
        final WideRecord[] records = new WideRecord[to - from];
        for (int i = from; i < to; i++) {
            records[i - from] = new WideRecord(source, i, source.owner(i));
        }
        return records;
    }

    @Override
    boolean answers(HeapQuery query) {
        return type == (short) query.type
                && validated == query.validated
                && sameName(name, query)
                && sameTag(tag, query.tag);
    }

    @Override
    boolean sameKey(SourceAnswer source) {
        return type == (short) source.type
                && validated == source.validated
                && sameName(name, source)
                && sameTag(tag, source.tag);
    }

    /** Whether a client may be given this answer at all; all that the ladder stores may. */
    boolean isPlain() {
        return !stale && !prefetched && !negative;
    }

    @Override
    void respond(HeapQuery query, int now, ResponseBuffer out) {
        out.start(query, headerFlags(recursion, authoritative, validated, responseCode));
        put(answers, 1, query, now, out);
        put(authority, 2, query, now, out);
        put(additional, 3, query, now, out);
        ErrorReason.put(errors, query, out);
        out.finish();
    }

    private void put(
            WideRecord[] records, int section, HeapQuery query, int now, ResponseBuffer out) {
        for (WideRecord record : records) {
            OwnedRecord.put(record, section, left(record.ttl(), now), query, out);
        }
    }
}
