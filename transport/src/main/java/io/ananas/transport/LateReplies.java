package io.ananas.transport;

import io.ananas.message.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Replies to queries that had left their batch, sent together.
 *
 * <p>A packet by itself costs a system call and, where its receiver sleeps, a wake-up; that is more
 * than all the rest of such a reply. Answers from upstream come in bursts, and the threads that
 * wait for them run one behind the other. So a reply is put into a queue, and whoever finds nobody
 * on the way starts a virtual thread that lets those run first who are ready, and then sends all
 * that is there. A lone reply is delayed by the time that a thread takes to start. Where those who
 * are ready have much to do, such as signatures to check, the next reply does not wait for them: it
 * sends what has waited for {@link #PATIENCE_NANOS}.
 *
 * <p>Thread-safe.
 */
final class LateReplies {
    /**
     * A reply and its way.
     *
     * @param peer a socket address as the kernel wrote it
     * @param control the control message that chooses the source address, or nothing
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Reply(byte[] message, int length, byte[] peer, byte[] control) {}

    private static final long PATIENCE_NANOS = 1_000_000;

    private final LinuxUdpSocket socket;
    private final UdpCounters counters;
    private final Queue<Reply> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final MemorySegment room =
            Arena.ofAuto().allocate(LateRepliesLayout.SIZE, LateRepliesLayout.ALIGNMENT);
    private final MemorySegment errno = Arena.ofAuto().allocate(Libc.ERRNO);
    private volatile long oldest;
    private volatile boolean closed;

    LateReplies(LinuxUdpSocket socket, UdpCounters counters) {
        this.socket = socket;
        this.counters = counters;
    }

    /**
     * Sends a reply soon; one that no datagram holds, or after {@link #close}, counts as failed.
     */
    void add(Reply reply) {
        if (closed || reply.length > LateRepliesLayout.PAYLOAD_ROOM) {
            counters.failedLater.increment();
            return;
        }
        waiting.add(reply);
        final long now = System.nanoTime();
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            oldest = now;
            Thread.ofVirtual().name("late-replies").start(this::run);
        } else if (now - oldest > PATIENCE_NANOS) {
            oldest = now;
            flush();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // if it does not let others go first, replies go alone
    private void run() {
        Thread.yield();
        scheduled.set(false);
        flush();
    }

    /** Sends what waits, and nothing more. */
    void close() {
        closed = true;
        flush();
    }

    private synchronized void flush() {
        try {
            final long base = room.address();
            int count;
            while ((count = gather(base)) > 0) {
                final long first = LateRepliesLayout.header(base, 0);
                final int sent = socket.sendLate(errno, first, count);
                counters.sentLater.add(sent);
                counters.failedLater.add(count - sent);
            }
        } finally {
            Reference.reachabilityFence(room);
        }
    }

    private int gather(long base) {
        long payload = LateRepliesLayout.payloads(base);
        final long end = payload + LateRepliesLayout.PAYLOAD_ROOM;
        int count = 0;
        while (count < LateRepliesLayout.PACKETS) {
            final Reply reply = waiting.peek();
            if (reply == null || payload + reply.length > end) {
                break;
            }
            waiting.remove();
            put(base, count++, reply, payload);
            payload += reply.length;
        }
        return count;
    }

    private static void put(long base, int i, Reply reply, long payload) {
        final long header = LateRepliesLayout.header(base, i);
        final long name = LateRepliesLayout.name(base, i);
        final long control = LateRepliesLayout.control(base, i);
        Memory.copyFrom(reply.peer, 0, name, reply.peer.length);
        Memory.copyFrom(reply.control, 0, control, reply.control.length);
        Memory.copyFrom(reply.message, 0, payload, reply.length);
        MmsghdrLayout.setName(header, name, reply.peer.length);
        MmsghdrLayout.setPayload(header, LateRepliesLayout.iovec(base, i), payload, reply.length);
        MmsghdrLayout.setControl(header, control, reply.control.length);
    }
}
