package io.ananas.cache;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The static model behind {@link NameCode}: how many bits each symbol costs after which other.
 *
 * <p>A symbol is a letter (of either case), a digit, {@code -}, {@code _}, the end of a label, an
 * escape before any other octet, the root, or a <em>token</em>: a whole label that is common in
 * host names ({@code www}) or as the last one of a name ({@code com}, which brings the root with
 * it). What a symbol costs depends on the one before it inside the label; at the start of a label
 * all symbols are possible, elsewhere only characters, end and escape.
 *
 * <p>The model file holds nothing but code lengths; the codes follow from them (canonical Huffman:
 * by length, then by symbol). So it is small, can be read, and any file whose lengths satisfy
 * Kraft's equality is a working code. It is made from lists of real names by {@code
 * NameModelTrainer}, which stands beside the tests.
 */
final class NameModel {
    /** Symbols 0 to 25 are letters, 26 to 35 digits. */
    static final int HYPHEN = 36;

    static final int UNDERSCORE = 37;
    static final int END = 38;
    static final int ESCAPE = 39;
    static final int ROOT = 40;
    static final int FIRST_TOKEN = 41;

    /** Contexts: the symbol before (0 to 37), an escaped octet, the start of a label. */
    static final int AFTER_ESCAPE = 38;

    static final int START = 39;
    static final int CONTEXTS = 40;

    /** Symbols possible inside a label. */
    static final int INNER_SYMBOLS = ESCAPE + 1;

    /** Bits of a code at the start of a label, and elsewhere: four of them fit a word with room. */
    static final int MAX_CODE_LENGTH = 15;

    static final int MAX_INNER_LENGTH = 12;

    /** Bits of the octet that follows an escape. */
    static final int ESCAPED_BITS = 8;

    static final int MAX_TOKENS = 512;
    static final int MAX_TOKEN_LENGTH = 8;

    /** A label with a code of its own; {@code last} means that the root follows. */
    record Token(String label, boolean last) {}

    private static final class Standard {
        static final NameModel MODEL = load("name-model.txt");
    }

    private final byte[][] lengths;
    private final List<Token> tokens;

    NameModel(byte[][] lengths, List<Token> tokens) {
        this.lengths = lengths;
        this.tokens = List.copyOf(tokens);
        for (Token token : tokens) {
            if (token.label.isEmpty() || token.label.length() > MAX_TOKEN_LENGTH) {
                throw new IllegalArgumentException(
                        "token \""
                                + token.label
                                + "\", expected 1 to "
                                + MAX_TOKEN_LENGTH
                                + " octets");
            }
        }
        for (int context = 0; context < lengths.length; context++) {
            requireComplete(lengths[context], longest(context));
        }
    }

    /** The model that every cache uses; a snapshot names it by {@link #fingerprint}. */
    static NameModel standard() {
        return Standard.MODEL;
    }

    List<Token> tokens() {
        return tokens;
    }

    /** Code lengths by symbol in a context; 0 for a symbol that is not possible there. */
    byte[] lengths(int context) {
        return lengths[context];
    }

    /** The code of each symbol of a context, right-aligned. */
    int[] codes(int context) {
        final byte[] bits = lengths[context];
        final int[] codes = new int[bits.length];
        int next = 0;
        for (int length = 1; length <= MAX_CODE_LENGTH; length++) {
            for (int symbol = 0; symbol < bits.length; symbol++) {
                if (bits[symbol] == length) {
                    codes[symbol] = next++;
                }
            }
            next <<= 1;
        }
        return codes;
    }

    /** Tells one model from another. */
    long fingerprint() {
        long hash = 0xcbf29ce484222325L;
        for (byte[] context : lengths) {
            hash = (hash ^ Arrays.hashCode(context)) * 0x100000001b3L;
        }
        return (hash ^ tokens.hashCode()) * 0x100000001b3L;
    }

    /** Bits of the longest code that a context may have. */
    static int longest(int context) {
        return context == START ? MAX_CODE_LENGTH : MAX_INNER_LENGTH;
    }

    private static void requireComplete(byte[] bits, int longest) {
        int used = 0;
        for (byte length : bits) {
            if (length < 0 || length > longest) {
                throw new IllegalArgumentException(
                        "code length " + length + ", expected 0 to " + longest);
            }
            used += length == 0 ? 0 : 1 << (MAX_CODE_LENGTH - length);
        }
        if (used != 1 << MAX_CODE_LENGTH) {
            throw new IllegalArgumentException(
                    "the code lengths of a context are not a complete code");
        }
    }

    private static NameModel load(String resource) {
        try (InputStream in = NameModel.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(
                        resource + " is missing from the cache's jar; build it again");
            }
            return parse(new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads the text form: {@code token LABEL inner|last} lines in symbol order, then one {@code
     * context} line of code lengths for each context in order.
     */
    static NameModel parse(BufferedReader reader) throws IOException {
        final List<Token> tokens = new ArrayList<>();
        final List<byte[]> lengths = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            final String[] fields = line.split(" ", -1);
            switch (fields[0]) {
                case "token" -> tokens.add(new Token(fields[1], fields[2].equals("last")));
                case "context" -> lengths.add(parseLengths(fields));
                default -> {
                    if (!line.isEmpty() && !line.startsWith("#")) {
                        throw new IllegalArgumentException(
                                "name model: found \""
                                        + line
                                        + "\", expected a token or context line");
                    }
                }
            }
        }
        if (lengths.size() != CONTEXTS) {
            throw new IllegalArgumentException(
                    "name model: found " + lengths.size() + " contexts, expected " + CONTEXTS);
        }
        return new NameModel(lengths.toArray(new byte[0][]), tokens);
    }

    private static byte[] parseLengths(String[] fields) {
        final byte[] lengths = new byte[fields.length - 1];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = Byte.parseByte(fields[i + 1]);
        }
        return lengths;
    }

    /** The text form that {@link #parse} reads. */
    String toText(String heading) {
        final StringBuilder text = new StringBuilder();
        heading.lines().forEach(line -> text.append("# ").append(line).append('\n'));
        for (Token token : tokens) {
            text.append("token ").append(token.label).append(token.last ? " last\n" : " inner\n");
        }
        for (byte[] context : lengths) {
            text.append("context");
            for (byte length : context) {
                text.append(' ').append(length);
            }
            text.append('\n');
        }
        return text.toString();
    }

    /**
     * The symbol of an octet inside a label; {@link #ESCAPE} for one without a symbol of its own.
     */
    static int symbolOf(int octet) {
        if (octet >= 'a' && octet <= 'z') {
            return octet - 'a';
        }
        if (octet >= 'A' && octet <= 'Z') {
            return octet - 'A';
        }
        if (octet >= '0' && octet <= '9') {
            return 26 + octet - '0';
        }
        return switch (octet) {
            case '-' -> HYPHEN;
            case '_' -> UNDERSCORE;
            default -> ESCAPE;
        };
    }

    /** The lower-case octet of a symbol below {@link #END}. */
    static int octetOf(int symbol) {
        if (symbol < 26) {
            return 'a' + symbol;
        }
        if (symbol < HYPHEN) {
            return '0' + symbol - 26;
        }
        return symbol == HYPHEN ? '-' : '_';
    }
}
