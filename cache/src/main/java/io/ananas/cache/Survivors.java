package io.ananas.cache;

import io.ananas.message.Memory;
import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * The entries of a shard that stay when it gets another size, in memory of their own meanwhile.
 * Used under the shard's monitor.
 */
final class Survivors implements AutoCloseable {
    /** What readers of an entry may read behind it. */
    private static final int BEYOND_END = 1 << 10;

    /** Of the room, what is filled at most: queues and index are never quite full. */
    private static final double FILLED = 0.97;

    /** Takes one of them. */
    @FunctionalInterface
    interface Taker {
        void take(long entry, int length, int mark);
    }

    private final Arena arena = Arena.ofConfined();
    private final Shard shard;
    private final int[] places;
    private final int[] lengths;
    private final byte[] marks;
    private final boolean[] stays;
    private long copies;
    private int count;
    private long octets;

    /**
     * @param places slots in use, whoever has to leave first in front
     */
    Survivors(Shard shard, int[] places, EntryReader entries) {
        this.shard = shard;
        this.places = places;
        lengths = new int[places.length];
        marks = new byte[places.length];
        stays = new boolean[places.length];
        for (int i = 0; i < places.length; i++) {
            lengths[i] = entries.length(shard.base() + shard.offsetOf(places[i]), shard.end());
            marks[i] = (byte) shard.markOf(places[i]);
        }
    }

    /**
     * Chooses who stays, and copies their octets.
     *
     * @param room octets for entries and index
     * @param perEntry octets of the index per entry
     */
    void choose(int room, double perEntry) {
        double left = room * FILLED;
        for (final boolean askedFor : new boolean[] {true, false}) {
            for (int i = places.length - 1; i >= 0; i--) {
                if (marks[i] > 0 == askedFor
                        && lengths[i] <= room / 4
                        && lengths[i] + perEntry <= left) {
                    stays[i] = true;
                    left -= lengths[i] + perEntry;
                    count++;
                    octets += lengths[i];
                }
            }
        }
        copies = arena.allocate(octets + BEYOND_END, 8).address();
        long at = copies;
        for (int i = 0; i < places.length; i++) {
            if (stays[i]) {
                Memory.copy(shard.base() + shard.offsetOf(places[i]), at, lengths[i]);
                at += lengths[i];
            }
        }
    }

    int count() {
        return count;
    }

    double meanLength() {
        return (double) octets / Math.max(1, count);
    }

    /** Gives them in their order. */
    void forEach(Taker taker) {
        long at = copies;
        for (int i = 0; i < places.length; i++) {
            if (stays[i]) {
                taker.take(at, lengths[i], marks[i]);
                at += lengths[i];
            }
        }
    }

    @Override
    public void close() {
        Arrays.fill(stays, false);
        arena.close();
    }
}
