package io.ananas.benchmarks.ladder;

import io.ananas.testkit.Workload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Queries of the workload one behind the other on the heap, read front to back like packets.
 *
 * @param octets the packets
 * @param offsets where each begins, and where the last ends
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record QueryStream(byte[] octets, int[] offsets) {
    private static final int MAX_QUERY = 96;

    /**
     * Makes a stream.
     *
     * @param picks which entry query {@code i} asks for; called in order
     * @param firstId message id of the first query
     */
    static QueryStream of(IntUnaryOperator picks, int count, int firstId) {
        byte[] octets = new byte[Math.max(MAX_QUERY, count * 48)];
        final int[] offsets = new int[count + 1];
        final Workload workload = new Workload();
        int at = 0;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment packet = arena.allocate(MAX_QUERY + 8, 8);
            for (int i = 0; i < count; i++) {
                offsets[i] = at;
                workload.generate(picks.applyAsInt(i));
                final int length = workload.query(i + firstId & 0xffff, packet.address());
                if (at + length > octets.length) {
                    octets = Arrays.copyOf(octets, octets.length + octets.length / 2);
                }
                MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, 0, octets, at, length);
                at += length;
            }
        }
        offsets[count] = at;
        return new QueryStream(octets, offsets);
    }
}
