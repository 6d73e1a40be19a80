package io.ananas.message;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Locale;

/**
 * A domain name in wire form (RFC 1035, section 3.1): at most 255 octets, labels of 1 to 63 octets
 * of any value, and the root label at the end.
 *
 * <p>Names are always absolute. They compare without regard to the case of ASCII letters and of
 * nothing else (RFC 4343), and keep the case they came with. Text form is that of RFC 1035, section
 * 5.1, and RFC 4343, section 2.1: {@code \.} is a dot within a label, {@code \DDD} an octet by its
 * decimal value.
 *
 * <p>For the cold path: on the hot one a name is octets in a message. Immutable.
 */
public final class Name implements Comparable<Name> {
    /** The root, {@code .} */
    public static final Name ROOT = new Name(new byte[1]);

    private final byte[] wire;
    private int hash;

    private Name(byte[] wire) {
        this.wire = wire;
    }

    /**
     * The name written as {@code text}, with or without a dot at the end; {@code "."} is the root.
     *
     * @throws IllegalArgumentException if it is no name; the message says what is wrong where
     */
    public static Name of(String text) {
        if (text.equals(".")) {
            return ROOT;
        }
        final ByteArrayOutputStream wire = new ByteArrayOutputStream(text.length() + 2);
        final ByteArrayOutputStream label = new ByteArrayOutputStream();
        int at = 0;
        while (at < text.length()) {
            final char c = text.charAt(at);
            if (c == '.') {
                endLabel(text, label, wire);
                at++;
            } else if (c == '\\') {
                label.write(escaped(text, at));
                at += isDigit(text, at + 1) ? 4 : 2;
            } else if (c > ' ' && c < 0x7f) {
                label.write(c);
                at++;
            } else {
                throw malformed(
                        text,
                        "character %d at position %d must be written as \\DDD, or the label in its xn-- form"
                                .formatted((int) c, at));
            }
        }
        if (label.size() > 0 || wire.size() == 0) {
            endLabel(text, label, wire);
        }
        wire.write(0);
        if (wire.size() > MessageLayout.MAX_NAME) {
            throw malformed(text, wire.size() + " octets, and a name has at most 255");
        }
        return new Name(wire.toByteArray());
    }

    private static void endLabel(
            String text, ByteArrayOutputStream label, ByteArrayOutputStream wire) {
        if (label.size() == 0 || label.size() > MessageLayout.MAX_LABEL) {
            throw malformed(text, "a label of " + label.size() + " octets, and one has 1 to 63");
        }
        wire.write(label.size());
        wire.writeBytes(label.toByteArray());
        label.reset();
    }

    private static int escaped(String text, int at) {
        if (isDigit(text, at + 1)) {
            if (isDigit(text, at + 2) && isDigit(text, at + 3)) {
                final int octet = Integer.parseInt(text.substring(at + 1, at + 4));
                if (octet <= 255) {
                    return octet;
                }
            }
        } else if (at + 1 < text.length() && text.charAt(at + 1) < 0x80) {
            return text.charAt(at + 1);
        }
        throw malformed(
                text,
                "the backslash at position %d must come before three digits up to 255 or a single ASCII character"
                        .formatted(at));
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private static IllegalArgumentException malformed(String text, String why) {
        return new IllegalArgumentException("\"%s\" is no domain name: %s".formatted(text, why));
    }

    /**
     * The name that stands uncompressed at {@code offset}.
     *
     * @throws IllegalArgumentException if there is none: a pointer, a label or a name too long, or
     *     the octets end before the name does
     */
    public static Name ofWire(byte[] octets, int offset) {
        final int length = uncompressedLength(octets, offset, octets.length);
        if (length < 0) {
            throw new IllegalArgumentException(
                    "no uncompressed name of at most 255 octets stands at offset %d of %d octets"
                            .formatted(offset, octets.length));
        }
        return length == 1 ? ROOT : new Name(Arrays.copyOfRange(octets, offset, offset + length));
    }

    /** Octets of the uncompressed name at {@code offset}; -1 if none ends before {@code end}. */
    static int uncompressedLength(byte[] octets, int offset, int end) {
        int at = offset;
        while (at >= 0 && at < end && at - offset < MessageLayout.MAX_NAME) {
            final int label = octets[at] & 0xff;
            if (label == 0) {
                return at + 1 - offset;
            }
            if (label > MessageLayout.MAX_LABEL) {
                return -1;
            }
            at += 1 + label;
        }
        return -1;
    }

    /** Takes over octets known to be a name. */
    static Name trusted(byte[] wire) {
        return wire.length == 1 ? ROOT : new Name(wire);
    }

    /** A copy of the octets, in the case they came in, 1 to 255 of them. */
    public byte[] wire() {
        return wire.clone();
    }

    /** Octets in wire form, 1 to 255. */
    public int length() {
        return wire.length;
    }

    /** Copies the wire form; returns the position behind it. */
    public int copyTo(byte[] target, int at) {
        System.arraycopy(wire, 0, target, at, wire.length);
        return at + wire.length;
    }

    /** Labels without the root: 0 for the root, 1 for {@code com.}, at most 127. */
    public int labelCount() {
        int count = 0;
        for (int at = 0; wire[at] != 0; at += 1 + wire[at]) {
            count++;
        }
        return count;
    }

    public boolean isRoot() {
        return wire.length == 1;
    }

    /**
     * The name without its first label.
     *
     * @throws IllegalStateException for the root
     */
    public Name parent() {
        if (isRoot()) {
            throw new IllegalStateException("the root has no parent");
        }
        return tail(1 + wire[0]);
    }

    /**
     * The last {@code labels} labels of this name: {@code suffix(1)} of {@code www.example.com.} is
     * {@code com.}
     *
     * @throws IllegalArgumentException if it has fewer
     */
    public Name suffix(int labels) {
        final int skip = labelCount() - labels;
        if (labels < 0 || skip < 0) {
            throw new IllegalArgumentException(
                    "%s has %d labels, not %d".formatted(this, labelCount(), labels));
        }
        return tail(offsetOfLabel(skip));
    }

    private int offsetOfLabel(int index) {
        int at = 0;
        for (int i = 0; i < index; i++) {
            at += 1 + wire[at];
        }
        return at;
    }

    private Name tail(int offset) {
        return offset == 0 ? this : trusted(Arrays.copyOfRange(wire, offset, wire.length));
    }

    /**
     * This name with one more label in front, given as in {@link #of(String)}: {@code child("www")}
     * of {@code example.com.} is {@code www.example.com.}
     *
     * @throws IllegalArgumentException if that is no name
     */
    public Name child(String label) {
        final Name front = of(label);
        if (front.labelCount() != 1) {
            throw malformed(label, "expected one label");
        }
        return front.append(this);
    }

    /**
     * The labels of this name followed by those of {@code suffix}.
     *
     * @throws IllegalArgumentException if the result is longer than 255 octets
     */
    public Name append(Name suffix) {
        final int front = wire.length - 1;
        if (front + suffix.wire.length > MessageLayout.MAX_NAME) {
            throw malformed(
                    toString() + suffix,
                    (front + suffix.wire.length) + " octets, and a name has at most 255");
        }
        final byte[] joined = Arrays.copyOf(wire, front + suffix.wire.length);
        System.arraycopy(suffix.wire, 0, joined, front, suffix.wire.length);
        return trusted(joined);
    }

    /** Whether this name is {@code ancestor} or below it: the test for in-bailiwick. */
    public boolean isSubdomainOf(Name ancestor) {
        final int offset = wire.length - ancestor.wire.length;
        if (offset < 0) {
            return false;
        }
        int at = 0;
        while (at < offset) {
            at += 1 + wire[at];
        }
        return at == offset && sameOctets(wire, offset, ancestor.wire);
    }

    /** Whether the first label is {@code *} (RFC 4592, section 2.1.1). */
    public boolean isWildcard() {
        return wire[0] == 1 && wire[1] == '*';
    }

    /** The canonical form: ASCII letters in lower case (RFC 4034, section 6.2). */
    public Name toLowerCase() {
        final byte[] lower = wire.clone();
        boolean changed = false;
        for (int i = 0; i < lower.length; i++) {
            lower[i] = lower(lower[i]);
            changed |= lower[i] != wire[i];
        }
        return changed ? new Name(lower) : this;
    }

    /**
     * An ASCII letter in lower case, any other octet as it is. A length octet is never a letter.
     */
    static byte lower(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? (byte) (octet + 0x20) : octet;
    }

    private static boolean sameOctets(byte[] octets, int offset, byte[] other) {
        for (int i = 0; i < other.length; i++) {
            if (lower(octets[offset + i]) != lower(other[i])) {
                return false;
            }
        }
        return true;
    }

    /** Equal but for the case of ASCII letters. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Name that
                && that.wire.length == wire.length
                && sameOctets(that.wire, 0, wire);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            for (final byte octet : wire) {
                h = 31 * h + lower(octet);
            }
            hash = h;
        }
        return h;
    }

    /** Canonical order (RFC 4034, section 6.1): label by label from the right. */
    @Override
    public int compareTo(Name other) {
        final int mine = labelCount();
        final int theirs = other.labelCount();
        for (int i = 1; i <= Math.min(mine, theirs); i++) {
            final int order =
                    compareLabels(
                            wire,
                            offsetOfLabel(mine - i),
                            other.wire,
                            other.offsetOfLabel(theirs - i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(mine, theirs);
    }

    private static int compareLabels(byte[] a, int atA, byte[] b, int atB) {
        final int shorter = Math.min(a[atA], b[atB]);
        for (int i = 1; i <= shorter; i++) {
            final int order = Byte.compareUnsigned(lower(a[atA + i]), lower(b[atB + i]));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a[atA], b[atB]);
    }

    /** Text form with a dot at the end, {@code "."} for the root, with escapes where needed. */
    @Override
    public String toString() {
        if (isRoot()) {
            return ".";
        }
        final StringBuilder text = new StringBuilder(wire.length + 8);
        for (int at = 0; wire[at] != 0; at += 1 + wire[at]) {
            for (int i = 1; i <= wire[at]; i++) {
                appendOctet(text, wire[at + i] & 0xff);
            }
            text.append('.');
        }
        return text.toString();
    }

    private static void appendOctet(StringBuilder text, int octet) {
        if (octet <= ' ' || octet >= 0x7f) {
            text.append(String.format(Locale.ROOT, "\\%03d", octet));
        } else {
            if (".\\\"();@$".indexOf(octet) >= 0) {
                text.append('\\');
            }
            text.append((char) octet);
        }
    }
}
