package io.ananas.benchmarks.ladder;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Step 5: no record objects at all; one array with the rdata of all records, each behind its length
 * ({@link RecordBlock}).
 *
 * <p>The array is filled through a scratch buffer that is reused, so that an insertion makes three
 * objects: the entry, its name, its data. A record costs its rdata and two octets; building a
 * response is copying.
 */
final class Stage5Entry extends HeapEntry {
    private final byte[] name;
    private final byte @Nullable [] tag;
    private final byte[] data;
    private final ErrorReason @Nullable [] errors;
    private final short answersEnd;
    private final short authorityEnd;
    private final short flags;

    Stage5Entry(SourceAnswer source, int hash, int now, byte[] scratch) {
        super(source, hash, now);
        name = source.name();
        tag = source.tag;
        data = Arrays.copyOf(scratch, RecordBlock.encode(source, scratch, 0));
        errors = OneListEntry.someErrors(source);
        answersEnd = (short) source.answersEnd;
        authorityEnd = (short) source.authorityEnd;
        flags = (short) flagsOf(source);
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
        RecordBlock.put(
                data,
                0,
                data.length,
                ttl,
                now - created,
                answersEnd & 0xffff,
                authorityEnd & 0xffff,
                query,
                out);
        ErrorReason.put(errors, query, out);
        out.finish();
    }
}
