package io.ananas.cache;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Memory;

/**
 * What the cache notes about a question that has answers for subnets: which prefix lengths occur,
 * so that a lookup tries these and no others, longest first.
 *
 * <pre>
 *  0       2                             7                                24
 *  +-------+-----------------------------+--------------------------------+
 *  | count | IPv4: bit n, length n used  | IPv6: bit n, length n used     |
 *  +-------+-----------------------------+--------------------------------+
 *   count: answers noted since the note was made, 2 octets
 * </pre>
 */
final class ScopesLayout {
    static final int LENGTH = 24;
    private static final int IPV4 = 2;
    private static final int IPV6 = 7;

    private ScopesLayout() {}

    static int count(long at) {
        return Memory.getShortLE(at);
    }

    /** Notes an answer of a prefix length; {@code more} is 0 where it replaced one. */
    static void add(long at, int family, int prefix, int more) {
        Memory.putShortLE(at, count(at) + more);
        final long octet = octet(at, family, prefix);
        Memory.putByte(octet, Memory.getByte(octet) | 1 << (prefix & 7));
    }

    static boolean has(long at, int family, int prefix) {
        return (Memory.getByte(octet(at, family, prefix)) >>> (prefix & 7) & 1) != 0;
    }

    private static long octet(long at, int family, int prefix) {
        return at + (family == ClientSubnet.IPV6 ? IPV6 : IPV4) + (prefix >>> 3);
    }
}
