package io.ananas.benchmarks.ladder;

import io.ananas.message.RecordType;
import java.util.Arrays;

/**
 * Where a response is built, reused: header, question, records, with the name compression of RFC
 * 1035, section 4.1.4, against all names so far.
 *
 * <p>A response that does not fit 65,535 octets ends early with TC.
 */
final class ResponseBuffer {
    private static final int HEADER = 12;
    private static final int MAX_POINTER = 0x3fff;
    private static final int POINTER_TO_QUESTION = 0xc00c;
    private static final int TC_OCTET = 0x02;

    final byte[] octets = new byte[65_535];
    int end;
    private final int[] labels = new int[64];
    private final int[] counts = new int[4];
    private int labelCount;
    private int questionNameLength;
    private boolean questionRemembered;
    private boolean cut;

    /** Writes header and question. */
    void start(HeapQuery query, int flags) {
        labelCount = 0;
        questionRemembered = false;
        cut = false;
        questionNameLength = query.nameLength;
        Arrays.fill(counts, 0);
        counts[0] = 1;
        Octets.putShort(octets, 0, query.id);
        Octets.putShort(octets, 2, flags);
        System.arraycopy(query.octets, query.nameAt, octets, HEADER, query.nameLength);
        end = HEADER + query.nameLength;
        Octets.putInt(octets, end, query.type << 16 | 1);
        end += 4;
    }

    /** Fills in the counts; the response is complete. */
    void finish() {
        for (int i = 0; i < counts.length; i++) {
            Octets.putShort(octets, 4 + 2 * i, counts[i]);
        }
        if (cut) {
            octets[2] |= TC_OCTET;
        }
    }

    /** A record went into section 1 to 3. */
    void count(int section) {
        counts[section]++;
    }

    private boolean hasRoom(int length) {
        if (end + length > octets.length) {
            cut = true;
            return false;
        }
        return true;
    }

    void put(byte[] source, int from, int length) {
        if (hasRoom(length)) {
            System.arraycopy(source, from, octets, end, length);
            end += length;
        }
    }

    void putByte(int value) {
        if (hasRoom(1)) {
            octets[end++] = (byte) value;
        }
    }

    void putShort(int value) {
        if (hasRoom(2)) {
            Octets.putShort(octets, end, value);
            end += 2;
        }
    }

    void putInt(int value) {
        if (hasRoom(4)) {
            Octets.putInt(octets, end, value);
            end += 4;
        }
    }

    void putLong(long value) {
        if (hasRoom(8)) {
            Octets.putLong(octets, end, value);
            end += 8;
        }
    }

    /** A record head whose owner is the asked name. */
    void headAtQuestion(int type, int recordClass, int ttl, int rdataLength) {
        if (hasRoom(12)) {
            Octets.putLong(
                    octets,
                    end,
                    (long) (POINTER_TO_QUESTION << 16 | type) << 32
                            | (long) recordClass << 16
                            | ttl >>> 16);
            Octets.putInt(octets, end + 8, ttl << 16 | rdataLength);
            end += 12;
        }
    }

    /** A record head with an owner of its own; {@link #patchLength} closes the record. */
    void head(byte[] name, int from, int length, HeapQuery query, int type, int cls, int ttl) {
        if (isAskedName(name, from, length, query)) {
            headAtQuestion(type, cls, ttl, 0);
            return;
        }
        putName(name, from);
        putShort(type);
        putShort(cls);
        putInt(ttl);
        putShort(0);
    }

    private static boolean isAskedName(byte[] name, int from, int length, HeapQuery query) {
        return Arrays.equals(
                name,
                from,
                from + length,
                query.octets,
                query.nameAt,
                query.nameAt + query.nameLength);
    }

    /** Sets the length of the rdata that began at {@code start}. */
    void patchLength(int start) {
        if (start <= end) {
            Octets.putShort(octets, start - 2, end - start);
        }
    }

    private void remember(int at) {
        if (labelCount < labels.length && at <= MAX_POINTER) {
            labels[labelCount++] = at;
        }
    }

    /** Writes a name, as a pointer from the first label on that stands in the message already. */
    void putName(byte[] name, int from) {
        if (!questionRemembered) {
            questionRemembered = true;
            final int rootAt = HEADER + questionNameLength - 1;
            for (int at = HEADER; at < rootAt; at += 1 + octets[at]) {
                remember(at);
            }
        }
        final int known = labelCount;
        int at = from;
        while (name[at] != 0) {
            for (int i = 0; i < known; i++) {
                if (standsAt(labels[i], name, at)) {
                    putShort(0xc000 | labels[i]);
                    return;
                }
            }
            remember(end);
            put(name, at, 1 + name[at]);
            at += 1 + name[at];
        }
        putByte(0);
    }

    private boolean standsAt(int start, byte[] name, int from) {
        int at = start;
        int nameAt = from;
        while (true) {
            final int length = octets[at] & 0xff;
            if (length >= 0xc0) {
                at = (length & 0x3f) << 8 | (octets[at + 1] & 0xff);
                continue;
            }
            if (name[nameAt] != length) {
                return false;
            }
            if (length == 0) {
                return true;
            }
            if (!Arrays.equals(
                    octets, at + 1, at + 1 + length, name, nameAt + 1, nameAt + 1 + length)) {
                return false;
            }
            at += 1 + length;
            nameAt += 1 + length;
        }
    }

    /** Writes uncompressed rdata, compressing names where RFC 3597, section 4, allows it. */
    void putRdata(int type, byte[] source, int from, int length) {
        switch (type) {
            case RecordType.NS, RecordType.CNAME, RecordType.PTR -> putName(source, from);
            case RecordType.MX -> {
                put(source, from, 2);
                putName(source, from + 2);
            }
            case RecordType.SOA -> {
                final int second = from + nameLength(source, from);
                putName(source, from);
                putName(source, second);
                put(source, second + nameLength(source, second), 20);
            }
            default -> put(source, from, length);
        }
    }

    /** Octets of the uncompressed name at an offset, root label included. */
    static int nameLength(byte[] octets, int from) {
        int at = from;
        while (octets[at] != 0) {
            at += 1 + octets[at];
        }
        return at + 1 - from;
    }

    /** Opens an OPT record for Extended DNS Errors (RFC 8914); returns where its data starts. */
    int startOpt(HeapQuery query) {
        putByte(0);
        putShort(RecordType.OPT);
        putShort(1_232);
        putInt(query.dnssecOk ? 0x8000 : 0);
        putShort(0);
        count(3);
        return end;
    }

    void putReason(int code, byte[] text) {
        putShort(15);
        putShort(2 + text.length);
        putShort(code);
        put(text, 0, text.length);
    }
}
