package io.ananas.cache;

import io.ananas.message.Memory;
import java.util.Arrays;

/**
 * The name code: lower-cased names in about half their octets, still exact.
 *
 * <p>An order-1 Huffman code over {@link NameModel}: each character costs what is usual after the
 * one before, a label that is common costs one symbol, and any octet is possible through an escape.
 * The code is free of prefixes and ends with the root, so a name carries its own length and two
 * names are equal exactly when their encoded octets are; a lookup encodes the asked name once and
 * never decodes a stored one. Bits run from the most significant of the first octet; the last octet
 * is filled with zeros.
 *
 * <p>Encoding costs a table look-up per character and one per label. The tables (24 KiB for tokens,
 * 10 KiB for characters) are arrays of constant size under constant masks, so no access is checked.
 * Labels found in the token table are read as one word: eight octets from their start, hence the
 * eight readable octets that callers must leave behind a name.
 *
 * <p>Stateless; thread-safe.
 */
final class NameCode {
    /** The most octets that {@link #encode} writes, with the slack of its last word. */
    static final int MAX_ENCODED = 768;

    private static final int LENGTH_BITS = 6;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    private static final long CODE_MASK = -1L << LENGTH_BITS;
    private static final int CONTEXT_SHIFT = 6;
    private static final long HIGH_BITS = 0x8080808080808080L;

    /** In the place of a symbol: an octet that needs the escape. */
    private static final int RARE = 0x80;

    /** A symbol that costs no bits, and the octets that stand for it and for the end in a word. */
    private static final int NOTHING = 63;

    private static final int END_MARK = 0x80;
    private static final int NOTHING_MARK = 0x81;
    private static final long NOTHING_MARKS = 0x8181818181818181L;
    private static final long[] WORD_MASK = new long[9];
    private static final long[] WORD_FILL = new long[9];
    private static final int[] INNER = new int[1 << 12];
    private static final byte[] SYMBOL = new byte[256];
    private static final int TOKEN_SLOTS = 2048;
    private static final long[] TOKEN_WORD = new long[TOKEN_SLOTS];
    private static final long[] TOKEN_CODE = new long[TOKEN_SLOTS];
    private static final long TOKEN_MULTIPLIER;
    private static final int ROOT_CODE;
    private static final int ESCAPED_BITS = 8;

    private static final int FAST_BITS = 8;
    private static final short[] FAST = new short[NameModel.CONTEXTS << FAST_BITS];
    private static final short[][] BY_CODE = new short[NameModel.CONTEXTS][];
    private static final int[][] FIRST_CODE = new int[NameModel.CONTEXTS][];
    private static final int[][] FIRST_INDEX = new int[NameModel.CONTEXTS][];
    private static final byte[][] TOKEN_LABEL;
    private static final boolean[] TOKEN_LAST;

    static {
        final NameModel model = NameModel.standard();
        for (int octet = 0; octet < 256; octet++) {
            final int symbol = NameModel.symbolOf(octet);
            SYMBOL[octet] = (byte) (symbol == NameModel.ESCAPE ? RARE : symbol);
        }
        SYMBOL[END_MARK] = NameModel.END;
        SYMBOL[NOTHING_MARK] = NOTHING;
        for (int take = 0; take < 8; take++) {
            WORD_MASK[take] = (1L << 8 * take) - 1;
            WORD_FILL[take] =
                    NOTHING_MARKS << 8 * take & ~(0xffL << 8 * take) | (long) END_MARK << 8 * take;
        }
        WORD_MASK[8] = -1L;
        for (int context = 0; context < NameModel.CONTEXTS; context++) {
            final int[] codes = model.codes(context);
            final byte[] lengths = model.lengths(context);
            for (int symbol = 0; symbol < NameModel.INNER_SYMBOLS; symbol++) {
                INNER[context << CONTEXT_SHIFT | symbol] =
                        codes[symbol] << LENGTH_BITS | lengths[symbol];
            }
            buildDecoder(context, codes, lengths);
        }
        final int[] start = model.codes(NameModel.START);
        final byte[] startLengths = model.lengths(NameModel.START);
        ROOT_CODE = start[NameModel.ROOT] << LENGTH_BITS | startLengths[NameModel.ROOT];
        final int tokens = model.tokens().size();
        TOKEN_LABEL = new byte[tokens][];
        TOKEN_LAST = new boolean[tokens];
        for (int i = 0; i < tokens; i++) {
            TOKEN_LABEL[i] =
                    model.tokens()
                            .get(i)
                            .label()
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            TOKEN_LAST[i] = model.tokens().get(i).last();
        }
        TOKEN_MULTIPLIER = placeTokens(start, startLengths);
    }

    private NameCode() {}

    /** Tries multipliers until no pair of slots holds more than two labels. */
    private static long placeTokens(int[] codes, byte[] lengths) {
        long multiplier = 0x9e3779b97f4a7c15L;
        while (true) {
            Arrays.fill(TOKEN_WORD, 0);
            Arrays.fill(TOKEN_CODE, 0);
            boolean placed = true;
            for (int i = 0; i < TOKEN_LABEL.length && placed; i++) {
                final int symbol = NameModel.FIRST_TOKEN + i;
                final long code = (long) codes[symbol] << LENGTH_BITS | lengths[symbol];
                placed =
                        placeToken(
                                multiplier,
                                wordOf(TOKEN_LABEL[i]),
                                TOKEN_LAST[i] ? code << 32 : code);
            }
            if (placed) {
                return multiplier;
            }
            multiplier = multiplier * 0xd1342543de82ef95L + 2;
            multiplier |= 1;
        }
    }

    private static boolean placeToken(long multiplier, long word, long code) {
        final int pair = tokenSlot(word, multiplier);
        for (int slot = pair; slot < pair + 2; slot++) {
            if (TOKEN_WORD[slot] == 0 || TOKEN_WORD[slot] == word) {
                TOKEN_WORD[slot] = word;
                TOKEN_CODE[slot] |= code;
                return true;
            }
        }
        return false;
    }

    private static int tokenSlot(long word, long multiplier) {
        return (int) ((word * multiplier) >>> 54) << 1;
    }

    private static long wordOf(byte[] label) {
        long word = 0;
        for (int i = 0; i < label.length; i++) {
            word |= (label[i] & 0xffL) << (8 * i);
        }
        return word;
    }

    private static void buildDecoder(int context, int[] codes, byte[] lengths) {
        final short[] byCode = new short[codes.length];
        final int[] firstCode = new int[NameModel.MAX_CODE_LENGTH + 2];
        final int[] firstIndex = new int[NameModel.MAX_CODE_LENGTH + 2];
        int count = 0;
        for (int length = 1; length <= NameModel.MAX_CODE_LENGTH; length++) {
            firstIndex[length] = count;
            firstCode[length] = -1;
            for (int symbol = 0; symbol < codes.length; symbol++) {
                if (lengths[symbol] == length) {
                    if (firstCode[length] < 0) {
                        firstCode[length] = codes[symbol];
                    }
                    byCode[count++] = (short) symbol;
                    fillFast(context, symbol, codes[symbol], length);
                }
            }
        }
        BY_CODE[context] = byCode;
        FIRST_CODE[context] = firstCode;
        firstIndex[NameModel.MAX_CODE_LENGTH + 1] = count;
        FIRST_INDEX[context] = firstIndex;
    }

    private static void fillFast(int context, int symbol, int code, int length) {
        if (length <= FAST_BITS) {
            final int from = context << FAST_BITS | code << (FAST_BITS - length);
            Arrays.fill(
                    FAST, from, from + (1 << (FAST_BITS - length)), (short) (symbol << 4 | length));
        }
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
        long at = name;
        int position = 0;
        while (at < end) {
            final int label = Memory.getUnsignedByte(at);
            final long next = at + 1 + label;
            final int code =
                    label <= NameModel.MAX_TOKEN_LENGTH ? tokenCode(at + 1, label, next == end) : 0;
            if (code != 0) {
                position = append(target, position, code >>> LENGTH_BITS, code & LENGTH_MASK);
                if (next == end) {
                    return (position + 7) >>> 3;
                }
            } else {
                position = encodeLabel(at + 1, label, target, position);
            }
            at = next;
        }
        position = append(target, position, ROOT_CODE >>> LENGTH_BITS, ROOT_CODE & LENGTH_MASK);
        return (position + 7) >>> 3;
    }

    /**
     * Puts a code behind {@code position} bits; returns the new number of bits. The octet in which
     * the code begins is read again and kept so far; seven octets behind the code are overwritten.
     */
    private static int append(long target, int position, long code, int length) {
        final long octet = target + (position >>> 3);
        final int filled = position & 7;
        final long before = (long) (Memory.getUnsignedByte(octet) & 0xff00 >> filled) << 56;
        Memory.putLongBE(octet, before | code << (64 - filled - length));
        return position + length;
    }

    /**
     * Encodes a label and its end, eight octets in a step without a branch: what lies behind the
     * label in the word is replaced by the mark of the end and by marks that cost no bits.
     */
    private static int encodeLabel(long label, int length, long target, int start) {
        int position = start;
        int before = NameModel.START;
        long at = label;
        for (int left = length; left >= 0; left -= 8, at += 8) {
            final int take = Math.min(left, 8);
            final long octets = Memory.getLongLE(at) & WORD_MASK[take];
            final long word = octets | WORD_FILL[take];
            final int s0 = SYMBOL[(int) word & 0xff];
            final int s1 = SYMBOL[(int) (word >>> 8) & 0xff];
            final int s2 = SYMBOL[(int) (word >>> 16) & 0xff];
            final int s3 = SYMBOL[(int) (word >>> 24) & 0xff];
            final int s4 = SYMBOL[(int) (word >>> 32) & 0xff];
            final int s5 = SYMBOL[(int) (word >>> 40) & 0xff];
            final int s6 = SYMBOL[(int) (word >>> 48) & 0xff];
            final int s7 = SYMBOL[(int) (word >>> 56)];
            final long low =
                    join(
                            join(inner(before, s0), inner(s0, s1)),
                            join(inner(s1, s2), inner(s2, s3)));
            final long high =
                    join(join(inner(s3, s4), inner(s4, s5)), join(inner(s5, s6), inner(s6, s7)));
            if ((s0 | s1 | s2 | s3 | s4 | s5 | s6 | s7) < 0 || (octets & HIGH_BITS) != 0) {
                return encodeRareLabel(label, length, target, start);
            }
            position = append(target, position, low >>> LENGTH_BITS, (int) low & LENGTH_MASK);
            position = append(target, position, high >>> LENGTH_BITS, (int) high & LENGTH_MASK);
            before = s7;
        }
        return position;
    }

    /** The code of a symbol after another, as {@code code << LENGTH_BITS | length}. */
    private static long inner(int before, int symbol) {
        return INNER[(before << CONTEXT_SHIFT | symbol) & 0xfff];
    }

    /** Two codes of at most 55 bits together, one behind the other. */
    private static long join(long first, long second) {
        final int length = (int) second & LENGTH_MASK;
        return ((first & CODE_MASK) << length) + second + (first & LENGTH_MASK);
    }

    /** A label with octets that have no symbol of their own. */
    private static int encodeRareLabel(long label, int length, long target, int start) {
        int position = start;
        int before = NameModel.START;
        for (int i = 0; i < length; i++) {
            final int octet = Memory.getUnsignedByte(label + i);
            final int symbol = NameModel.symbolOf(octet);
            position = appendInner(target, position, before, symbol);
            before = symbol;
            if (symbol == NameModel.ESCAPE) {
                position = append(target, position, octet, ESCAPED_BITS);
                before = NameModel.AFTER_ESCAPE;
            }
        }
        return appendInner(target, position, before, NameModel.END);
    }

    private static int appendInner(long target, int position, int before, int symbol) {
        final long code = inner(before, symbol);
        return append(target, position, code >>> LENGTH_BITS, (int) code & LENGTH_MASK);
    }

    private static int tokenCode(long at, int label, boolean last) {
        final long word = lowerCase(Memory.getLongLE(at) & (-1L >>> (64 - 8 * label)));
        final int slot = tokenSlot(word, TOKEN_MULTIPLIER);
        long code =
                TOKEN_WORD[slot & (TOKEN_SLOTS - 1)] == word
                        ? TOKEN_CODE[slot & (TOKEN_SLOTS - 1)]
                        : 0;
        if (TOKEN_WORD[(slot + 1) & (TOKEN_SLOTS - 1)] == word) {
            code = TOKEN_CODE[(slot + 1) & (TOKEN_SLOTS - 1)];
        }
        return (int) (last ? code >>> 32 : code);
    }

    /**
     * Decodes the name at {@code source} into wire form, lower case, with its root label. Reads
     * nothing at or behind {@code limit} but for the slack of one word, and writes at most 256
     * octets; what is no name (memory that changes meanwhile) gives 0.
     *
     * @return octets of the name in the lower half, octets of its code in the upper; 0 if there is
     *     none
     */
    static long decode(long source, long limit, long target) {
        long out = target;
        long position = 0;
        while (true) {
            final long lengthAt = out++;
            int context = NameModel.START;
            while (true) {
                if (source + (position >>> 3) >= limit || out - target > 255) {
                    return 0;
                }
                final int window = window(source, position);
                int entry = FAST[context << FAST_BITS | window >>> (16 - FAST_BITS)];
                if (entry == 0) {
                    entry = decodeSlow(context, window);
                }
                position += entry & 15;
                final int symbol = entry >>> 4;
                if (symbol < NameModel.END) {
                    Memory.putByte(out++, NameModel.octetOf(symbol));
                    context = symbol;
                } else if (symbol == NameModel.END) {
                    break;
                } else if (symbol == NameModel.ESCAPE) {
                    Memory.putByte(out++, window(source, position) >>> 8);
                    position += ESCAPED_BITS;
                    context = NameModel.AFTER_ESCAPE;
                } else if (symbol == NameModel.ROOT) {
                    Memory.putByte(lengthAt, 0);
                    return (position + 7 >>> 3) << 32 | (lengthAt + 1 - target);
                } else {
                    final int token = symbol - NameModel.FIRST_TOKEN;
                    final byte[] label = TOKEN_LABEL[token];
                    Memory.copyFrom(label, 0, out, label.length);
                    out += label.length;
                    if (TOKEN_LAST[token]) {
                        Memory.putByte(lengthAt, label.length);
                        Memory.putByte(out, 0);
                        return out - target > 254
                                ? 0
                                : (position + 7 >>> 3) << 32 | (out + 1 - target);
                    }
                    break;
                }
            }
            Memory.putByte(lengthAt, (int) (out - lengthAt - 1));
        }
    }

    /** The 16 bits at a bit position. */
    private static int window(long source, long position) {
        return Memory.getIntBE(source + (position >>> 3)) << (position & 7) >>> 16;
    }

    private static int decodeSlow(int context, int window) {
        final int[] firstCode = FIRST_CODE[context];
        final int[] firstIndex = FIRST_INDEX[context];
        for (int length = FAST_BITS + 1; length < NameModel.MAX_CODE_LENGTH; length++) {
            final int offset = (window >>> (16 - length)) - firstCode[length];
            if (firstCode[length] >= 0
                    && offset >= 0
                    && offset < firstIndex[length + 1] - firstIndex[length]) {
                return BY_CODE[context][firstIndex[length] + offset] << 4 | length;
            }
        }
        final int length = NameModel.MAX_CODE_LENGTH;
        final int offset = (window >>> (16 - length)) - firstCode[length];
        return BY_CODE[context][firstIndex[length] + offset] << 4 | length;
    }
}
