package io.ananas.transport;

import io.ananas.message.Memory;

/**
 * {@code struct mmsghdr} and {@code struct iovec} of 64-bit Linux with glibc: one datagram of a
 * vector for {@code recvmmsg} and {@code sendmmsg}.
 *
 * <pre>
 *   mmsghdr
 *    0       8        12   16      24       32       40          48     52   56      60   64
 *    +-------+--------+----+-------+--------+--------+-----------+------+----+-------+----+
 *    | name* | name   | -  | iov*  | iovec  | ctl*   | control   | flags| -  | octets| -  |
 *    |       | length |    |       | count  |        | length    |      |    |       |    |
 *    +-------+--------+----+-------+--------+--------+-----------+------+----+-------+----+
 *
 *   iovec
 *    0       8        16
 *    +-------+--------+
 *    | base* | length |
 *    +-------+--------+
 * </pre>
 */
final class MmsghdrLayout {
    static final int SIZE = 64;
    static final int IOVEC_SIZE = 16;

    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int IOVEC = 16;
    private static final int IOVEC_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int OCTETS = 56;
    private static final int IOVEC_BASE = 0;
    private static final int IOVEC_LENGTH = 8;

    private MmsghdrLayout() {}

    static void setName(long header, long address, int length) {
        Memory.putLongLE(header + NAME, address);
        Memory.putIntLE(header + NAME_LENGTH, length);
    }

    static void setNameLength(long header, int length) {
        Memory.putIntLE(header + NAME_LENGTH, length);
    }

    static int nameLength(long header) {
        return Memory.getIntLE(header + NAME_LENGTH);
    }

    /** Points {@code header} at the one {@code iovec}, and that at the payload. */
    static void setPayload(long header, long iovec, long address, int length) {
        Memory.putLongLE(iovec + IOVEC_BASE, address);
        Memory.putLongLE(iovec + IOVEC_LENGTH, length);
        Memory.putLongLE(header + IOVEC, iovec);
        Memory.putLongLE(header + IOVEC_COUNT, 1);
    }

    static void setControl(long header, long address, int length) {
        Memory.putLongLE(header + CONTROL, length == 0 ? 0 : address);
        Memory.putLongLE(header + CONTROL_LENGTH, length);
    }

    static void setControlLength(long header, int length) {
        Memory.putLongLE(header + CONTROL_LENGTH, length);
    }

    static int controlLength(long header) {
        return (int) Memory.getLongLE(header + CONTROL_LENGTH);
    }

    /** Octets of the datagram that was received or sent. */
    static int octets(long header) {
        return Memory.getIntLE(header + OCTETS);
    }
}
