package io.ananas.cache;

import io.ananas.message.Memory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * From the {@link NameCode} back to names: what writers need, to find the slot of an entry that has
 * to leave. Codes of up to eight bits are found by one look-up, longer ones by their length
 * (canonical Huffman). Stateless; thread-safe.
 */
final class NameDecoder {
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
        final List<NameModel.Token> tokens = model.tokens();
        TOKEN_LABEL = new byte[tokens.size()][];
        TOKEN_LAST = new boolean[tokens.size()];
        for (int i = 0; i < TOKEN_LABEL.length; i++) {
            TOKEN_LABEL[i] = tokens.get(i).label().getBytes(StandardCharsets.US_ASCII);
            TOKEN_LAST[i] = tokens.get(i).last();
        }
    }

    private NameDecoder() {}

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
                    position += NameModel.ESCAPED_BITS;
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
