package io.ananas.cache;

import io.ananas.message.Memory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Going through all entries of a shard, for who lists, flushes or saves them. Used under the
 * shard's monitor.
 */
final class ShardWalk {
    private final Shard shard;
    private final Queues queues;
    private final EntryReader entries;

    ShardWalk(Shard shard, Queues queues, EntryReader entries) {
        this.shard = shard;
        this.queues = queues;
        this.entries = entries;
    }

    /**
     * Shows every entry, oldest first; returns the number of those that were to be removed and are.
     */
    long visit(Predicate<StoredEntry> remove) {
        final StoredEntry cursor = new StoredEntry(entries);
        long removed = 0;
        for (final int place : placesByAge()) {
            final long entry = shard.base() + shard.offsetOf(place);
            if (!entries.read(entry, shard.end())) {
                throw new IllegalStateException(
                        "no entry at offset " + shard.offsetOf(place) + " of a shard");
            }
            cursor.moveTo(entry);
            if (remove.test(cursor)) {
                shard.remove(place);
                removed++;
            }
        }
        return removed;
    }

    /** The slots in use, in the order in which their entries were written. */
    int[] placesByAge() {
        final int buckets = shard.buckets();
        final long[] found = new long[buckets * BucketLayout.SLOTS];
        int count = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            final int taken = Index.taken(shard.index() + (long) bucket * BucketLayout.SIZE);
            for (int slot = 0; slot < BucketLayout.SLOTS; slot++) {
                if ((taken >>> slot & 1) != 0) {
                    final int place = bucket << 4 | slot;
                    found[count++] = queues.age(shard.offsetOf(place)) << 32 | place;
                }
            }
        }
        Arrays.sort(found, 0, count);
        return Arrays.stream(found, 0, count).mapToInt(key -> (int) key).toArray();
    }

    /**
     * Copies the marks and octets of entries that can be found, small queue first, until they fill
     * a block. What moves while blocks are written may come twice; what is added may be missing.
     *
     * @param from where to go on: what the last call returned, 0 at first
     * @return where to go on; -1 behind the last
     */
    long copyTo(ByteBuffer block, long from) {
        int at = from == 0 ? queues.firstOfAll() : queues.offset(from);
        while (at >= 0) {
            final long entry = shard.base() + at;
            final int place = shard.placeOf(entry);
            final int length = entries.lengthOfHashed();
            if (place != Index.NOT_FOUND) {
                if (block.remaining() <= length) {
                    return queues.cursor(at);
                }
                block.put((byte) shard.markOf(place));
                Memory.copyTo(entry, block.array(), block.arrayOffset() + block.position(), length);
                block.position(block.position() + length);
            }
            at = queues.following(at, length);
        }
        return -1;
    }
}
