package io.ananas.benchmarks.ladder;

import io.ananas.message.RecordClass;

/**
 * Records as one run of octets, each behind its length (steps 5 and 6).
 *
 * <pre>
 *  +--------+--------------+     a record of the asked name and type, class IN, the entry's TTL
 *  | length | rdata        |
 *  +--------+--------------+
 *  0        2
 *  +--------+------+-------+-----+--------------+-------+--------+-------+     any other record;
 *  | 0xffff | type | class | TTL | owner length | owner | length | rdata |     owner length 0:
 *  +--------+------+-------+-----+--------------+-------+--------+-------+     the asked name
 *  0        2      4       6     10             11
 * </pre>
 *
 * <p>Rdata in a message of 64 KiB is never 0xffff octets long.
 */
final class RecordBlock {
    private static final int EXPLICIT = 0xffff;

    private RecordBlock() {}

    /** Writes the records of an answer; returns where they end. */
    static int encode(SourceAnswer source, byte[] out, int start) {
        int at = start;
        for (int i = 0; i < source.count; i++) {
            final boolean own = source.ownsRecord(i);
            if (!own
                    || source.recordType[i] != source.type
                    || source.recordClass[i] != RecordClass.IN
                    || source.recordTtl[i] != source.ttl) {
                at = encodeHead(source, i, own ? 0 : source.ownerLength[i], out, at);
            }
            Octets.putShort(out, at, source.rdataLength[i]);
            System.arraycopy(source.octets, source.rdataAt[i], out, at + 2, source.rdataLength[i]);
            at += 2 + source.rdataLength[i];
        }
        return at;
    }

    private static int encodeHead(SourceAnswer source, int i, int owner, byte[] out, int at) {
        Octets.putShort(out, at, EXPLICIT);
        Octets.putShort(out, at + 2, source.recordType[i]);
        Octets.putShort(out, at + 4, source.recordClass[i]);
        Octets.putInt(out, at + 6, source.recordTtl[i]);
        out[at + 10] = (byte) owner;
        System.arraycopy(source.octets, source.ownerAt[i], out, at + 11, owner);
        return at + 11 + owner;
    }

    /**
     * Writes the records into a response.
     *
     * @param age seconds since the entry was made
     */
    static void put(
            byte[] in,
            int from,
            int to,
            int ttl,
            int age,
            int answersEnd,
            int authorityEnd,
            HeapQuery query,
            ResponseBuffer out) {
        final int ttlLeft = Math.max(0, ttl - age);
        final int asked = query.type;
        int at = from;
        for (int record = 0; at < to; record++) {
            final int section = section(record, answersEnd, authorityEnd);
            final int length = Octets.getShort(in, at);
            if (length == EXPLICIT) {
                at = putExplicit(in, at + 2, section, query, age, out);
                continue;
            }
            out.headAtQuestion(asked, RecordClass.IN, ttlLeft, length);
            final int start = out.end;
            out.putRdata(asked, in, at + 2, length);
            out.patchLength(start);
            out.count(section);
            at += 2 + length;
        }
    }

    private static int putExplicit(
            byte[] in, int at, int section, HeapQuery query, int age, ResponseBuffer out) {
        final int type = Octets.getShort(in, at);
        final int recordClass = Octets.getShort(in, at + 2);
        final int ttlLeft = Math.max(0, Octets.getInt(in, at + 4) - age);
        final int ownerLength = in[at + 8] & 0xff;
        final int lengthAt = at + 9 + ownerLength;
        final int length = Octets.getShort(in, lengthAt);
        if (!HeapEntry.isHidden(type, query)) {
            if (ownerLength == 0) {
                out.headAtQuestion(type, recordClass, ttlLeft, 0);
            } else {
                out.head(in, at + 9, ownerLength, query, type, recordClass, ttlLeft);
            }
            final int start = out.end;
            out.putRdata(type, in, lengthAt + 2, length);
            out.patchLength(start);
            out.count(section);
        }
        return lengthAt + 2 + length;
    }

    /** The section of a record, 1 to 3. */
    static int section(int record, int answersEnd, int authorityEnd) {
        return 1 + (record >= answersEnd ? 1 : 0) + (record >= authorityEnd ? 1 : 0);
    }
}
