package io.ananas.benchmarks.ladder;

import io.ananas.message.RecordType;

/**
 * The entries of steps 6 and 7 in native memory, and the bucket that points at them.
 *
 * <pre>
 *  step 6, and in step 7 whatever has no short form:
 *  0        2       3         7     11     13         15         17      18      19
 *  +--------+-------+---------+-----+------+----------+----------+-------+-------+-------------+------+---------+
 *  | length | flags | created | TTL | type | answers' | authori- | rcode | tag   | name length | name | records |
 *  |        |       |         |     |      | end      | ty's end |       | length| , tag       |      |         |
 *  +--------+-------+---------+-----+------+----------+----------+-------+-------+-------------+------+---------+
 *
 *  step 7, short form: one RRset of the asked name and type, rdata bare
 *  0        4
 *  +--------+------+-------+
 *  | header | name | rdata |    header: bits 0-20 expiry, bits 25-30 form, bit 31 validated
 *  +--------+------+-------+
 *
 *  bucket of 64 octets
 *  0          15              60
 *  +----------+---------------+-------+
 *  | 15 tags  | 15 offsets of | marks |    tag 0: empty; marks: 2 bits per slot
 *  |          | 3 octets      |       |
 *  +----------+---------------+-------+
 * </pre>
 */
final class PackedLayout {
    static final int LENGTH = 0;
    static final int FLAGS = 2;
    static final int CREATED = 3;
    static final int TTL = 7;
    static final int TYPE = 11;
    static final int ANSWERS_END = 13;
    static final int AUTHORITY_END = 15;
    static final int RESPONSE_CODE = 17;
    static final int TAG_LENGTH = 18;
    static final int NAME_LENGTH = 19;
    static final int NAME = 20;

    static final int HEADER = 4;
    static final int EXPIRY_BITS = 21;
    static final int FORM_SHIFT = 25;
    static final int FORM_MASK = 63;
    static final int GENERAL = 0;
    static final int FORM_A = 1;
    static final int FORM_AAAA = 17;
    static final int FORM_TXT = 33;
    static final int MAX_ADDRESSES = 16;
    static final int MAX_TEXTS = 8;

    static final int BUCKET = 64;
    static final int SLOTS = 15;
    static final int OFFSETS = 15;
    static final int MARKS = 60;

    /** Offsets have three octets. */
    static final int MAX_SHARD = 1 << 24;

    private PackedLayout() {}

    /** The first form of a type; {@link #GENERAL} if it has none. */
    static int firstForm(int type) {
        return switch (type) {
            case RecordType.A -> FORM_A;
            case RecordType.AAAA -> FORM_AAAA;
            case RecordType.TXT -> FORM_TXT;
            default -> GENERAL;
        };
    }

    static int typeOf(int form) {
        if (form < FORM_AAAA) {
            return RecordType.A;
        }
        return form < FORM_TXT ? RecordType.AAAA : RecordType.TXT;
    }

    static int countOf(int form) {
        if (form < FORM_AAAA) {
            return form - FORM_A + 1;
        }
        return form < FORM_TXT ? form - FORM_AAAA + 1 : form - FORM_TXT + 1;
    }
}
