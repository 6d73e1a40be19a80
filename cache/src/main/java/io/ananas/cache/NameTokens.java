package io.ananas.cache;

import io.ananas.message.Memory;
import java.util.Arrays;
import java.util.List;

/**
 * The labels that have a code of their own, as {@link NameCode} looks them up: up to eight octets
 * as one word, in a table of pairs of slots, by one multiplication that was chosen so that no pair
 * has more than two.
 */
final class NameTokens {
    private static final int SLOTS = 2048;
    private static final long[] WORD = new long[SLOTS];
    private static final long[] CODE = new long[SLOTS];
    private static final long[] LAST_CODE = new long[SLOTS];
    private static final long MULTIPLIER = place(NameModel.standard());

    private NameTokens() {}

    /** Tries multipliers until no pair of slots holds more than two labels. */
    private static long place(NameModel model) {
        final List<NameModel.Token> tokens = model.tokens();
        final int[] codes = model.codes(NameModel.START);
        final byte[] lengths = model.lengths(NameModel.START);
        long multiplier = 0x9e3779b97f4a7c15L;
        while (true) {
            Arrays.fill(WORD, 0);
            Arrays.fill(CODE, 0);
            Arrays.fill(LAST_CODE, 0);
            boolean placed = true;
            for (int i = 0; i < tokens.size() && placed; i++) {
                final int symbol = NameModel.FIRST_TOKEN + i;
                placed =
                        place(
                                tokens.get(i),
                                multiplier,
                                NameCode.entry(codes[symbol], lengths[symbol]));
            }
            if (placed) {
                return multiplier;
            }
            multiplier = multiplier * 0xd1342543de82ef95L + 2;
            multiplier |= 1;
        }
    }

    private static boolean place(NameModel.Token token, long multiplier, long code) {
        final long word = wordOf(token.label());
        final int pair = slot(word, multiplier);
        for (int slot = pair; slot < pair + 2; slot++) {
            if (WORD[slot] == 0 || WORD[slot] == word) {
                WORD[slot] = word;
                (token.last() ? LAST_CODE : CODE)[slot] = code;
                return true;
            }
        }
        return false;
    }

    private static long wordOf(String label) {
        long word = 0;
        for (int i = 0; i < label.length(); i++) {
            word |= (long) label.charAt(i) << (8 * i);
        }
        return word;
    }

    private static int slot(long word, long multiplier) {
        return (int) ((word * multiplier) >>> 54) << 1;
    }

    /**
     * The code of a label of one octet or more, in any case; 0 if it has none of its own.
     *
     * @param at where it begins; eight octets must be readable
     * @param last whether the root follows, which the code then has with it
     */
    static long find(long at, int octets, boolean last) {
        if (octets > NameModel.MAX_TOKEN_LENGTH) {
            return 0;
        }
        final long word = NameCode.lowerCase(Memory.getLongLE(at) & (-1L >>> (64 - 8 * octets)));
        final int slot = slot(word, MULTIPLIER);
        final long[] codes = last ? LAST_CODE : CODE;
        if (WORD[slot & (SLOTS - 1)] == word) {
            return codes[slot & (SLOTS - 1)];
        }
        return WORD[(slot + 1) & (SLOTS - 1)] == word ? codes[(slot + 1) & (SLOTS - 1)] : 0;
    }
}
