package io.ananas.transport;

import io.ananas.message.Memory;

/**
 * The control message that tells which local address a datagram was sent to ({@code struct cmsghdr}
 * with {@code in_pktinfo} or {@code in6_pktinfo}, RFC 3542, section 6.1), and that makes the reply
 * leave from there.
 *
 * <pre>
 *          0         8       12     16          20                    24          28
 *          +---------+-------+------+-----------+---------------------+-----------+
 *   IPv4   | length  | level | type | interface | local address       | addressed |
 *          +---------+-------+------+-----------+---------------------+-----------+
 *          0         8       12     16                                32          36
 *          +---------+-------+------+---------------------------------+-----------+
 *   IPv6   | length  | level | type | address                         | interface |
 *          +---------+-------+------+---------------------------------+-----------+
 * </pre>
 */
final class PktinfoLayout {
    /** Room for what the kernel may deliver. */
    static final int ROOM = 64;

    private static final int LENGTH = 0;
    private static final int LEVEL = 8;
    private static final int TYPE = 12;
    private static final int IPV4_INTERFACE = 16;
    private static final int IPV4_LENGTH = 28;
    private static final int IPV4_SPACE = 32;
    private static final int IPV6_ADDRESS = 16;
    private static final int IPV6_INTERFACE = 32;
    private static final int IPV6_LENGTH = 36;
    private static final int IPV6_SPACE = 40;
    private static final int LINK_LOCAL_MASK = 0xffc0;
    private static final int LINK_LOCAL = 0xfe80;

    private PktinfoLayout() {}

    /**
     * Turns what was received at {@code at} into what is to be sent: the same address, and any
     * interface, but for a link-local address, which means nothing without one.
     *
     * @return octets to send; 0 where the kernel delivered nothing usable
     */
    static int echo(long at, int received) {
        if (received < IPV4_LENGTH) {
            return 0;
        }
        final long length = Memory.getLongLE(at + LENGTH);
        final int level = Memory.getIntLE(at + LEVEL);
        final int type = Memory.getIntLE(at + TYPE);
        if (level == Libc.IPPROTO_IP && type == Libc.IP_PKTINFO && length == IPV4_LENGTH) {
            Memory.putIntLE(at + IPV4_INTERFACE, 0);
            return IPV4_SPACE;
        }
        if (level == Libc.IPPROTO_IPV6 && type == Libc.IPV6_PKTINFO && length == IPV6_LENGTH) {
            if ((Memory.getShortBE(at + IPV6_ADDRESS) & LINK_LOCAL_MASK) != LINK_LOCAL) {
                Memory.putIntLE(at + IPV6_INTERFACE, 0);
            }
            return IPV6_SPACE;
        }
        return 0;
    }
}
