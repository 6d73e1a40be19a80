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
 * <p>Encoding costs one table look-up per octet, escapes included, and one per label: the code of
 * an octet after another stands ready in a table of their pairs, of which names touch a few KiB. A
 * label that may be a token is compared as one word, eight octets from its start; hence the eight
 * readable octets that callers must leave behind a name.
 *
 * <p>Stateless; thread-safe.
 */
final class NameCode {
    /** The most octets that {@link #encode} writes, with the slack of its last word. */
    static final int MAX_ENCODED = 768;

    private static final int LENGTH_BITS = 5;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    private static final int START = 256;
    private static final int[] AFTER = new int[(START + 1) << 8];
    private static final int[] END_AFTER = new int[START];
    private static final int TOKEN_SLOTS = 2048;
    private static final long[] TOKEN_WORD = new long[TOKEN_SLOTS];
    private static final long[] TOKEN_CODE = new long[TOKEN_SLOTS];
    private static final long TOKEN_MULTIPLIER;
    private static final int ROOT;
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
        for (int context = 0; context < NameModel.CONTEXTS; context++) {
            buildDecoder(context, model.codes(context), model.lengths(context));
        }
        for (int before = 0; before <= START; before++) {
            final int context = contextAfter(before);
            buildEncoder(before, model.codes(context), model.lengths(context));
        }
        final int[] start = model.codes(NameModel.START);
        final byte[] startLengths = model.lengths(NameModel.START);
        ROOT = start[NameModel.ROOT] << LENGTH_BITS | startLengths[NameModel.ROOT];
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

    private static int contextAfter(int octet) {
        if (octet == START) {
            return NameModel.START;
        }
        final int symbol = NameModel.symbolOf(octet);
        return symbol == NameModel.ESCAPE ? NameModel.AFTER_ESCAPE : symbol;
    }

    private static void buildEncoder(int before, int[] codes, byte[] lengths) {
        for (int octet = 0; octet < 256; octet++) {
            final int symbol = NameModel.symbolOf(octet);
            final boolean escaped = symbol == NameModel.ESCAPE;
            final int code = escaped ? codes[symbol] << ESCAPED_BITS | octet : codes[symbol];
            final int length = lengths[symbol] + (escaped ? ESCAPED_BITS : 0);
            AFTER[before << 8 | octet] = code << LENGTH_BITS | length;
        }
        if (before != START) {
            END_AFTER[before] = codes[NameModel.END] << LENGTH_BITS | lengths[NameModel.END];
        }
    }

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
        long out = target;
        long bits = 0;
        int filled = 0;
        boolean rootDone = false;
        while (at < end) {
            final int label = Memory.getUnsignedByte(at);
            at++;
            final long next = at + label;
            int code = label <= NameModel.MAX_TOKEN_LENGTH ? tokenCode(at, label, next == end) : 0;
            if (code != 0) {
                rootDone = next == end;
                at = next;
            } else {
                int before = START;
                while (at < next) {
                    final int octet = Memory.getUnsignedByte(at);
                    at++;
                    code = AFTER[before << 8 | octet];
                    bits |= (long) (code >>> LENGTH_BITS) << (64 - filled - (code & LENGTH_MASK));
                    filled += code & LENGTH_MASK;
                    before = octet;
                    if (filled >= 32) {
                        Memory.putIntBE(out, (int) (bits >>> 32));
                        out += 4;
                        bits <<= 32;
                        filled -= 32;
                    }
                }
                code = END_AFTER[before];
            }
            bits |= (long) (code >>> LENGTH_BITS) << (64 - filled - (code & LENGTH_MASK));
            filled += code & LENGTH_MASK;
            if (filled >= 32) {
                Memory.putIntBE(out, (int) (bits >>> 32));
                out += 4;
                bits <<= 32;
                filled -= 32;
            }
        }
        if (!rootDone) {
            bits |= (long) (ROOT >>> LENGTH_BITS) << (64 - filled - (ROOT & LENGTH_MASK));
            filled += ROOT & LENGTH_MASK;
        }
        Memory.putLongBE(out, bits);
        return (int) (out - target) + ((filled + 7) >>> 3);
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
                    return ((position + 7) >>> 3) << 32 | (lengthAt + 1 - target);
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
                                : ((position + 7) >>> 3) << 32 | (out + 1 - target);
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
