package io.ananas.benchmarks.ladder;

import static io.ananas.benchmarks.ladder.PackedLayout.*;

import java.util.Arrays;

/**
 * Step 6: off heap and packed. What step 5 holds in an object and two arrays stands in one run of
 * octets, without headers, references, chain and policy links: the index has five octets per entry
 * instead. Extended errors are left out of this measured variant.
 */
final class PlainForm implements PackedForm {
    @Override
    public int encode(SourceAnswer source, int now, byte[] out) {
        out[FLAGS] = (byte) HeapEntry.flagsOf(source);
        Octets.putInt(out, CREATED, now);
        Octets.putInt(out, TTL, source.ttl);
        Octets.putShort(out, TYPE, source.type);
        Octets.putShort(out, ANSWERS_END, source.answersEnd);
        Octets.putShort(out, AUTHORITY_END, source.authorityEnd);
        out[RESPONSE_CODE] = (byte) source.responseCode;
        final int tag = source.tag == null ? 0 : source.tag.length;
        out[TAG_LENGTH] = (byte) tag;
        out[NAME_LENGTH] = (byte) source.nameLength;
        System.arraycopy(source.octets, 0, out, NAME, source.nameLength);
        int at = NAME + source.nameLength;
        if (source.tag != null) {
            System.arraycopy(source.tag, 0, out, at, tag);
            at += tag;
        }
        final int end = RecordBlock.encode(source, out, at);
        if (end > 0xffff) {
            throw new IllegalArgumentException("an entry of more than 65535 octets");
        }
        Octets.putShort(out, LENGTH, end);
        return end;
    }

    @Override
    public boolean answers(byte[] in, int at, HeapQuery query) {
        final int name = at + NAME;
        final int length = in[at + NAME_LENGTH] & 0xff;
        final int tag = in[at + TAG_LENGTH] & 0xff;
        final byte[] asked = query.tag;
        return length == query.nameLength
                && Octets.getShort(in, at + TYPE) == query.type
                && ((in[at + FLAGS] & HeapEntry.FLAG_VALIDATED) != 0) == query.validated
                && Arrays.equals(
                        in, name, name + length, query.octets, query.nameAt, query.nameAt + length)
                && tag == (asked == null ? 0 : asked.length)
                && (asked == null
                        || Arrays.equals(in, name + length, name + length + tag, asked, 0, tag));
    }

    @Override
    public int reach(byte[] in, int at) {
        return Octets.getShort(in, at + LENGTH);
    }

    @Override
    public boolean isExpired(byte[] in, int at, int now) {
        final int age = now - Octets.getInt(in, at + CREATED);
        return Integer.compareUnsigned(age, Octets.getInt(in, at + TTL)) >= 0;
    }

    @Override
    public void respond(byte[] in, int at, HeapQuery query, int now, ResponseBuffer out) {
        final int flags = in[at + FLAGS];
        out.start(
                query,
                HeapEntry.headerFlags(
                        (flags & HeapEntry.FLAG_RECURSION) != 0,
                        (flags & HeapEntry.FLAG_AUTHORITATIVE) != 0,
                        (flags & HeapEntry.FLAG_VALIDATED) != 0,
                        in[at + RESPONSE_CODE]));
        RecordBlock.put(
                in,
                at + NAME + (in[at + NAME_LENGTH] & 0xff) + (in[at + TAG_LENGTH] & 0xff),
                at + Octets.getShort(in, at + LENGTH),
                Octets.getInt(in, at + TTL),
                now - Octets.getInt(in, at + CREATED),
                Octets.getShort(in, at + ANSWERS_END),
                Octets.getShort(in, at + AUTHORITY_END),
                query,
                out);
        out.finish();
    }
}
