package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.ResponseCode;

/**
 * Reads what a writer wants to know of a stored entry: its key's hash and its length. One per
 * shard, used under its monitor.
 */
final class EntryReader {
    /**
     * Octets of scratch: a decoded name, behind the eight octets that {@link KeyHash} may read
     * before it.
     */
    static final int SCRATCH = 8 + 320;

    private final long name;
    private long body;
    private int form;
    private int nameLength;
    private int length;

    EntryReader(long scratch) {
        name = scratch + 8;
    }

    /**
     * The hash of an entry's key. The other methods then tell of that entry.
     *
     * @param limit address that the entry cannot reach beyond
     * @throws IllegalStateException if there is no entry
     */
    long hash(long entry, long limit, KeyHash hashes) {
        if (!read(entry, limit)) {
            throw new IllegalStateException(
                    "the cache's log holds no entry where one was expected; this is a bug, please"
                            + " report it");
        }
        return form == EntryLayout.GENERAL
                ? hashes.of(name, nameLength, type(), EntryKey.variant(flags(), subnetAt()))
                : hashes.of(name, nameLength, type(), 0);
    }

    /** Reads an entry; false if none stands there that ends before {@code limit}. */
    boolean read(long entry, long limit) {
        final long decoded = NameDecoder.decode(entry + EntryLayout.HEADER, limit, name);
        if (decoded == 0) {
            return false;
        }
        nameLength = (int) decoded;
        body = entry + EntryLayout.HEADER + (decoded >>> 32);
        form = EntryLayout.form(Memory.getIntLE(entry));
        final int octets = bodyLength(form, body);
        length = (int) (body - entry) + octets;
        return form < EntryLayout.FORMS && octets >= 0 && octets <= limit - body;
    }

    /** Where the body of the entry read last stands. */
    long body() {
        return body;
    }

    int lengthOfHashed() {
        return length;
    }

    /** Where the asked name stands decoded, in lower case. */
    long nameAddress() {
        return name;
    }

    int nameLength() {
        return nameLength;
    }

    int type() {
        return form == EntryLayout.GENERAL
                ? GeneralLayout.type(flagsAt() + 1)
                : EntryLayout.typeOf(form);
    }

    /** The flags of the general form; 0 for the short one. */
    int flags() {
        return form == EntryLayout.GENERAL ? Memory.getUnsignedByte(flagsAt()) : 0;
    }

    int responseCode() {
        return (flags() & GeneralLayout.RCODE) == 0
                ? ResponseCode.NOERROR
                : GeneralLayout.varint(behindSubnet());
    }

    /** Whether it denies what was asked for. */
    boolean isNegative() {
        return (flags() & GeneralLayout.NEGATIVE) != 0;
    }

    /** The subnet as text; empty if there is none. */
    String subnet() {
        return (flags() & GeneralLayout.SUBNET) == 0 ? "" : SubnetField.text(subnetAt());
    }

    private long flagsAt() {
        return body + GeneralLayout.varintLength(GeneralLayout.varint(body));
    }

    private long subnetAt() {
        return flagsAt() + 1 + GeneralLayout.typeLength(type());
    }

    private long behindSubnet() {
        final long at = subnetAt();
        return (flags() & GeneralLayout.SUBNET) == 0 ? at : at + GeneralLayout.subnetLength(at);
    }

    /** Sets a key to that of the entry; good until the next is read. */
    void nameKey(EntryKey key) {
        final int flags = flags() & GeneralLayout.KEY_FLAGS;
        key.set(name, nameLength, type(), flags);
        if ((flags & GeneralLayout.SUBNET) != 0) {
            key.setSubnet(subnetAt());
        }
    }

    /** Octets of an entry. */
    int length(long entry, long limit) {
        final long decoded = NameDecoder.decode(entry + EntryLayout.HEADER, limit, name);
        final long body = entry + EntryLayout.HEADER + (decoded >>> 32);
        return (int) (body - entry) + bodyLength(EntryLayout.form(Memory.getIntLE(entry)), body);
    }

    private static int bodyLength(int form, long body) {
        if (form == EntryLayout.GENERAL) {
            final int rest = GeneralLayout.varint(body);
            return GeneralLayout.varintLength(rest) + rest;
        }
        if (form < EntryLayout.FORM_AAAA) {
            return 4 * EntryLayout.countOf(form);
        }
        if (form < EntryLayout.FORM_TXT) {
            return 16 * EntryLayout.countOf(form);
        }
        long at = body;
        for (int left = EntryLayout.countOf(form); left > 0; left--) {
            at += 1 + Memory.getUnsignedByte(at);
        }
        return (int) (at - body);
    }
}
