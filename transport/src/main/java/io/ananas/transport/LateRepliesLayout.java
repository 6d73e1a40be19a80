package io.ananas.transport;

/**
 * The memory from which {@link LateReplies} are sent, up to {@link #PACKETS} at a time.
 *
 * <pre>
 *   +-----------------+ HEADERS    mmsghdr x 64
 *   +-----------------+ IOVECS     iovec x 64
 *   +-----------------+ NAMES      sockaddr x 64
 *   +-----------------+ CONTROLS   pktinfo x 64
 *   +-----------------+ PAYLOADS   64 KiB, one message behind the other
 *   +-----------------+ SIZE
 * </pre>
 */
final class LateRepliesLayout {
    static final int PACKETS = 64;
    static final int PAYLOAD_ROOM = 65_536;

    private static final int HEADERS = 0;
    private static final int IOVECS = HEADERS + PACKETS * MmsghdrLayout.SIZE;
    private static final int NAMES = IOVECS + PACKETS * MmsghdrLayout.IOVEC_SIZE;
    private static final int CONTROLS = NAMES + PACKETS * SockaddrLayout.ROOM;
    private static final int PAYLOADS = CONTROLS + PACKETS * PktinfoLayout.ROOM;

    static final int SIZE = PAYLOADS + PAYLOAD_ROOM;
    static final int ALIGNMENT = 64;

    private LateRepliesLayout() {}

    static long header(long base, int i) {
        return base + HEADERS + (long) i * MmsghdrLayout.SIZE;
    }

    static long iovec(long base, int i) {
        return base + IOVECS + (long) i * MmsghdrLayout.IOVEC_SIZE;
    }

    static long name(long base, int i) {
        return base + NAMES + (long) i * SockaddrLayout.ROOM;
    }

    static long control(long base, int i) {
        return base + CONTROLS + (long) i * PktinfoLayout.ROOM;
    }

    /** Where the messages stand, of which the first begins here. */
    static long payloads(long base) {
        return base + PAYLOADS;
    }
}
