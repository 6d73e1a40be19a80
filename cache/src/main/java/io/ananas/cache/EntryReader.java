package io.ananas.cache;

import io.ananas.message.Memory;

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
    private int length;

    EntryReader(long scratch) {
        name = scratch + 8;
    }

    /** The hash of an entry's key; {@link #lengthOfHashed} tells its length afterwards. */
    long hash(long entry, long limit, KeyHash hashes) {
        final long decoded = NameCode.decode(entry + EntryLayout.HEADER, limit, name);
        if (decoded == 0) {
            throw new IllegalStateException(
                    "the cache's log holds no entry where one was expected; this is a bug, please report it");
        }
        final long body = entry + EntryLayout.HEADER + (decoded >>> 32);
        final int form = EntryLayout.form(Memory.getIntLE(entry));
        length = (int) (body - entry) + bodyLength(form, body);
        return form == EntryLayout.GENERAL
                ? hashes.of(name, (int) decoded, typeOf(body), variantOf(body))
                : hashes.of(name, (int) decoded, EntryLayout.typeOf(form), 0);
    }

    int lengthOfHashed() {
        return length;
    }

    /** Octets of the name that {@link #hash} decoded, and where it is. */
    long nameAddress() {
        return name;
    }

    /** Octets of an entry. */
    int length(long entry, long limit) {
        final long decoded = NameCode.decode(entry + EntryLayout.HEADER, limit, name);
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

    private static int typeOf(long body) {
        return GeneralLayout.type(flagsAt(body) + 1);
    }

    private static long flagsAt(long body) {
        return body + GeneralLayout.varintLength(GeneralLayout.varint(body));
    }

    /** The part of the key that name and type do not tell, as {@link KeyHash} takes it. */
    private static long variantOf(long body) {
        final long at = flagsAt(body);
        final int flags = Memory.getUnsignedByte(at);
        final long subnet = at + 1 + GeneralLayout.typeLength(GeneralLayout.type(at + 1));
        return EntryKey.variant(flags, subnet);
    }
}
