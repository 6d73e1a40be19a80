package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.QueryView;

/**
 * Reads stored names and writes them into a response, compressed (RFC 1035, section 4.1.4).
 *
 * <p>A suffix that is known already has a number: 0 the root, from 1 on the suffixes of the asked
 * name, and from {@link #FIRST_KNOWN} on what was written since, each as one label before another
 * number. So a name is compared from its last label backwards, one number and one label at a time,
 * and never walked through pointers. The table is small and fixed, which bounds the work per name;
 * names that found no place in it are merely written out.
 *
 * <p>One per reader; not thread-safe; allocates nothing.
 */
final class NameCompressor {
    /** As a position: the name read last, which is not written yet. */
    static final int SPELT = -3;

    /** Octets of scratch. */
    static final int SCRATCH = 320;

    private static final int UNSOUND = -1;
    private static final int MAX_LABELS = 128;
    private static final int KNOWN = 32;
    private static final int FIRST_KNOWN = 1_000;
    private static final int POINTER = 0xc000;
    private static final int POINTER_REACH = 0x4000;

    private final long name;
    private final int[] askedLabel = new int[MAX_LABELS + 1];
    private final int[] label = new int[MAX_LABELS + 1];
    private final int[] knownTail = new int[KNOWN];
    private final int[] knownAt = new int[KNOWN];
    private int askedLabels;
    private int labels;
    private int leadingOctets;
    private int shared;
    private int known;
    private int lastWritten;
    private long reply;

    NameCompressor(long scratch) {
        name = scratch;
    }

    /** Begins a response whose question is already written. */
    void start(QueryView query, long reply) {
        this.reply = reply;
        known = 0;
        askedLabels = 0;
        int at = MessageLayout.HEADER_LENGTH;
        final int end = at + query.nameLength() - 1;
        while (at < end && askedLabels < MAX_LABELS) {
            askedLabel[askedLabels++] = at;
            at += 1 + Memory.getUnsignedByte(reply + at);
        }
        askedLabel[askedLabels] = at;
    }

    /** Where the asked name less its first {@code skipped} labels stands; -1 if it has fewer. */
    int asked(int skipped) {
        return skipped > askedLabels ? UNSOUND : askedLabel[skipped];
    }

    /** Reads a stored name; returns octets it took, 0 if there is no sound one. */
    long read(long from, long end) {
        shared = Memory.getUnsignedByte(from);
        final long decoded = NameDecoder.decode(from + 1, end, name);
        if (decoded == 0 || shared > askedLabels) {
            return 0;
        }
        leadingOctets = (int) decoded - 1;
        labels = 0;
        for (int at = 0; at < leadingOctets; at += 1 + Memory.getUnsignedByte(name + at)) {
            if (labels == MAX_LABELS) {
                return 0;
            }
            label[labels++] = at;
        }
        label[labels] = leadingOctets;
        return 1 + (decoded >>> 32);
    }

    /** Where the name written last stands in the response. */
    int lastWritten() {
        return lastWritten;
    }

    /**
     * Writes an owner: the name read last, or a pointer to one that stands at a position. Otherwise
     * like {@link #write}.
     */
    int writeOwner(int position, int at, int limit) {
        if (position == SPELT) {
            return write(at, limit, true);
        }
        lastWritten = position;
        if (Memory.getByte(reply + position) == 0) {
            return at < limit ? putOctet(at, 0) : UNSOUND;
        }
        if (position < POINTER_REACH) {
            return at + 2 <= limit ? putPointer(at, position) : UNSOUND;
        }
        return copyWritten(position, at, limit);
    }

    /**
     * Writes the name read last.
     *
     * @return the position behind it; -1 if it does not fit before {@code limit}
     */
    int write(int at, int limit, boolean compress) {
        lastWritten = at;
        final int suffix = askedLabel[askedLabels - shared];
        if (!compress) {
            final int suffixOctets = askedLabel[askedLabels] + 1 - suffix;
            if (at + leadingOctets + suffixOctets > limit) {
                return UNSOUND;
            }
            Memory.copy(name, reply + at, leadingOctets);
            Memory.copy(reply + suffix, reply + at + leadingOctets, suffixOctets);
            return at + leadingOctets + suffixOctets;
        }
        int tail = shared == 0 ? 0 : 1 + askedLabels - shared;
        int tailAt = suffix;
        int remaining = labels;
        for (int found = 0; remaining > 0; remaining--) {
            found = find(tail, remaining - 1);
            if (found == UNSOUND) {
                break;
            }
            tail = FIRST_KNOWN + found;
            tailAt = knownAt[found];
        }
        return put(at, limit, remaining, tail, tailAt);
    }

    private int put(int at, int limit, int count, int tail, int tailAt) {
        final int octets = label[count];
        if (at + octets + (tail == 0 ? 1 : 2) > limit) {
            return UNSOUND;
        }
        Memory.copy(name, reply + at, octets);
        int id = tail;
        for (int i = count - 1; i >= 0 && known < KNOWN && at + label[i] < POINTER_REACH; i--) {
            knownTail[known] = id;
            knownAt[known] = at + label[i];
            id = FIRST_KNOWN + known++;
        }
        return tail == 0 ? putOctet(at + octets, 0) : putPointer(at + octets, tailAt);
    }

    private int find(int tail, int index) {
        final long wanted = name + label[index];
        final int octets = 1 + Memory.getUnsignedByte(wanted);
        for (int i = 0; i < known; i++) {
            if (knownTail[i] == tail && sameOctets(reply + knownAt[i], wanted, octets)) {
                return i;
            }
        }
        return UNSOUND;
    }

    private static boolean sameOctets(long a, long b, int octets) {
        for (int i = 0; i < octets; i++) {
            if (Memory.getByte(a + i) != Memory.getByte(b + i)) {
                return false;
            }
        }
        return true;
    }

    private int putOctet(int at, int octet) {
        Memory.putByte(reply + at, octet);
        return at + 1;
    }

    private int putPointer(int at, int position) {
        Memory.putShortBE(reply + at, POINTER | position);
        return at + 2;
    }

    /**
     * Repeats a name that stands too far behind to be pointed at; the pointer at its end is
     * repeated with it.
     */
    private int copyWritten(int position, int at, int limit) {
        int from = position;
        int to = at;
        while (to + MessageLayout.MAX_LABEL + 2 <= limit) {
            final int octet = Memory.getUnsignedByte(reply + from);
            if (octet >= POINTER >>> 8) {
                Memory.putShortBE(reply + to, Memory.getShortBE(reply + from));
                return to + 2;
            }
            Memory.copy(reply + from, reply + to, 1 + octet);
            to += 1 + octet;
            if (octet == 0) {
                return to;
            }
            from += 1 + octet;
        }
        return UNSOUND;
    }
}
