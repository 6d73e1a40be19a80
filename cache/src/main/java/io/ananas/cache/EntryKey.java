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
    private long subnet;

    /**
     * @param name address of the coded name; eight octets behind it must be readable
     * @param flags those of {@link GeneralLayout#KEY_FLAGS} that the entry has
     */
    void set(long name, int nameLength, int type, int flags) {
        this.name = name;
        this.nameLength = nameLength;
        this.type = type;
        this.flags = flags;
        subnet = 0;
        firstForm = EntryLayout.firstForm(type);
        maxCount = EntryLayout.maxCount(type);
    }

    /** Whether the entry at an address answers this question. */
    boolean matches(long entry) {
        return sameOctets(entry + EntryLayout.HEADER, name, nameLength)
                && matchesType(Memory.getIntLE(entry), entry + EntryLayout.HEADER + nameLength);
    }

    /** Narrows the key to a subnet, whose field stands at an address. */
    void setSubnet(long field) {
        flags |= GeneralLayout.SUBNET;
        subnet = field;
    }

    /** Where the coded name stands. */
    long name() {
        return name;
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
                && GeneralLayout.type(at + 1) == type
                && (subnet == 0
                        || SubnetField.same(subnet, at + 1 + GeneralLayout.typeLength(type)));
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

    /**
     * What {@link KeyHash} takes as variant.
     *
     * @param flags of a general body; others than those of the key do not count
     * @param subnet address of the subnet field, looked at if the flags say that there is one
     */
    static long variant(int flags, long subnet) {
        final long own = flags & GeneralLayout.KEY_FLAGS;
        return (flags & GeneralLayout.SUBNET) == 0 ? own : own | SubnetField.digest(subnet) << 8;
    }
}
