package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * The general form of an entry's body: any answer, in sections, RRset by RRset.
 *
 * <pre>
 *  body    = varint(octets that follow) flags type [subnet] [rcode] [reasons] group*
 *  flags   bit 0 unchecked: asked with CD=1      bit 1 rcode follows, as varint
 *          bit 2 reasons (EDE) follow            bit 3 client subnet follows
 *          bit 4 a failure that is remembered (RFC 9520)   bit 5 denies what was asked for
 *          bit 6 no answer, but which prefix lengths have answers of their own: {@link ScopesLayout}
 *  type    one octet; 255: two octets follow
 *  subnet  = family prefix-length address          (only the octets that the prefix needs)
 *  reasons = count (code16 varint(length) text)*
 *
 *  group   = head type [class16] [varint(count)] [varint(TTL - the entry's)] [owner] rdata{count}
 *  head    bits 0-1 section   bits 2-4 owner   bit 5 count follows, otherwise one record
 *          bit 6 TTL follows, otherwise that of the entry   bit 7 class follows, otherwise IN
 *  owner   0 the asked name   1 the name that the last rdata ended with (the target of an alias)
 *          2 spelt out, a name   3 the asked name less its first labels, one octet says how many
 *          4 that of the group before
 *
 *  name    = labels shared with the end of the asked name (one octet), the labels before them, coded
 *  rdata   by type: A 4 octets, AAAA 16; CNAME, NS, PTR, DNAME a name; MX, SRV 2 or 6 octets and a name;
 *          SOA two names and 20 octets; everything else varint(length) and the octets
 * </pre>
 *
 * All numbers of two octets are in network order. A varint has seven bits per octet, least
 * significant first.
 */
final class GeneralLayout {
    static final int UNCHECKED = 1;
    static final int RCODE = 2;
    static final int REASONS = 4;
    static final int SUBNET = 8;
    static final int FAILURE = 16;

    static final int NEGATIVE = 32;
    static final int SCOPES = 64;

    /** The flags that are part of the key. */
    static final int KEY_FLAGS = UNCHECKED | SUBNET | FAILURE | SCOPES;

    static final int WIDE_TYPE = 255;

    static final int OWNER_SHIFT = 2;
    static final int OWNER_MASK = 7;
    static final int MANY = 1 << 5;
    static final int OWN_TTL = 1 << 6;
    static final int OTHER_CLASS = 1 << 7;

    static final int ASKED = 0;
    static final int TARGET = 1;
    static final int SPELT = 2;
    static final int ANCESTOR = 3;
    static final int SAME = 4;

    private GeneralLayout() {}

    /** Octets of a varint. */
    static int varintLength(int value) {
        return value < 1 << 7
                ? 1
                : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5;
    }

    /** Writes a varint; returns the address behind it. */
    static long putVarint(long at, int value) {
        long out = at;
        int left = value;
        while (left >>> 7 != 0) {
            Memory.putByte(out++, left | 0x80);
            left >>>= 7;
        }
        Memory.putByte(out++, left);
        return out;
    }

    /** Reads a varint of at most five octets; its length is {@link #varintLength} of it. */
    static int varint(long at) {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            final int octet = Memory.getUnsignedByte(at++);
            value |= (octet & 0x7f) << shift;
            if (octet < 0x80) {
                break;
            }
        }
        return value;
    }

    static int typeLength(int type) {
        return type < WIDE_TYPE ? 1 : 3;
    }

    static long putType(long at, int type) {
        if (type < WIDE_TYPE) {
            Memory.putByte(at, type);
            return at + 1;
        }
        Memory.putByte(at, WIDE_TYPE);
        Memory.putShortBE(at + 1, type);
        return at + 3;
    }

    static int type(long at) {
        final int octet = Memory.getUnsignedByte(at);
        return octet < WIDE_TYPE ? octet : Memory.getShortBE(at + 1);
    }

    /** Octets of a subnet field. */
    static int subnetLength(long at) {
        return SubnetField.length(Memory.getUnsignedByte(at + 1));
    }
}
