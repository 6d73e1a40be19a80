package io.ananas.message;

import java.util.Locale;

/** Classes of records (RFC 1035, section 3.2.4; RFC 6895, section 3.2). */
public final class RecordClass {
    public static final int IN = 1;
    public static final int CH = 3;
    public static final int HS = 4;
    public static final int NONE = 254;
    public static final int ANY = 255;

    private RecordClass() {}

    /** {@code IN}, or {@code CLASS65280} for one without a mnemonic (RFC 3597, section 5). */
    public static String text(int recordClass) {
        return switch (recordClass) {
            case IN -> "IN";
            case CH -> "CH";
            case HS -> "HS";
            case NONE -> "NONE";
            case ANY -> "ANY";
            default -> "CLASS" + recordClass;
        };
    }

    /**
     * The class that {@code text} names, in any case; the reverse of {@link #text}.
     *
     * @throws IllegalArgumentException if it names none
     */
    public static int parse(String text) {
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "IN" -> IN;
            case "CH", "CHAOS" -> CH;
            case "HS" -> HS;
            case "NONE" -> NONE;
            case "ANY" -> ANY;
            default -> RecordType.parseNumbered(text, "CLASS", "class", "IN");
        };
    }
}
