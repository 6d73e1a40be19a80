package io.ananas.benchmarks.ladder;

import org.jspecify.annotations.Nullable;

/**
 * A query as a heap cache sees it: offsets into a packet on the heap. The name must be lower-cased.
 *
 * <p>Not thread-safe; a cursor that is moved from packet to packet.
 */
final class HeapQuery {
    private static final int HEADER = 12;
    private static final int AD = 0x20;

    byte[] octets = new byte[0];
    int nameAt;
    int nameLength;
    int id;
    int type;
    boolean validated;
    boolean dnssecOk;
    boolean edns;
    byte @Nullable [] tag;

    /** Takes the query at an offset of a stream; returns where it ends. */
    int parse(byte[] stream, int at) {
        octets = stream;
        id = Octets.getShort(stream, at);
        validated = (stream[at + 3] & AD) != 0;
        edns = stream[at + 11] != 0;
        int end = at + HEADER;
        nameAt = end;
        while (stream[end] != 0) {
            end += 1 + stream[end];
        }
        end++;
        nameLength = end - nameAt;
        type = Octets.getShort(stream, end);
        end += 4;
        if (edns) {
            dnssecOk = (stream[end + 7] & 0x80) != 0;
            return end + 11 + Octets.getShort(stream, end + 9);
        }
        dnssecOk = false;
        return end;
    }
}
