package io.ananas.cache;

import io.ananas.message.Memory;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/**
 * The writer's side of a shard: the log, the index, and who must leave.
 *
 * <p><b>Writers and readers.</b> One writer at a time holds the shard's monitor. Readers take no
 * lock: they read the sequence, look, write their answer into a buffer of their own, and read the
 * sequence again; if it has changed they look once more (a sequence lock: Boehm, "Can seqlocks get
 * along with programming language memory models?", 2012). A new entry is appended where no slot
 * points, before the sequence is made odd, so that the section in which readers would have to wait
 * is a few stores long.
 *
 * <p><b>Log.</b> Entries are appended from the front until the log meets the index; from then on
 * somebody must leave for each that comes: see {@link Queues}. An entry that a new one has replaced
 * is dead: no slot points at it, and its octets come free when its queue's tail passes.
 */
final class Shard {
    /**
     * Seconds behind its expiry for which an answer is worth keeping at most (RFC 8767 advises one
     * to three days).
     */
    static final int MAX_STALE = 3 * 86_400;

    private final long base;
    private final int size;
    private final KeyHash hashes;
    private final EntryReader entries;
    private final ShardIndex index;

    private final Queues queues;
    private final ShardWalk walk;

    private boolean indexIsFinal;
    private int live;
    private long liveOctets;
    private long evictions;
    private long expiredEvictions;
    private boolean closed;

    Shard(long base, int size, int meanEntry, KeyHash hashes, EntryReader entries) {
        this.base = base;
        this.size = size;
        this.hashes = hashes;
        this.entries = entries;
        index = new ShardIndex(base, size, meanEntry);
        queues = new Queues(this, entries);
        walk = new ShardWalk(this, queues, entries);
    }

    long base() {
        return base;
    }

    /** The address behind the shard. */
    long end() {
        return base + size;
    }

    int buckets() {
        return index.buckets();
    }

    /** The address of the first bucket. */
    long index() {
        return index.address();
    }

    /** The offset at which entries end and the ghosts begin, that stand before the index. */
    int logEnd() {
        return index.logEnd();
    }

    int ghostOctets() {
        return index.buckets() * Ghosts.PER_BUCKET;
    }

    int live() {
        return live;
    }

    /** Octets of the entries that can be found. */
    long liveOctets() {
        return liveOctets;
    }

    /**
     * Asks for the two buckets of a hash, so that they come from memory while the writer encodes
     * what goes there. Takes no lock.
     *
     * @return as {@link Prefetch#lines}
     */
    int approach(long hash) {
        return index.approach(hash);
    }

    /**
     * Stores an entry under its hash, in place of the one that has the same key.
     *
     * @param entry where its octets are, outside the shard
     * @param key the asked name as it stands in the entry, coded, and what else makes the key
     */
    synchronized Insertion insert(long entry, int length, long hash, EntryKey key, int now) {
        requireOpen();
        if (length > (index.limit() - ShardLayout.LOG) / 4) {
            return Insertion.TOO_LARGE;
        }
        refreshHorizon(now);
        final int place = index.find(hash, key);
        if (place != Index.NOT_FOUND) {
            return replace(place, entry, length, hash, key, now);
        }
        return add(entry, length, hash, now) ? Insertion.STORED : Insertion.NO_ROOM;
    }

    private void refreshHorizon(int now) {
        if (Memory.getIntLE(base + ShardLayout.HORIZON) - now < EntryLayout.EXPIRY_RANGE / 4) {
            sweep(now);
        }
    }

    private Insertion replace(int place, long entry, int length, long hash, EntryKey key, int now) {
        final int old = offsetOf(place);
        final int oldLength = entries.length(base + old, end());
        if (EntryLayout.remaining(Memory.getIntLE(base + old), now) <= 0) {
            index.touch(place);
        }
        if (oldLength == length) {
            index.open();
            Memory.copy(entry, base + old, length);
            index.close();
            return Insertion.REPLACED;
        }
        final int offset = queues.appendAgain(old, entry, length, now);
        // making room may have moved the old version, or dropped it
        final int current = index.find(hash, key);
        if (current == Index.NOT_FOUND) {
            return index(offset, length, hash, now) ? Insertion.REPLACED : Insertion.NO_ROOM;
        }
        queues.died(offsetOf(current), oldLength);
        moved(current, offset, markOf(current));
        liveOctets += length - oldLength;
        return Insertion.REPLACED;
    }

    private boolean add(long entry, int length, long hash, int now) {
        return index(queues.appendNew(entry, length, hash, now), length, hash, now);
    }

    /** Gives an appended entry its slot. */
    private boolean index(int offset, int length, long hash, int now) {
        while (true) {
            if (index.add(hash, offset)) {
                live++;
                liveOctets += length;
                return true;
            }
            if (!indexIsFinal && !queues.areFull()) {
                grow();
            } else if (live == 0 || !queues.dropOldest(offset, now)) {
                queues.died(offset, length);
                return false;
            }
        }
    }

    /** The hash of an entry; its reader then tells of it. */
    long hashOf(long entry) {
        return entries.hash(entry, end(), hashes);
    }

    /** The slot that points at an offset; {@link Index#NOT_FOUND} if none does. */
    int placeOf(long hash, int offset) {
        return index.placeOf(hash, offset);
    }

    /** The slot that points at an entry of the log; {@link Index#NOT_FOUND} if it is dead. */
    int placeOf(long entry) {
        return placeOf(hashOf(entry), (int) (entry - base));
    }

    int markOf(int place) {
        return index.markOf(place);
    }

    /** The entry of a slot stands at {@code offset} now. */
    void moved(int place, int offset, int mark) {
        index.redirect(place, offset);
        index.setMarkOf(place, mark);
    }

    /** Copies the entry of a slot to the head of a log, onto itself perhaps. */
    void moveInto(RingLog log, int place, int from, int length, int mark) {
        index.open();
        Index.redirect(index(), place, log.append(base + from, length));
        index.close();
        index.setMarkOf(place, mark);
    }

    /** The entry of a slot has to leave. */
    void left(int place, int length, boolean alive) {
        index.remove(place);
        live--;
        liveOctets -= length;
        evictions++;
        expiredEvictions += alive ? 0 : 1;
    }

    /** Makes the index larger while there is room for that between the log and it. */
    private void grow() {
        final int wanted = index.nextBuckets(queues.octets(), live);
        final long built = index.roomFor(wanted, queues.head());
        if (built == 0) {
            indexIsFinal = true;
            return;
        }
        rebuild(built, wanted);
        index.become(built, wanted);
        queues.setEnd(logEnd());
    }

    private void rebuild(long target, int targetBuckets) {
        for (int at = ShardLayout.LOG; at < queues.head(); at += entries.lengthOfHashed()) {
            final long hash = hashOf(base + at);
            final int place = placeOf(hash, at);
            if (place != Index.NOT_FOUND
                    && !index.addTo(target, targetBuckets, hash, at, markOf(place))) {
                left(place, entries.lengthOfHashed(), true);
            }
        }
    }

    /**
     * Removes what expired more than {@link #MAX_STALE} seconds ago, so that no expiry time is read
     * after it has wrapped.
     */
    synchronized void sweep(int now) {
        requireOpen();
        for (int bucket = 0; bucket < buckets(); bucket++) {
            final long at = index() + (long) bucket * BucketLayout.SIZE;
            for (int slot = 0; slot < BucketLayout.SLOTS; slot++) {
                if (Memory.getByte(at + slot) != 0) {
                    final long entry = base + Index.offset(at, slot);
                    if (EntryLayout.remaining(Memory.getIntLE(entry), now) < -MAX_STALE) {
                        remove(bucket << 4 | slot);
                    }
                }
            }
        }
        Memory.putIntLE(base + ShardLayout.HORIZON, now + EntryLayout.EXPIRY_RANGE - MAX_STALE - 1);
    }

    /** Forgets the entry of a slot. Under the monitor. */
    void remove(int place) {
        final int length = entries.length(base + offsetOf(place), end());
        queues.died(offsetOf(place), length);
        liveOctets -= length;
        index.remove(place);
        live--;
    }

    /**
     * Notes that a question has an answer for a subnet: in the note that there is, or in a new one.
     *
     * @param entry a new note, in which it is noted already
     * @return false if the question has too many such answers; it is then not noted
     */
    synchronized boolean note(
            long entry,
            int length,
            long hash,
            EntryKey key,
            int family,
            int prefix,
            int more,
            int now) {
        requireOpen();
        final int place = index.find(hash, key);
        if (place == Index.NOT_FOUND) {
            return add(entry, length, hash, now);
        }
        final long old = base + offsetOf(place);
        if (EntryLayout.remaining(Memory.getIntLE(old), now) <= 0) {
            replace(place, entry, length, hash, key, now);
            return true;
        }
        final long scopes = old + length - ScopesLayout.LENGTH;
        if (ScopesLayout.count(scopes) + more > AnswerCache.MAX_SUBNETS) {
            return false;
        }
        index.open();
        ScopesLayout.add(scopes, family, prefix, more);
        if (EntryLayout.remaining(Memory.getIntLE(entry), now)
                > EntryLayout.remaining(Memory.getIntLE(old), now)) {
            Memory.putIntLE(old, Memory.getIntLE(entry));
        }
        index.close();
        return true;
    }

    /** The lifetime class's seconds of the entry that has a key; 0 if there is none. */
    synchronized int lifetime(long hash, EntryKey key) {
        requireOpen();
        final int place = index.find(hash, key);
        return place == Index.NOT_FOUND
                ? 0
                : Lifetime.secondsOf(
                        EntryLayout.lifetimeClass(Memory.getIntLE(base + offsetOf(place))));
    }

    /** The offset in a slot. */
    int offsetOf(int place) {
        return index.offsetOf(place);
    }

    /** As {@link ShardWalk#visit}. */
    synchronized long visit(Predicate<StoredEntry> remove) {
        requireOpen();
        return walk.visit(remove);
    }

    /** As {@link ShardWalk#copyTo}. */
    synchronized long copyTo(ByteBuffer block, long from) {
        requireOpen();
        return walk.copyTo(block, from);
    }

    /** Forgets everything. */
    synchronized void clear() {
        requireOpen();
        index.clear();
        cleared();
    }

    private void cleared() {
        live = 0;
        liveOctets = 0;
        indexIsFinal = false;
        queues.clear();
    }

    /**
     * Takes {@code octets} of its memory and no more from now on, at most what it was made with;
     * what lies between the ghosts and the index then is not used. Everything is written anew, as
     * far as there is room: who was asked for first, then the youngest. For a moment, readers find
     * nothing.
     */
    synchronized void resize(int octets, int now, Mapping mapping) {
        requireOpen();
        try (Survivors survivors = new Survivors(this, walk.placesByAge(), entries)) {
            survivors.choose(octets - ShardLayout.LOG, ShardIndex.PER_ENTRY);
            index.resize(octets, survivors.meanLength());
            cleared();
            mapping.giveBack(base, size, base + logEnd() + ghostOctets(), index());
            survivors.forEach((entry, length, mark) -> {
                final long hash = entries.hash(entry, entry + length, hashes);
                final int offset = queues.appendNew(entry, length, hash, now);
                if (index(offset, length, hash, now) && mark > 0) {
                    index.setMarkOf(placeOf(hash, offset), mark);
                }
            });
        }
    }

    /** Stores an entry from a snapshot unless its key is there already; its mark comes with it. */
    synchronized boolean restore(
            long entry, int length, long hash, EntryKey key, int mark, int now) {
        requireOpen();
        refreshHorizon(now);
        if (index.find(hash, key) != Index.NOT_FOUND || !add(entry, length, hash, now)) {
            return false;
        }
        if (mark != 0) {
            index.setMarkOf(index.find(hash, key), mark);
        }
        return true;
    }

    /** Adds this shard's figures to a sum. */
    synchronized void addTo(CacheStats.Sum sum) {
        requireOpen();
        sum.entries += live;
        sum.entryOctets += liveOctets;
        sum.indexOctets += index.octets();
        sum.logOctets += queues.octets();
        sum.evictions += evictions;
        sum.expiredEvictions += expiredEvictions;
        sum.rings += queues.areFull() ? 1 : 0;
    }

    private void requireOpen() {
        if (closed) {
            throw new CacheClosedException();
        }
    }

    /** Waits for who is at work in it; from then on nobody touches its memory. */
    synchronized void close() {
        closed = true;
    }
}
