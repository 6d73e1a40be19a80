package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * A question in the form in which entries are compared with it: the name, the type, the variant.
 * Mutable and reused; one per writer.
 */
final class EntryKey {
    private long name;
    private int nameLength;
    private int codeLength;
    private int header;
    private int type;
    private int firstForm;
    private int maxCount;
    private int flags;
    private long subnet;

    /**
     * @param name address of the name in wire form, in any case; eight octets behind it must be
     *     readable
     * @param nameLength octets of it, root label included
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
        final long code = entry + EntryLayout.HEADER;
        header = Memory.getIntLE(entry);
        codeLength = NameCode.match(name, nameLength - 1, code);
        return codeLength != NameCode.NO_MATCH && matchesType(code + codeLength);
    }

    /** Narrows the key to a subnet, whose field stands at an address. */
    void setSubnet(long field) {
        flags |= GeneralLayout.SUBNET;
        subnet = field;
    }

    /** Octets of the coded name in the entry that matched last. */
    int codeLength() {
        return codeLength;
    }

    /**
     * The header of the entry that matched last, as it was then: readers take it from here, for in
     * the cache there may stand another by now.
     */
    int header() {
        return header;
    }

    /**
     * Records of the entry that matched last, 1 to {@link EntryLayout#maxCount}; short forms only.
     */
    int count() {
        return EntryLayout.form(header) - firstForm + 1;
    }

    private boolean matchesType(long body) {
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
