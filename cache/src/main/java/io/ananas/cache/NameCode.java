package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * The name code: lower-cased names in about half their octets, still exact.
 *
 * <p>An order-1 Huffman code over {@link NameModel}: each character costs what is usual after the
 * one before, a label that is common costs one symbol, and any octet is possible through an escape.
 * The code is free of prefixes and ends with the root, so a name carries its own length and two
 * names are equal exactly when their encoded octets are; a lookup compares the codes of the asked
 * name with a stored one as they come, and never decodes it. Bits run from the most significant of
 * the first octet; the last octet is filled with zeros.
 *
 * <p>Encoding costs one table look-up per octet, escapes included, and one per label: the code of
 * an octet after another stands ready in a table of their pairs, of which names touch a few KiB.
 * What would cost more are branches that depend on the name, for no processor foresees them; so
 * octets are taken by fours, those behind the end of their label masked out, and the four codes are
 * joined in a word. A label that may be a token ({@link NameTokens}) is compared as one word, eight
 * octets from its start; hence the eight readable octets that callers must leave behind a name.
 *
 * <p>{@link NameDecoder} is the way back. Stateless; thread-safe.
 */
final class NameCode {
    /** The most octets that {@link #encode} writes, with the slack of its last word. */
    static final int MAX_ENCODED = 768;

    /** What {@link #match} says of another name. */
    static final int NO_MATCH = -1;

    // a code is a word with its bits at the front and their number at the end, where a shift by it
    // finds them
    private static final long LENGTH_MASK = 63;
    private static final long ESCAPED = 64;
    private static final int STATE_BITS = 8;

    // what stands for an octet before where none of the label does: a length octet stands for the
    // start, as long as it is none of the characters that names are made of; longer labels take the
    // slow way
    private static final int AFTER_ESCAPE = 0;
    private static final int START = 1;
    private static final int LONG_LABEL = '-';

    private static final long[] PAIR = new long[1 << 16];
    private static final long[] END = new long[256];
    private static final long ROOT;

    static {
        final NameModel model = NameModel.standard();
        for (int before = 0; before < END.length; before++) {
            final int context = context(before);
            final int[] codes = model.codes(context);
            final byte[] lengths = model.lengths(context);
            for (int octet = 0; octet < 256; octet++) {
                final int symbol = NameModel.symbolOf(octet);
                final long code = entry(codes[symbol], lengths[symbol]);
                PAIR[pair(before, octet)] = symbol == NameModel.ESCAPE ? ESCAPED | code : code;
            }
            END[before] = entry(codes[NameModel.END], lengths[NameModel.END]);
        }
        ROOT =
                entry(
                        model.codes(NameModel.START)[NameModel.ROOT],
                        model.lengths(NameModel.START)[NameModel.ROOT]);
    }

    private NameCode() {}

    private static int context(int before) {
        if (before == AFTER_ESCAPE) {
            return NameModel.AFTER_ESCAPE;
        }
        final int symbol = NameModel.symbolOf(before);
        return symbol == NameModel.ESCAPE ? NameModel.START : symbol;
    }

    private static int pair(int before, int octet) {
        return before | octet << 8;
    }

    /** A code with its length. */
    static long entry(long code, int length) {
        return code << -length | length;
    }

    /**
     * Every octet of {@code word} that is an ASCII capital, made small; length octets are never
     * capitals.
     */
    static long lowerCase(long word) {
        final long low7 = word & 0x7f7f7f7f7f7f7f7fL;
        final long atLeastA = low7 + 0x3f3f3f3f3f3f3f3fL;
        final long aboveZ = low7 + 0x2525252525252525L;
        final long capital = atLeastA & ~aboveZ & ~word & 0x8080808080808080L;
        return word | capital >>> 2;
    }

    /**
     * Encodes the labels in {@code [name, name + length)}, which do not include the root, and then
     * the root. Eight octets behind them must be readable, {@link #MAX_ENCODED} writable at {@code
     * target}.
     *
     * @return octets written
     */
    static int encode(long name, int length, long target) {
        final long end = name + length;
        long state = 0;
        long closing = ROOT;
        long at = name;
        while (at < end) {
            final int octets = Memory.getUnsignedByte(at);
            final long label = at + 1;
            at = label + octets;
            final long token = NameTokens.find(label, octets, at == end);
            if (token != 0) {
                state = append(state, token, target);
                closing = at == end ? 0 : ROOT;
            } else {
                state = encodeLabel(label, at, state, target);
            }
        }
        return octets(append(state, closing, target) >>> STATE_BITS);
    }

    private static long encodeLabel(long label, long end, long before, long target) {
        if (end - label >= LONG_LABEL) {
            return encodeSlowly(label, end, before, target);
        }
        long state = before;
        for (long at = label; at <= end; at += 4) {
            final long four = end - at >= 4 ? four(at - 1) : rest(at - 1, end);
            if (four == 0) {
                return encodeSlowly(label, end, before, target);
            }
            state = append(state, four, target);
        }
        return state;
    }

    private static long encodeSlowly(long label, long end, long before, long target) {
        long state = before;
        int last = START;
        for (long at = label; at < end; at++) {
            final int octet = Memory.getUnsignedByte(at);
            final long code = PAIR[pair(last, octet)];
            state = append(state, code & ~ESCAPED, target);
            last = octet;
            if ((code & ESCAPED) != 0) {
                state = append(state, entry(octet, NameModel.ESCAPED_BITS), target);
                last = AFTER_ESCAPE;
            }
        }
        return append(state, END[last], target);
    }

    /**
     * Writes a code behind those before: with the bits that its first octet already has, as a word
     * whose end the next code writes over. The state has the position in bits, and below it the
     * octet that is not full.
     */
    private static long append(long state, long code, long target) {
        final long position = state >>> STATE_BITS;
        final int filled = (int) position & 7;
        final long bits = state << (64 - STATE_BITS) | (code & ~LENGTH_MASK) >>> filled;
        Memory.putLongBE(target + (position >>> 3), bits);
        final long length = code & LENGTH_MASK;
        final long open = bits << (filled + length & ~7) >>> (64 - STATE_BITS);
        return (position + length) << STATE_BITS | open;
    }

    /**
     * Whether the code at an address is that of the labels in {@code [name, name + length)} and the
     * root, without writing any. Eight octets behind the name must be readable, and {@link
     * #MAX_ENCODED} at {@code code}, whatever stands there.
     *
     * @return octets of the code; {@link #NO_MATCH} if it is another name's
     */
    static int match(long name, int length, long code) {
        final long end = name + length;
        long position = 0;
        long closing = ROOT;
        long at = name;
        while (at < end) {
            final int octets = Memory.getUnsignedByte(at);
            final long label = at + 1;
            at = label + octets;
            final long token = NameTokens.find(label, octets, at == end);
            if (token != 0) {
                closing = at == end ? 0 : ROOT;
                position = behind(position, token, code);
            } else {
                position = matchLabel(label, at, position, code);
            }
            if (position < 0) {
                return NO_MATCH;
            }
        }
        position = closing == 0 ? position : behind(position, closing, code);
        return position < 0 ? NO_MATCH : octets(position);
    }

    private static long matchLabel(long label, long end, long before, long code) {
        if (end - label >= LONG_LABEL) {
            return matchSlowly(label, end, before, code);
        }
        long position = before;
        for (long at = label; at <= end && position >= 0; at += 4) {
            final long four = end - at >= 4 ? four(at - 1) : rest(at - 1, end);
            if (four == 0) {
                return matchSlowly(label, end, before, code);
            }
            position = behind(position, four, code);
        }
        return position;
    }

    private static long matchSlowly(long label, long end, long before, long code) {
        long position = before;
        int last = START;
        for (long at = label; at < end && position >= 0; at++) {
            final int octet = Memory.getUnsignedByte(at);
            final long wanted = PAIR[pair(last, octet)];
            position = behind(position, wanted & ~ESCAPED, code);
            last = octet;
            if ((wanted & ESCAPED) != 0 && position >= 0) {
                position = behind(position, entry(octet, NameModel.ESCAPED_BITS), code);
                last = AFTER_ESCAPE;
            }
        }
        return position < 0 ? NO_MATCH : behind(position, END[last], code);
    }

    /** The position behind a code if it stands at a position, else {@link #NO_MATCH}. */
    private static long behind(long position, long wanted, long code) {
        final long found = Memory.getLongBE(code + (position >>> 3)) << (position & 7);
        final long length = wanted & LENGTH_MASK;
        return (found ^ wanted) >>> -length == 0 ? position + length : NO_MATCH;
    }

    private static int octets(long position) {
        return (int) ((position + 7) >>> 3);
    }

    /**
     * The codes of the four octets behind the one at {@code before}, as one; 0 if there are escapes
     * among them: no four codes are longer than 51 bits, so a sum from 64 on tells.
     */
    private static long four(long before) {
        long bits = 0;
        int length = 0;
        for (int i = 0; i < 4; i++) {
            final long code = PAIR[Memory.getShortLE(before, i)];
            bits |= code >>> length;
            length += (int) code;
        }
        return length >= ESCAPED ? 0 : (bits & ~LENGTH_MASK) | length;
    }

    /** The codes of the up to three octets that are left of a label, and of its end. */
    private static long rest(long before, long end) {
        long bits = 0;
        int length = 0;
        for (int i = 0; i < 3; i++) {
            final long isLeft = (before + 1 + i - end) >> 63;
            final long code = PAIR[Memory.getShortLE(before, i)] & isLeft;
            bits |= code >>> length;
            length += (int) code;
        }
        final long code = END[Memory.getUnsignedByte(end - 1)];
        bits |= code >>> length;
        length += (int) code;
        return length >= ESCAPED ? 0 : (bits & ~LENGTH_MASK) | length;
    }
}
