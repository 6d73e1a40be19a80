package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * A question in the form in which entries are compared with it: the coded name, the type, the
 * variant. Mutable and reused; one per writer.
 */
final class EntryKey {
    private long name;
    private int nameLength;
    private int type;
    private int firstForm;
    private int maxCount;
    private int flags;

    /**
     * @param name address of the coded name; eight octets behind it must be readable
     * @param flags those of {@link GeneralLayout#KEY_FLAGS} that the entry has
     */
    void set(long name, int nameLength, int type, int flags) {
        this.name = name;
        this.nameLength = nameLength;
        this.type = type;
        this.flags = flags;
        firstForm = EntryLayout.firstForm(type);
        maxCount = EntryLayout.maxCount(type);
    }

    /** Whether the entry at an address answers this question. */
    boolean matches(long entry) {
        return sameOctets(entry + EntryLayout.HEADER, name, nameLength)
                && matchesType(Memory.getIntLE(entry), entry + EntryLayout.HEADER + nameLength);
    }

    /** Octets of the coded name. */
    int nameLength() {
        return nameLength;
    }

    private boolean matchesType(int header, long body) {
        final int form = EntryLayout.form(header);
        if (form != EntryLayout.GENERAL) {
            return Integer.compareUnsigned(form - firstForm, maxCount) < 0 && flags == 0;
        }
        final long at = body + GeneralLayout.varintLength(GeneralLayout.varint(body));
        return (Memory.getUnsignedByte(at) & GeneralLayout.KEY_FLAGS) == flags
                && GeneralLayout.type(at + 1) == type;
    }

    /** Compares octets by eights; up to seven behind the end are read and not compared. */
    private static boolean sameOctets(long a, long b, int length) {
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            if (Memory.getLongLE(a + at) != Memory.getLongLE(b + at)) {
                return false;
            }
        }
        final long difference = Memory.getLongLE(a + at) ^ Memory.getLongLE(b + at);
        return at == length || difference << (64 - 8 * (length - at)) == 0;
    }

    /** What {@link KeyHash} takes as variant, from the flags of a general body. */
    static long variant(int flags, long subnet) {
        return flags & GeneralLayout.KEY_FLAGS;
    }
}
