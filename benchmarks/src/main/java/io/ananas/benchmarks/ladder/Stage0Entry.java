package io.ananas.benchmarks.ladder;

import io.ananas.message.MessageView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Step 0, where everybody starts: {@code String} and {@code ArrayList} everywhere.
 *
 * <p>The name is a String (its octets as Latin-1), each of the three sections a list, each record
 * an object with an owner String of its own, which nearly always repeats the name, and a {@link
 * WideData} with room for any type. What can be true or false has a boolean. It is easy to write
 * and to read, and an answer of two addresses takes thirteen objects.
 *
 * <p>The lists are made with their exact capacity, as in the reference; with the default growth
 * they would be larger still.
 */
final class Stage0Entry extends HeapEntry {
    private final String name;
    private final @Nullable String tag;
    private final List<OwnedText> answers;
    private final List<OwnedText> authority;
    private final List<OwnedText> additional;
    private final List<MessageView.Reason> errors;
    private final boolean validated;
    private final boolean authoritative;
    private final boolean recursion;
    private final boolean negative;
    private final boolean stale;
    private final boolean prefetched;

    private static final class OwnedText extends WideData {
        private final String owner;

        OwnedText(SourceAnswer source, int record) {
            super(source, record);
            owner = text(source.octets, source.ownerAt[record], source.ownerLength[record]);
        }
    }

    Stage0Entry(SourceAnswer source, int hash, int now) {
        super(source, hash, now);
        name = text(source.octets, 0, source.nameLength);
        tag = source.tag == null ? null : text(source.tag, 0, source.tag.length);
        answers = records(source, 0, source.answersEnd);
        authority = records(source, source.answersEnd, source.authorityEnd);
        additional = records(source, source.authorityEnd, source.count);
        errors = new ArrayList<>(source.reasons);
        validated = source.validated;
        authoritative = source.authoritative;
        recursion = true;
        negative = source.answersEnd == 0;
        stale = false;
        prefetched = false;
    }

    private static String text(byte[] octets, int from, int length) {
        return new String(octets, from, length, StandardCharsets.ISO_8859_1);
    }

    private static List<OwnedText> records(SourceAnswer source, int from, int to) {
        final List<OwnedText> records = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            records.add(new OwnedText(source, i));
        }
        return records;
    }

    @Override
    boolean answers(HeapQuery query) {
        return type == (short) query.type
                && validated == query.validated
                && same(name, query.octets, query.nameAt, query.nameLength)
                && sameTag(query.tag);
    }

    @Override
    boolean sameKey(SourceAnswer source) {
        return type == (short) source.type
                && validated == source.validated
                && same(name, source.octets, 0, source.nameLength)
                && sameTag(source.tag);
    }

    private boolean sameTag(byte @Nullable [] other) {
        return tag == null ? other == null : other != null && same(tag, other, 0, other.length);
    }

    private static boolean same(String text, byte[] octets, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != (octets[from + i] & 0xff)) {
                return false;
            }
        }
        return true;
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
        if (query.edns && !errors.isEmpty()) {
            final int start = out.startOpt(query);
            for (MessageView.Reason error : errors) {
                out.putReason(error.code(), error.text().getBytes(StandardCharsets.UTF_8));
            }
            out.patchLength(start);
        }
        out.finish();
    }

    private void put(
            List<OwnedText> records, int section, HeapQuery query, int now, ResponseBuffer out) {
        for (int i = 0; i < records.size(); i++) {
            final OwnedText record = records.get(i);
            if (isHidden(record.type & 0xffff, query)) {
                continue;
            }
            final int ttlLeft = left(record.ttl, now);
            if (same(record.owner, query.octets, query.nameAt, query.nameLength)) {
                out.headAtQuestion(record.type & 0xffff, record.recordClass & 0xffff, ttlLeft, 0);
            } else {
                final byte[] owner = record.owner.getBytes(StandardCharsets.ISO_8859_1);
                final int cls = record.recordClass & 0xffff;
                out.head(owner, 0, owner.length, query, record.type & 0xffff, cls, ttlLeft);
            }
            final int start = out.end;
            record.write(out);
            out.patchLength(start);
            out.count(section);
        }
    }
}
