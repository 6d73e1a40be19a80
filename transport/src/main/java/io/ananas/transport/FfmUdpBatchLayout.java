package io.ananas.transport;

/**
 * The memory of one receiving thread: for each of {@link #PACKETS} slots what the kernel needs to
 * receive a packet, what it needs to send one, and the octets of both.
 *
 * <pre>
 *   +-----------------+ RECEIVE_HEADERS   mmsghdr x 64
 *   +-----------------+ RECEIVE_IOVECS    iovec x 64
 *   +-----------------+ SEND_HEADERS      mmsghdr x 64, filled from the front
 *   +-----------------+ SEND_IOVECS       iovec x 64
 *   +-----------------+ NAMES             sockaddr x 64, where slot i came from and goes to
 *   +-----------------+ CONTROLS          pktinfo x 64, the local address of slot i
 *   +-----------------+ QUERIES           2,048 octets + 1 cache line, x 64
 *   +-----------------+ REPLIES           4,096 octets + 1 cache line, x 64
 *   +-----------------+ SIZE
 * </pre>
 *
 * Most packets fill two cache lines of their slot. If slots were a power of two apart, the same few
 * sets of the first-level cache would have to hold all 64 of them; the odd line spreads them. It
 * also lets hot code read and write whole words past the end of a message.
 */
final class FfmUdpBatchLayout {
    static final int PACKETS = 64;
    static final int QUERY_ROOM = 2_048;
    static final int REPLY_ROOM = 4_096;

    private static final int LINE = 64;
    private static final int QUERY_STRIDE = QUERY_ROOM + LINE;
    private static final int REPLY_STRIDE = REPLY_ROOM + LINE;
    private static final int RECEIVE_HEADERS = 0;
    private static final int RECEIVE_IOVECS = RECEIVE_HEADERS + PACKETS * MmsghdrLayout.SIZE;
    private static final int SEND_HEADERS = RECEIVE_IOVECS + PACKETS * MmsghdrLayout.IOVEC_SIZE;
    private static final int SEND_IOVECS = SEND_HEADERS + PACKETS * MmsghdrLayout.SIZE;
    private static final int NAMES = SEND_IOVECS + PACKETS * MmsghdrLayout.IOVEC_SIZE;
    private static final int CONTROLS = NAMES + PACKETS * SockaddrLayout.ROOM;
    private static final int QUERIES = CONTROLS + PACKETS * PktinfoLayout.ROOM;
    private static final int REPLIES = QUERIES + PACKETS * QUERY_STRIDE;

    static final int SIZE = REPLIES + PACKETS * REPLY_STRIDE;
    static final int ALIGNMENT = LINE;

    private FfmUdpBatchLayout() {}

    static long receiveHeader(long base, int i) {
        return base + RECEIVE_HEADERS + (long) i * MmsghdrLayout.SIZE;
    }

    static long receiveIovec(long base, int i) {
        return base + RECEIVE_IOVECS + (long) i * MmsghdrLayout.IOVEC_SIZE;
    }

    static long sendHeader(long base, int i) {
        return base + SEND_HEADERS + (long) i * MmsghdrLayout.SIZE;
    }

    static long sendIovec(long base, int i) {
        return base + SEND_IOVECS + (long) i * MmsghdrLayout.IOVEC_SIZE;
    }

    static long name(long base, int i) {
        return base + NAMES + (long) i * SockaddrLayout.ROOM;
    }

    static long control(long base, int i) {
        return base + CONTROLS + (long) i * PktinfoLayout.ROOM;
    }

    static long query(long base, int i) {
        return base + QUERIES + (long) i * QUERY_STRIDE;
    }

    static long reply(long base, int i) {
        return base + REPLIES + (long) i * REPLY_STRIDE;
    }
}
