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
    private static final int ROW_BITS = 6;
    private static final int START = NameModel.INNER_SYMBOLS;
    private static final byte[] SYMBOL = new byte[256];
    private static final long[] AFTER = new long[64 << ROW_BITS];
    private static final long ROOT;

    static {
        final NameModel model = NameModel.standard();
        final int[] start = model.codes(NameModel.START);
        final byte[] startLengths = model.lengths(NameModel.START);
        for (int octet = 0; octet < SYMBOL.length; octet++) {
            SYMBOL[octet] = (byte) NameModel.symbolOf(octet);
        }
        for (int before = 0; before < NameModel.END; before++) {
            buildEncoder(before, model.codes(before), model.lengths(before));
        }
        final int escape = NameModel.AFTER_ESCAPE;
        buildEncoder(NameModel.ESCAPE, model.codes(escape), model.lengths(escape));
        buildEncoder(START, start, startLengths);
        ROOT = entry(start[NameModel.ROOT], startLengths[NameModel.ROOT]);
    }

    private NameCode() {}

    private static void buildEncoder(int before, int[] codes, byte[] lengths) {
        for (int symbol = 0; symbol < NameModel.INNER_SYMBOLS; symbol++) {
            final long code = entry(codes[symbol], lengths[symbol]);
            AFTER[before << ROW_BITS | symbol] = symbol == NameModel.ESCAPE ? ESCAPED | code : code;
        }
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
        long state = before;
        int last = START;
        for (long at = label; at <= end; at += 4) {
            final long four = end - at >= 4 ? four(last, at) : rest(last, at, end);
            if (four == 0) {
                return encodeSlowly(label, end, before, target);
            }
            state = append(state, four, target);
            last = symbol(at, 3);
        }
        return state;
    }

    private static long encodeSlowly(long label, long end, long before, long target) {
        long state = before;
        int last = START;
        for (long at = label; at < end; at++) {
            final int symbol = symbol(at, 0);
            state = append(state, code(last, symbol) & ~ESCAPED, target);
            if (symbol == NameModel.ESCAPE) {
                state = append(state, escaped(at), target);
            }
            last = symbol;
        }
        return append(state, code(last, NameModel.END), target);
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
        long position = before;
        int last = START;
        for (long at = label; at <= end && position >= 0; at += 4) {
            final long four = end - at >= 4 ? four(last, at) : rest(last, at, end);
            if (four == 0) {
                return matchSlowly(label, end, before, code);
            }
            position = behind(position, four, code);
            last = symbol(at, 3);
        }
        return position;
    }

    private static long matchSlowly(long label, long end, long before, long code) {
        long position = before;
        int last = START;
        for (long at = label; at < end && position >= 0; at++) {
            final int symbol = symbol(at, 0);
            position = behind(position, code(last, symbol) & ~ESCAPED, code);
            if (symbol == NameModel.ESCAPE && position >= 0) {
                position = behind(position, escaped(at), code);
            }
            last = symbol;
        }
        return position < 0 ? NO_MATCH : behind(position, code(last, NameModel.END), code);
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

    /** The codes of four octets as one; 0 if there are escapes among them. */
    private static long four(int before, long at) {
        final int first = symbol(at, 0);
        final int second = symbol(at, 1);
        final int third = symbol(at, 2);
        return join(
                code(before, first),
                code(first, second),
                code(second, third),
                code(third, symbol(at, 3)));
    }

    /** The codes of the up to three octets that are left of a label, and of its end. */
    private static long rest(int before, long at, long end) {
        final int first = symbol(at, 0);
        final int second = symbol(at, 1);
        final long one = (at - end) >> 63;
        final long two = (at + 1 - end) >> 63;
        final long three = (at + 2 - end) >> 63;
        final int last = at == end ? before : symbol(end - 1, 0);
        return join(
                code(before, first) & one,
                code(first, second) & two,
                code(second, symbol(at, 2)) & three,
                code(last, NameModel.END));
    }

    private static long join(long a, long b, long c, long d) {
        final int behindB = (int) a + (int) b;
        final int behindC = behindB + (int) c;
        final long bits = a | b >>> a | c >>> behindB | d >>> behindC;
        return ((a | b | c | d) & ESCAPED) != 0
                ? 0
                : (bits & ~LENGTH_MASK) | ((behindC + d) & LENGTH_MASK);
    }

    private static int symbol(long at, int offset) {
        return SYMBOL[Memory.getUnsignedByte(at, offset)];
    }

    /** The code of a symbol after another. */
    private static long code(int before, int symbol) {
        return AFTER[(before << ROW_BITS | symbol) & (AFTER.length - 1)];
    }

    private static long escaped(long at) {
        return entry(Memory.getUnsignedByte(at), NameModel.ESCAPED_BITS);
    }
}
