package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * The log of a shard: where entries are appended and where they leave. First it grows from the
 * front; once it has met the index it is a ring.
 *
 * <pre>
 *   growing      LOG             head                     index
 *                 +---------------+------------------------+
 *                 | entries       | free                   |
 *
 *   a ring       LOG     head         tail         wrap    index
 *                 +-------+------------+------------+------+
 *                 | newer | free       | older      | gap  |
 * </pre>
 *
 * The gap is what was left at the end when the entry that came then did not fit. It is passed over
 * when the tail comes there; the log then counts as growing from the front again, until its head
 * meets the index anew.
 *
 * <p>Knows nothing of entries but their length. Used under the shard's monitor.
 */
final class RingLog {
    private final long base;
    private int head = ShardLayout.LOG;
    private int tail = ShardLayout.LOG;
    private int wrap;

    RingLog(long base) {
        this.base = base;
    }

    int head() {
        return head;
    }

    int tail() {
        return tail;
    }

    /** Whether newer entries stand in front of older ones. */
    boolean isWrapped() {
        return wrap != 0;
    }

    /**
     * Whether so many octets are free at the head.
     *
     * @param index where the index begins
     */
    boolean hasRoom(int length, int index) {
        return (wrap == 0 ? index : tail) - head >= length;
    }

    /** Goes on at the front. */
    void wrap() {
        wrap = head;
        head = ShardLayout.LOG;
    }

    /** Copies octets behind the head; returns where they stand now. */
    int append(long entry, int length) {
        final int offset = head;
        Memory.copy(entry, base + offset, length);
        head += length;
        return offset;
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
        tail = ShardLayout.LOG;
        wrap = 0;
        return true;
    }

    void clear() {
        head = ShardLayout.LOG;
        tail = ShardLayout.LOG;
        wrap = 0;
    }

    /** Octets in use, dead entries included. */
    int octets() {
        return wrap == 0 ? head - tail : wrap - tail + head - ShardLayout.LOG;
    }

    /** Whether an offset lies between tail and head. */
    boolean contains(int offset) {
        return wrap == 0
                ? offset >= tail && offset < head
                : offset >= tail && offset < wrap || offset >= ShardLayout.LOG && offset < head;
    }

    /** Orders offsets by the time at which they were written. */
    long age(int offset) {
        return offset >= tail ? offset - tail : (long) offset + ShardLayout.MAX_SIZE;
    }

    /** The offset behind an entry that is followed by another; -1 at the end of the log. */
    int next(int offset, int length) {
        final int next = offset + length;
        if (next == wrap) {
            return head > ShardLayout.LOG ? ShardLayout.LOG : -1;
        }
        return next == head ? -1 : next;
    }
}
