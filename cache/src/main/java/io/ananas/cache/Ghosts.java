package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * What is remembered of answers that had to leave a shard: that they were there, in one octet.
 *
 * <pre>
 *  0                                    3/4                octets
 *  +-------------------------------------+-------------------+
 *  | who left the small queue            | the main queue    |
 *  +-------------------------------------+-------------------+
 *
 *  one octet per place: 8 bits of the hash, never 0; 0 is an empty place
 * </pre>
 *
 * A hash has one place in each table, and who comes later takes it: a memory that fades, without
 * order and links. Tables of this kind are as good as their octets allow: a place more remembers
 * longer, a bit more in each mistakes fewer strangers (1 in 255) for acquaintances. Used under the
 * shard's monitor.
 */
final class Ghosts {
    /** Octets per bucket of the index, 15 slots: with the marks there, below 1 per entry. */
    static final int PER_BUCKET = 10;

    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    private final long small;
    private final int smallPlaces;
    private final long main;
    private final int mainPlaces;

    /** Over {@code octets} of memory, which are made empty. */
    Ghosts(long address, int octets) {
        Memory.zero(address, octets);
        mainPlaces = Math.max(1, octets / 4);
        smallPlaces = octets - mainPlaces;
        small = address;
        main = address + smallPlaces;
    }

    void leaveSmall(long hash) {
        leave(small, smallPlaces, hash);
    }

    void leaveMain(long hash) {
        leave(main, mainPlaces, hash);
    }

    /** Whether somebody with this hash has left the small queue; that is then forgotten. */
    boolean takeSmall(long hash) {
        return take(small, smallPlaces, hash);
    }

    /** Whether somebody with this hash has left the main queue; that is then forgotten. */
    boolean takeMain(long hash) {
        return take(main, mainPlaces, hash);
    }

    private static void leave(long table, int places, long hash) {
        Memory.putByte(place(table, places, hash), tag(hash));
    }

    private static boolean take(long table, int places, long hash) {
        final long place = place(table, places, hash);
        if (Memory.getUnsignedByte(place) != tag(hash)) {
            return false;
        }
        Memory.putByte(place, 0);
        return true;
    }

    private static long place(long table, int places, long hash) {
        return table + ((((hash * SPREAD) >>> 32) * places) >>> 32);
    }

    private static int tag(long hash) {
        final int tag = (int) (hash >>> 16) & 0xff;
        return tag == 0 ? 1 : tag;
    }
}
