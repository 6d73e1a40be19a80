package io.ananas.benchmarks.ladder;

import static io.ananas.benchmarks.ladder.PackedLayout.*;

import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.util.Arrays;

/**
 * Step 7: grouped by RRset. The records of one owner and type share type, class and TTL, so these
 * stand once, and here, where the RRset is that of the question, not at all: form and expiry tell
 * them. Rdata of fixed size needs no length, and a TXT string brings its own. Other answers keep
 * the form of step 6 behind an empty header.
 */
final class GroupedForm implements PackedForm {
    private final PlainForm plain = new PlainForm();
    private final byte[] scratch = new byte[1 << 17];

    @Override
    public int encode(SourceAnswer source, int now, byte[] out) {
        final int form = formOf(source);
        if (form == GENERAL) {
            final int length = plain.encode(source, now, scratch);
            Octets.putInt(out, 0, 0);
            System.arraycopy(scratch, 0, out, HEADER, length);
            return HEADER + length;
        }
        final int expiry = now + source.ttl & (1 << EXPIRY_BITS) - 1;
        Octets.putInt(out, 0, expiry | form << FORM_SHIFT | (source.validated ? 1 << 31 : 0));
        System.arraycopy(source.octets, 0, out, HEADER, source.nameLength);
        int at = HEADER + source.nameLength;
        for (int i = 0; i < source.count; i++) {
            System.arraycopy(source.octets, source.rdataAt[i], out, at, source.rdataLength[i]);
            at += source.rdataLength[i];
        }
        return at;
    }

    private static int formOf(SourceAnswer source) {
        final int first = firstForm(source.type);
        final int most = source.type == RecordType.TXT ? MAX_TEXTS : MAX_ADDRESSES;
        if (first == GENERAL
                || source.count == 0
                || source.count > most
                || source.answersEnd != source.count
                || source.responseCode != ResponseCode.NOERROR
                || source.tag != null
                || source.ttl >= 1 << (EXPIRY_BITS - 1)) {
            return GENERAL;
        }
        for (int i = 0; i < source.count; i++) {
            if (!fits(source, i)) {
                return GENERAL;
            }
        }
        return first + source.count - 1;
    }

    private static boolean fits(SourceAnswer source, int i) {
        final int length = source.rdataLength[i];
        final boolean whole =
                switch (source.type) {
                    case RecordType.A -> length == 4;
                    case RecordType.AAAA -> length == 16;
                    default ->
                            length > 0 && (source.octets[source.rdataAt[i]] & 0xff) == length - 1;
                };
        return whole
                && source.ownsRecord(i)
                && source.recordType[i] == source.type
                && source.recordClass[i] == RecordClass.IN
                && source.recordTtl[i] == source.ttl;
    }

    @Override
    public boolean answers(byte[] in, int at, HeapQuery query) {
        final int header = Octets.getInt(in, at);
        final int form = header >>> FORM_SHIFT & FORM_MASK;
        if (form == GENERAL) {
            return plain.answers(in, at + HEADER, query);
        }
        final int name = at + HEADER;
        return typeOf(form) == query.type
                && header < 0 == query.validated
                && query.tag == null
                && name + query.nameLength <= in.length
                && Arrays.equals(
                        in,
                        name,
                        name + query.nameLength,
                        query.octets,
                        query.nameAt,
                        query.nameAt + query.nameLength);
    }

    @Override
    public int reach(byte[] in, int at) {
        final int form = Octets.getInt(in, at) >>> FORM_SHIFT & FORM_MASK;
        if (form == GENERAL) {
            return HEADER + plain.reach(in, at + HEADER);
        }
        final int record =
                switch (typeOf(form)) {
                    case RecordType.A -> 4;
                    case RecordType.AAAA -> 16;
                    default -> 256;
                };
        return HEADER + 255 + countOf(form) * record;
    }

    private static int remaining(int header, int now) {
        return (header - now) << (32 - EXPIRY_BITS) >> (32 - EXPIRY_BITS);
    }

    @Override
    public boolean isExpired(byte[] in, int at, int now) {
        final int header = Octets.getInt(in, at);
        return (header >>> FORM_SHIFT & FORM_MASK) == GENERAL
                ? plain.isExpired(in, at + HEADER, now)
                : remaining(header, now) <= 0;
    }

    @Override
    public void respond(byte[] in, int at, HeapQuery query, int now, ResponseBuffer out) {
        final int header = Octets.getInt(in, at);
        final int form = header >>> FORM_SHIFT & FORM_MASK;
        if (form == GENERAL) {
            plain.respond(in, at + HEADER, query, now, out);
            return;
        }
        out.start(query, HeapEntry.headerFlags(true, false, header < 0, ResponseCode.NOERROR));
        final int ttl = remaining(header, now);
        final int count = countOf(form);
        int from = at + HEADER + query.nameLength;
        for (int i = 0; i < count; i++) {
            final int length =
                    switch (query.type) {
                        case RecordType.A -> 4;
                        case RecordType.AAAA -> 16;
                        default -> 1 + (in[from] & 0xff);
                    };
            out.headAtQuestion(query.type, RecordClass.IN, ttl, length);
            out.put(in, from, length);
            out.count(1);
            from += length;
        }
        out.finish();
    }
}
