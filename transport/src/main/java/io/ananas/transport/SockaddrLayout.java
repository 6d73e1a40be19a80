package io.ananas.transport;

import io.ananas.message.Memory;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * {@code struct sockaddr_in} and {@code struct sockaddr_in6} of Linux. The family is in the order
 * of the machine, port and address in network order.
 *
 * <pre>
 *   IPv4   0        2      4         8                  16
 *          +--------+------+---------+------------------+
 *          | family | port | address | zero             |
 *          +--------+------+---------+------------------+
 *   IPv6   0        2      4         8                  24      28
 *          +--------+------+---------+------------------+-------+
 *          | family | port | flow    | address          | scope |
 *          +--------+------+---------+------------------+-------+
 * </pre>
 *
 * An IPv6 socket sees an IPv4 client as {@code ::ffff:a.b.c.d} (RFC 4291, section 2.5.5.2).
 */
final class SockaddrLayout {
    /** Room that holds either. */
    static final int ROOM = 32;

    static final int IPV4_SIZE = 16;
    static final int IPV6_SIZE = 28;

    private static final int FAMILY = 0;
    private static final int PORT = 2;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_ADDRESS = 8;
    private static final int IPV6_SCOPE = 24;
    private static final int MAPPED_PREFIX = 12;
    private static final int MAPPED_MARK = 0x0000_ffff;

    private SockaddrLayout() {}

    /**
     * Writes {@code socketAddress} at {@code at}, which has {@link #ROOM} zeroed octets.
     *
     * @return octets written
     */
    static int put(long at, InetSocketAddress socketAddress) {
        final InetAddress address = socketAddress.getAddress();
        final byte[] octets = address.getAddress();
        Memory.putShortBE(at + PORT, socketAddress.getPort());
        if (address instanceof Inet6Address six) {
            Memory.putShortLE(at + FAMILY, Libc.AF_INET6);
            Memory.copyFrom(octets, 0, at + IPV6_ADDRESS, octets.length);
            Memory.putIntLE(at + IPV6_SCOPE, six.getScopeId());
            return IPV6_SIZE;
        }
        Memory.putShortLE(at + FAMILY, Libc.AF_INET);
        Memory.copyFrom(octets, 0, at + IPV4_ADDRESS, octets.length);
        return IPV4_SIZE;
    }

    static InetSocketAddress get(long at) throws UnknownHostException {
        final byte[] octets = new byte[ipLength(at)];
        Memory.copyTo(ipAddress(at), octets, 0, octets.length);
        return new InetSocketAddress(
                InetAddress.getByAddress(octets), Memory.getShortBE(at + PORT));
    }

    /** Where the IP address begins; a mapped IPv4 address counts as IPv4. */
    static long ipAddress(long at) {
        if (Memory.getShortLE(at + FAMILY) == Libc.AF_INET) {
            return at + IPV4_ADDRESS;
        }
        return isMapped(at) ? at + IPV6_ADDRESS + MAPPED_PREFIX : at + IPV6_ADDRESS;
    }

    /** 4 or 16. */
    static int ipLength(long at) {
        return Memory.getShortLE(at + FAMILY) == Libc.AF_INET || isMapped(at) ? 4 : 16;
    }

    private static boolean isMapped(long at) {
        return Memory.getLongBE(at + IPV6_ADDRESS) == 0
                && Memory.getIntBE(at + IPV6_ADDRESS + 8) == MAPPED_MARK;
    }
}
