package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * A log of entries in a part of a shard: where they are appended and where they leave. First it
 * grows from the front of its part; once it has met the end it is a ring.
 *
 * <pre>
 *   growing      start           head                      end
 *                 +---------------+-------------------------+
 *                 | entries       | free                    |
 *
 *   a ring       start  first  head         tail         wrap  end
 *                 +------+------+------------+------------+-----+
 *                 | free | newer| free       | older      | gap |
 * </pre>
 *
 * The gap is what was left at the end when the entry that came then did not fit. It is passed over
 * when the tail comes there; the log then counts as growing again, until its head meets the end
 * anew. The part may become larger or smaller at either side while that is free; what it gains in
 * front of the newer entries is used from the next turn on.
 *
 * <p>Knows nothing of entries but their length. Used under the shard's monitor.
 */
final class RingLog {
    private final long base;
    private int start;
    private int end;
    private int first;
    private int head;
    private int tail;
    private int wrap;
    private int turns;

    RingLog(long base, int start, int end) {
        this.base = base;
        this.start = start;
        this.end = end;
        clear();
    }

    int start() {
        return start;
    }

    int head() {
        return head;
    }

    int tail() {
        return tail;
    }

    /** Octets of the part. */
    int capacity() {
        return end - start;
    }

    void setEnd(int end) {
        this.end = end;
    }

    /** Whether newer entries stand in front of older ones. */
    boolean isWrapped() {
        return wrap != 0;
    }

    /** Whether so many octets are free at the head. */
    boolean hasRoom(int length) {
        return (wrap == 0 ? end : tail) - head >= length;
    }

    /** Goes on at the front. */
    void wrap() {
        wrap = head;
        first = start;
        head = start;
        turns++;
    }

    /** Copies octets behind the head; returns where they stand now. */
    int append(long entry, int length) {
        if (!hasRoom(length)) {
            throw new IllegalStateException(
                    "no room for %d octets in a log of the cache; this is a bug, please report it"
                            .formatted(length));
        }
        final int offset = head;
        Memory.copy(entry, base + offset, length);
        head += length;
        return offset;
    }

    /** Counts turns behind those of logs before, so that none of their cursors fits this one. */
    void follow(RingLog... before) {
        for (RingLog log : before) {
            turns += log.turns;
        }
    }

    /** Gives the octets at the tail free. */
    void release(int length) {
        tail += length;
    }

    /** Passes over the gap; false if the tail is not there. */
    boolean passGap() {
        if (tail != wrap) {
            return false;
        }
        tail = first;
        wrap = 0;
        return true;
    }

    /** Forgets all entries. */
    void clear() {
        first = start;
        head = start;
        tail = start;
        wrap = 0;
        turns++;
    }

    /**
     * Cuts off the front of a log that has not wrapped yet: a part of its own, full of the older
     * entries up to {@code at}, where an entry begins.
     */
    RingLog cut(int at) {
        final RingLog front = new RingLog(base, start, at);
        front.head = head < at ? head : start;
        front.wrap = head < at ? 0 : at;
        start = at;
        first = at;
        tail = at;
        head = Math.max(head, at);
        return front;
    }

    /** Takes what is free in front of the part, from {@code from} on. */
    void lowerStart(int from) {
        start = from;
        if (wrap == 0 && tail == head) {
            clear();
        }
    }

    /**
     * Gives octets at the front away while those are free, at most up to {@code wanted}.
     *
     * @return whether there were any
     */
    boolean raiseStart(int wanted) {
        if (wrap == 0 && tail == head) {
            start = Math.min(wanted, end);
            clear();
            return true;
        }
        final boolean frontIsEmpty = wrap != 0 && head == first;
        final int free = wrap == 0 || frontIsEmpty ? tail : first;
        final int to = Math.min(wanted, free);
        if (to <= start) {
            return false;
        }
        start = to;
        if (frontIsEmpty) {
            first = Math.max(first, to);
            head = first;
        }
        return true;
    }

    /** The newer entry that stands nearest to the front, if the log has wrapped. */
    int first() {
        return first;
    }

    /** Gives the first of the newer entries free. */
    void releaseFirst(int length) {
        first += length;
    }

    /** Octets in use, dead entries included. */
    int octets() {
        return wrap == 0 ? head - tail : wrap - tail + head - first;
    }

    /** Whether an offset lies where entries stand. */
    boolean contains(int offset) {
        return wrap == 0
                ? offset >= tail && offset < head
                : (offset >= tail && offset < wrap) || (offset >= first && offset < head);
    }

    /** Orders offsets by the time at which they were written. */
    long age(int offset) {
        return offset >= tail ? offset - tail : (long) offset + ShardLayout.MAX_SIZE;
    }

    /** How often the log had wrapped when the entry at an offset was written. */
    int turnOf(int offset) {
        return wrap != 0 && offset >= tail ? turns - 1 : turns;
    }

    /** The offset of the oldest entry; -1 if there is none. */
    int oldest() {
        if (wrap != 0 && tail == wrap) {
            return head > first ? first : -1;
        }
        return tail == head && wrap == 0 ? -1 : tail;
    }

    /** The offset behind an entry that is followed by another; -1 at the end of the log. */
    int next(int offset, int length) {
        final int next = offset + length;
        if (next == wrap) {
            return head > first ? first : -1;
        }
        return next == head ? -1 : next;
    }
}
