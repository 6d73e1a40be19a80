package io.ananas.cache;

import io.ananas.message.Memory;

/**
 * Who stays in a shard and who must leave.
 *
 * <p>While there is room, entries are appended to one log. When that has met the index, its front
 * becomes the <em>small queue</em> and the rest the <em>main queue</em>, each a ring of its own:
 *
 * <pre>
 *   +--------------+---------------------------------------------+--------+-------+
 *   | small queue  | main queue                                  | ghosts | index |
 *   +--------------+---------------------------------------------+--------+-------+
 *                  ^ moves
 * </pre>
 *
 * <p>A newcomer enters the small queue. At its tail, who was asked for meanwhile goes on to the
 * main queue, and who was not leaves; so names that are asked for once, most of all names, take
 * only the small queue's room (S3-FIFO: Yang et al., "FIFO queues are all you need for cache
 * eviction", SOSP 2023). At the tail of the main queue, who was asked for is copied to its head,
 * and another leaves (CLOCK). Who leaves is remembered as a {@link Ghosts ghost}; who comes back
 * while that lasts enters the main queue at once.
 *
 * <p>How large the small queue should be depends on the traffic, and is learned as ARC does it
 * (Megiddo and Modha, FAST 2003): who comes back after leaving the small queue says that it was too
 * small, who comes back after leaving the main queue says the opposite. The latter counts more, as
 * fewer of them are remembered. The border follows in small steps: entries at the front of the main
 * queue are copied to its head, or the small queue turns round earlier.
 *
 * <p>What replaced or flushed entries leave behind comes free when the tail passes. Where the main
 * queue has much of that, everybody goes on to it until it is filled again. The number of copies
 * per insertion is capped, so that an insertion has a bounded price. Used under the shard's
 * monitor.
 */
final class Queues {
    private static final int MAX_COPIES = 16;
    private static final int FIRST_SHARE = 10;
    private static final double LEAST_SHARE = 0.02;
    private static final double MOST_SHARE = 0.9;
    private static final double MAIN_GHOST_WEIGHT = 2.5;
    private static final int STEADY = 64;
    private static final int SLACK = 8;
    private static final int MOST_MARKS_KEPT = 1;

    private final Shard shard;
    private final long base;
    private final EntryReader entries;

    private RingLog main;
    private RingLog small;
    private Ghosts ghosts;
    private boolean divided;
    private int end;
    private int mainLive;
    private double target;
    private int copies;

    Queues(Shard shard, EntryReader entries) {
        this.shard = shard;
        this.base = shard.base();
        this.entries = entries;
        end = shard.logEnd();
        main = new RingLog(base, ShardLayout.LOG, end);
        small = new RingLog(base, ShardLayout.LOG, ShardLayout.LOG);
        ghosts = new Ghosts(base + end, 0);
    }

    /** Whether the log has met the index, so that somebody must leave for every newcomer. */
    boolean areFull() {
        return divided;
    }

    /** Where the one log ends that there is before they are full. */
    int head() {
        return main.head();
    }

    /** The index has grown. Before they are full only. */
    void setEnd(int logEnd) {
        end = logEnd;
        main.setEnd(logEnd);
    }

    /** Octets in use, dead entries included. */
    int octets() {
        return main.octets() + small.octets();
    }

    /** Forgets all entries; there is one log again. */
    void clear() {
        divided = false;
        end = shard.logEnd();
        final RingLog fresh = new RingLog(base, ShardLayout.LOG, end);
        fresh.follow(main, small);
        main = fresh;
        small = new RingLog(base, ShardLayout.LOG, ShardLayout.LOG);
    }

    /** An entry that nothing points at any more stands here. */
    void died(int offset, int length) {
        mainLive -= isInMain(offset) ? length : 0;
    }

    private boolean isInMain(int offset) {
        return divided && offset >= main.start();
    }

    /** Makes room for a newcomer and appends it; returns where it stands. */
    int appendNew(long entry, int length, long hash, int now) {
        copies = MAX_COPIES;
        final boolean known = divided && isKnown(hash);
        makeRoomWhileOneLog(length);
        if (!divided) {
            return main.append(entry, length);
        }
        moveBorder(now);
        return append(known, entry, length, now);
    }

    /** As {@link #appendNew}, in place of an entry that stands at {@code old}. */
    int appendAgain(int old, long entry, int length, int now) {
        copies = MAX_COPIES;
        makeRoomWhileOneLog(length);
        return divided ? append(isInMain(old), entry, length, now) : main.append(entry, length);
    }

    private void makeRoomWhileOneLog(int length) {
        if (!divided && !main.hasRoom(length)) {
            divide();
        }
    }

    private int append(boolean toMain, long entry, int length, int now) {
        if (goesToMain(toMain, length)) {
            makeRoomInMain(length, now);
            mainLive += length;
            return main.append(entry, length);
        }
        makeRoomInSmall(length, now);
        return small.append(entry, length);
    }

    /** Large entries go where they do not push out the half. */
    private boolean goesToMain(boolean wanted, int length) {
        final boolean fitsMain = length <= main.capacity() / 2;
        final boolean fitsSmall = length <= small.capacity() / 2;
        if (fitsMain && fitsSmall) {
            return wanted;
        }
        return main.capacity() >= small.capacity();
    }

    private boolean isKnown(long hash) {
        final double step = (double) shard.liveOctets() / Math.max(1, shard.live());
        if (ghosts.takeMain(hash)) {
            target = Math.max(target - MAIN_GHOST_WEIGHT * step, LEAST_SHARE * room());
            return true;
        }
        if (ghosts.takeSmall(hash)) {
            target = Math.min(target + step, MOST_SHARE * room());
            return true;
        }
        return false;
    }

    private int room() {
        return end - ShardLayout.LOG;
    }

    /** Makes two queues of the one log. */
    void divide() {
        final int wanted = ShardLayout.LOG + room() / FIRST_SHARE;
        int at = ShardLayout.LOG;
        int smallLive = 0;
        while (at < wanted && at < main.head()) {
            final boolean alive = shard.placeOf(base + at) != Index.NOT_FOUND;
            smallLive += alive ? entries.lengthOfHashed() : 0;
            at += entries.lengthOfHashed();
        }
        small = main.cut(Math.max(at, wanted));
        mainLive = Math.toIntExact(shard.liveOctets() - smallLive);
        ghosts = new Ghosts(base + end, shard.ghostOctets());
        target = small.capacity();
        divided = true;
    }

    private void makeRoomInSmall(int length, int now) {
        while (!small.hasRoom(length) || turnsEarly()) {
            if (!small.isWrapped()) {
                small.wrap();
            } else if (small.passGap()) {
                giveToMain();
            } else {
                leaveSmall(now);
            }
        }
    }

    /** Whether the small queue has what it should have, and is to give the rest away. */
    private boolean turnsEarly() {
        return !small.isWrapped()
                && small.capacity() > target + steady()
                && small.head() >= ShardLayout.LOG + target;
    }

    private int steady() {
        return room() / STEADY;
    }

    private void giveToMain() {
        final int border = Math.max(small.head(), ShardLayout.LOG + (int) target);
        if (border < main.start() - steady()) {
            small.setEnd(border);
            main.lowerStart(border);
        }
    }

    /** The entry at the tail of the small queue goes on to the main queue, or leaves. */
    private void leaveSmall(int now) {
        final int from = small.tail();
        final long entry = base + from;
        final long hash = shard.hashOf(entry);
        final int length = entries.lengthOfHashed();
        final int place = shard.placeOf(hash, from);
        if (place == Index.NOT_FOUND) {
            small.release(length);
            return;
        }
        final boolean alive = isAlive(entry, now);
        final boolean stays = alive && (shard.markOf(place) > 0 || mainHasSlack());
        if (stays && copies > 0 && length <= main.capacity() / 2) {
            copies--;
            makeRoomInMain(length, now);
            mainLive += length;
            shard.moved(place, main.append(entry, length), 0);
        } else {
            ghosts.leaveSmall(hash);
            shard.left(place, length, alive);
        }
        small.release(length);
    }

    private void makeRoomInMain(int length, int now) {
        while (!main.hasRoom(length)) {
            if (!main.isWrapped()) {
                main.wrap();
            } else if (!main.passGap()) {
                leaveMain(now);
            }
        }
    }

    /** The entry at the tail of the main queue goes to its head, or leaves. */
    private void leaveMain(int now) {
        final int from = main.tail();
        final long hash = shard.hashOf(base + from);
        final int length = entries.lengthOfHashed();
        final int place = shard.placeOf(hash, from);
        main.release(length);
        if (place == Index.NOT_FOUND) {
            return;
        }
        final boolean alive = isAlive(base + from, now);
        final int mark = shard.markOf(place);
        // while the log has not wrapped, what comes free at the tail is no room at the head
        final boolean mayStay = alive && copies > 0 && main.hasRoom(length);
        if (mayStay && (mark > 0 || mainHasSlack())) {
            copies--;
            shard.moveInto(main, place, from, length, Math.clamp(mark - 1, 0, MOST_MARKS_KEPT));
        } else {
            mainLive -= length;
            ghosts.leaveMain(hash);
            shard.left(place, length, alive);
        }
    }

    private boolean mainHasSlack() {
        return main.capacity() - mainLive > main.capacity() / SLACK;
    }

    private static boolean isAlive(long entry, int now) {
        return EntryLayout.remaining(Memory.getIntLE(entry), now) > 0;
    }

    /** Brings the small queue nearer to the size that it should have, if that is larger. */
    private void moveBorder(int now) {
        final int wanted = ShardLayout.LOG + (int) target;
        if (wanted <= main.start() + steady()) {
            return;
        }
        for (int step = 0; step < 4 && main.start() < wanted; step++) {
            if (!main.raiseStart(wanted)) {
                freeFront(now);
            }
        }
        small.setEnd(main.start());
    }

    private void freeFront(int now) {
        if (!main.isWrapped()) {
            leaveMain(now);
            return;
        }
        final int from = main.first();
        final int place = shard.placeOf(shard.hashOf(base + from), from);
        final int length = entries.lengthOfHashed();
        if (place == Index.NOT_FOUND) {
            main.releaseFirst(length);
            return;
        }
        if (!main.hasRoom(length) && !main.passGap()) {
            leaveMain(now);
        } else if (main.isWrapped()) {
            shard.moved(place, main.append(base + from, length), shard.markOf(place));
            main.releaseFirst(length);
        }
    }

    /**
     * Makes a slot of the index free where it is the index that is full.
     *
     * @param pending where the newcomer stands, that has no slot yet and is not to be taken for
     *     dead
     * @return false if there is nobody who could leave
     */
    boolean dropOldest(int pending, int now) {
        if (!divided) {
            divide();
            mainLive += isInMain(pending) ? entries.length(base + pending, shard.end()) : 0;
        }
        copies = 0;
        final int oldest = small.oldest();
        final RingLog log = oldest >= 0 && oldest != pending ? small : main;
        if (log.oldest() < 0 || log.oldest() == pending) {
            return false;
        }
        if (log.passGap()) {
            return true;
        }
        if (log == small) {
            leaveSmall(now);
        } else {
            leaveMain(now);
        }
        return true;
    }

    /** The first entry of all, for who visits them in turn: -1 if there is none. */
    int firstOfAll() {
        return small.oldest() >= 0 ? small.oldest() : main.oldest();
    }

    /** The entry behind another, whose length is known; -1 behind the last. */
    int following(int offset, int length) {
        if (isInMain(offset) || !divided) {
            return main.next(offset, length);
        }
        final int next = small.next(offset, length);
        return next >= 0 ? next : main.oldest();
    }

    /** A number for an entry's place that is not used again when the ring comes round. */
    long cursor(int offset) {
        final RingLog log = isInMain(offset) || !divided ? main : small;
        return (long) log.turnOf(offset) << 32 | offset;
    }

    /** The offset of a cursor; that of the oldest entry there if its own has left. */
    int offset(long cursor) {
        final int offset = (int) cursor;
        final RingLog log = isInMain(offset) || !divided ? main : small;
        return log.contains(offset) && cursor(offset) == cursor ? offset : log.oldest();
    }

    /** Orders offsets by how soon their entries may have to leave. */
    long age(int offset) {
        return isInMain(offset) || !divided
                ? main.age(offset) + 2L * ShardLayout.MAX_SIZE
                : small.age(offset);
    }
}
