package io.ananas.server;

import io.ananas.message.Memory;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.recursor.LocalZones;

/**
 * Tells in a few steps, and without allocation, whether a name may have a local answer: the sieve
 * before {@link LocalZones}.
 *
 * <p>A table of hashes, one for each local name and each name above one. A query's name is walked
 * from the root down, label by label, as long as the name so far is in the table: nearly all names
 * leave it at their top label. Two names may have the same hash, so a yes is to be checked; a no
 * holds. The hashes need no secret, for the table is filled by the configuration alone.
 *
 * <p>Immutable and thread-safe.
 */
final class LocalNames {
    /** Length of the array that {@link #mayAnswer} works in. */
    static final int MAX_LABELS = 128;

    private static final byte ABOVE = 1;
    private static final byte NAME = 2;
    private static final byte ZONE = 4;
    private static final long START = 0x9e37_79b9_7f4a_7c15L;
    private static final long FACTOR = 0xbf58_476d_1ce4_e5b9L;

    private final LocalZones zones;
    private final long[] hashes;
    private final byte[] marks;

    LocalNames(LocalZones zones) {
        this.zones = zones;
        int labels = 1;
        for (Name name : zones.names()) {
            labels += 1 + name.labelCount();
        }
        final int size = Integer.highestOneBit(Math.max(8, labels)) << 2;
        hashes = new long[size];
        marks = new byte[size];
        zones.names().forEach(name -> add(name, NAME));
        zones.zones().forEach(name -> add(name, ZONE));
    }

    private void add(Name name, byte mark) {
        final byte[] wire = name.wire();
        final int[] labels = new int[MAX_LABELS];
        int count = 0;
        for (int at = 0; wire[at] != 0; at += 1 + wire[at]) {
            labels[count++] = at;
        }
        long hash = START;
        mark(hash, count == 0 ? mark : ABOVE);
        for (int i = count - 1; i >= 0; i--) {
            final int length = wire[labels[i]];
            for (int k = 0; k <= length; k++) {
                hash = step(hash, wire[labels[i] + k]);
            }
            mark(hash, i == 0 ? mark : ABOVE);
        }
    }

    private void mark(long hash, byte mark) {
        final int place = place(hash);
        hashes[place] = hash;
        marks[place] |= mark;
    }

    /** Where a hash is, or would be. */
    private int place(long hash) {
        int at = (int) (hash >>> 32) & (hashes.length - 1);
        while (marks[at] != 0 && hashes[at] != hash) {
            at = (at + 1) & (hashes.length - 1);
        }
        return at;
    }

    private static long step(long hash, int octet) {
        final int lower = octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet & 0xff;
        final long mixed = (hash ^ lower) * FACTOR;
        return mixed ^ mixed >>> 29;
    }

    /**
     * Whether there may be a local answer for the name asked.
     *
     * @param labels room of {@link #MAX_LABELS}
     */
    boolean mayAnswer(QueryView query, int[] labels) {
        final long name = query.nameAddress();
        int count = 0;
        int at = 0;
        for (int length = Memory.getUnsignedByte(name);
                length != 0;
                length = Memory.getUnsignedByte(name + at)) {
            labels[count++] = at;
            at += 1 + length;
        }
        long hash = START;
        byte mark = marks[place(hash)];
        for (int i = count - 1; i >= 0 && (mark & ZONE) == 0 && mark != 0; i--) {
            final long label = name + labels[i];
            final int length = Memory.getUnsignedByte(label);
            for (int k = 0; k <= length; k++) {
                hash = step(hash, Memory.getUnsignedByte(label + k));
            }
            mark = marks[place(hash)];
            if (i > 0) {
                mark &= ABOVE | ZONE;
            }
        }
        return (mark & (ZONE | NAME)) != 0;
    }

    LocalZones zones() {
        return zones;
    }
}
