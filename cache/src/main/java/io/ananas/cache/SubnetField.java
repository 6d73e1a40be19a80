package io.ananas.cache;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Memory;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A client subnet (RFC 7871) as it stands in an entry and in a key.
 *
 * <pre>
 *  0        1               2
 *  +--------+---------------+--------------------------------+
 *  | family | prefix length | address: the octets that count |
 *  +--------+---------------+--------------------------------+
 *
 *  family 1 IPv4, 2 IPv6; address zero beyond the prefix, (prefix length + 7) / 8 octets
 * </pre>
 */
final class SubnetField {
    static final int MAX_LENGTH = 18;

    /** Octets that a field may be read beyond its end. */
    static final int SLACK = 8;

    private static final int ADDRESS = 2;
    private static final long ODD = 0x9e3779b97f4a7c15L;

    private SubnetField() {}

    /** Octets of a field with a prefix of so many bits. */
    static int length(int prefix) {
        return ADDRESS + ((prefix + 7) >>> 3);
    }

    /** Writes the field of the first {@code prefix} bits of a subnet's address. */
    static void put(long at, ClientSubnet subnet, int prefix) {
        final byte[] address = subnet.address().getAddress();
        put(at, subnet.family(), prefix);
        Memory.copyFrom(address, 0, at + ADDRESS, (prefix + 7) >>> 3);
        mask(at, prefix);
    }

    /**
     * Writes the field of the first {@code prefix} bits of the address that stands at {@code
     * address}.
     */
    static void put(long at, int family, int prefix, long address) {
        put(at, family, prefix);
        for (int i = 0; i < (prefix + 7) >>> 3; i++) {
            Memory.putByte(at + ADDRESS + i, Memory.getByte(address + i));
        }
        mask(at, prefix);
    }

    private static void put(long at, int family, int prefix) {
        Memory.putByte(at, family);
        Memory.putByte(at + 1, prefix);
    }

    private static void mask(long at, int prefix) {
        if ((prefix & 7) != 0) {
            final long last = at + ADDRESS + (prefix >>> 3);
            Memory.putByte(last, Memory.getByte(last) & 0xff00 >> (prefix & 7));
        }
    }

    static boolean same(long a, long b) {
        final int prefix = Memory.getUnsignedByte(a + 1);
        for (int i = 0; i < length(prefix); i++) {
            if (Memory.getByte(a + i) != Memory.getByte(b + i)) {
                return false;
            }
        }
        return true;
    }

    /** 48 bits that differ between fields, mostly. */
    static long digest(long at) {
        long digest = 0;
        for (int i = 0; i < length(Memory.getUnsignedByte(at + 1)); i++) {
            digest = (digest ^ Memory.getUnsignedByte(at + i)) * ODD;
        }
        return digest >>> 16;
    }

    /** The field as {@code 192.0.2.0/24}. */
    static String text(long at) {
        final int prefix = Math.min(128, Memory.getUnsignedByte(at + 1));
        final byte[] address = new byte[Memory.getUnsignedByte(at) == ClientSubnet.IPV6 ? 16 : 4];
        Memory.copyTo(at + ADDRESS, address, 0, Math.min(address.length, (prefix + 7) >>> 3));
        try {
            return InetAddress.getByAddress(address).getHostAddress() + "/" + prefix;
        } catch (UnknownHostException e) {
            throw new IllegalStateException(address.length + " octets are no IP address", e);
        }
    }
}
