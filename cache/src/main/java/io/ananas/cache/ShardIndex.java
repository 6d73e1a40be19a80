package io.ananas.cache;

import io.ananas.message.Memory;
import java.lang.invoke.VarHandle;

/**
 * The index of one shard as its writer sees it: where it stands, how large it is, and its changes,
 * each in a section in which the shard's sequence is odd and readers wait ({@link ShardReader}).
 *
 * <p><b>Growth.</b> How many entries a shard will hold depends on how long they are, which nobody
 * knows in advance. The index starts small at the shard's end and grows towards the log while that
 * has not met it: it doubles, and once the log is well filled the final size is computed from the
 * mean length so far. A new index is built in free log space, then copied into place in one short
 * section.
 *
 * <p>Used under the shard's monitor.
 */
final class ShardIndex {
    private static final int FIRST_BUCKETS = 16;
    private static final double TARGET_LOAD = 0.955;
    private static final double DECIDE_AT = 0.3;
    private static final int PER_BUCKET = BucketLayout.SIZE + Ghosts.PER_BUCKET;

    /** Octets that an entry takes in the index and in the ghosts. */
    static final double PER_ENTRY = PER_BUCKET / (BucketLayout.SLOTS * TARGET_LOAD);

    private final long base;
    private final int size;
    private final Index.Search search = new Index.Search();
    private int limit;
    private int buckets;

    /**
     * @param base where the shard begins
     * @param size octets of the shard
     * @param meanEntry octets per entry; 0 for not known
     */
    ShardIndex(long base, int size, int meanEntry) {
        this.base = base;
        this.size = size;
        limit = size;
        setBuckets(meanEntry == 0 ? FIRST_BUCKETS : bucketsFor(meanEntry));
    }

    private void setBuckets(int wanted) {
        buckets = wanted;
        Memory.putIntLE(base + ShardLayout.BUCKETS, wanted);
    }

    /** Buckets so that index and log of entries of a mean length fill the shard together. */
    private int bucketsFor(double meanEntry) {
        final double fit = (limit - ShardLayout.LOG) / (meanEntry + PER_ENTRY);
        final int wanted = (int) Math.ceil(fit * PER_ENTRY / PER_BUCKET);
        return Math.clamp(wanted, FIRST_BUCKETS, limit / 2 / PER_BUCKET);
    }

    int buckets() {
        return buckets;
    }

    /** Octets of the index and of the ghosts. */
    int octets() {
        return buckets * PER_BUCKET;
    }

    /** The address of the first bucket. */
    long address() {
        return base + size - (long) buckets * BucketLayout.SIZE;
    }

    /** The address of a slot's bucket. */
    private long bucketOf(int place) {
        return address() + (long) (place >> 4) * BucketLayout.SIZE;
    }

    /** Readers have to wait from here on. */
    void open() {
        Memory.putIntLE(
                base + ShardLayout.SEQUENCE, Memory.getIntLE(base + ShardLayout.SEQUENCE) + 1);
        VarHandle.storeStoreFence();
    }

    /** Readers may go on, and look anew. */
    void close() {
        Memory.putIntRelease(
                base + ShardLayout.SEQUENCE, Memory.getIntLE(base + ShardLayout.SEQUENCE) + 1);
    }

    /** As {@link Shard#approach}: what it reads of an index that just grew stays in the shard. */
    int approach(long hash) {
        final int count = buckets;
        return Index.approach(base + size - (long) count * BucketLayout.SIZE, count, hash);
    }

    /** The slot of the entry that has a key; {@link Index#NOT_FOUND} if there is none. */
    int find(long hash, EntryKey key) {
        return Index.locate(address(), buckets, hash, base, key);
    }

    /** The slot that points at an offset; {@link Index#NOT_FOUND} if none does. */
    int placeOf(long hash, int offset) {
        return Index.find(address(), buckets, hash, offset);
    }

    /** The offset in a slot. */
    int offsetOf(int place) {
        return Index.offset(bucketOf(place), place & 15);
    }

    int markOf(int place) {
        return Index.markOf(address(), place);
    }

    void setMarkOf(int place, int mark) {
        Index.setMarkOf(address(), place, mark);
    }

    /** Notes that the entry of a slot was asked for. */
    void touch(int place) {
        Index.touch(bucketOf(place), place & 15);
    }

    /** Gives an entry a slot; false if there is none for it. */
    boolean add(long hash, int offset) {
        open();
        final boolean added = Index.add(address(), buckets, hash, offset, 0, search);
        close();
        return added;
    }

    /** Points a slot somewhere else. */
    void redirect(int place, int offset) {
        open();
        Index.redirect(address(), place, offset);
        close();
    }

    /** Forgets the entry of a slot. */
    void remove(int place) {
        open();
        Index.clear(address(), place);
        close();
    }

    /** Buckets that it should have next, with so many octets of the log in use by {@code live}. */
    int nextBuckets(int used, int live) {
        if (used < DECIDE_AT * limit) {
            return 2 * buckets;
        }
        return Math.max(bucketsFor((double) used / Math.max(1, live)), buckets + buckets / 8);
    }

    /** Empty buckets in the log behind {@code head}; 0 if they or the new index have no room. */
    long roomFor(int wanted, int head) {
        final int octets = wanted * BucketLayout.SIZE;
        final int scratch = (head + BucketLayout.SIZE - 1) & -BucketLayout.SIZE;
        if (scratch + octets > limit - wanted * PER_BUCKET) {
            return 0;
        }
        Memory.zero(base + scratch, octets);
        return base + scratch;
    }

    /** Adds an entry to the buckets of a new index; false if there is no slot for it. */
    boolean addTo(long target, int targetBuckets, long hash, int offset, int mark) {
        return Index.add(target, targetBuckets, hash, offset, mark, search);
    }

    /** Becomes the index that was built at {@code source}. */
    void become(long source, int wanted) {
        final int octets = wanted * BucketLayout.SIZE;
        open();
        Memory.copy(source, base + size - octets, octets);
        setBuckets(wanted);
        close();
    }

    /** Forgets all entries. */
    void clear() {
        reset(buckets);
    }

    /** Forgets all entries, for a shard that has {@code octets} from now on. */
    void resize(int octets, double meanEntry) {
        limit = octets;
        reset(meanEntry == 0 ? FIRST_BUCKETS : bucketsFor(meanEntry));
    }

    private void reset(int wanted) {
        open();
        setBuckets(wanted);
        Memory.zero(address(), (long) buckets * BucketLayout.SIZE);
        close();
    }

    /** The offset at which entries end and the ghosts begin, that stand before the index. */
    int logEnd() {
        return limit - octets();
    }

    /** Octets of the shard that are used. */
    int limit() {
        return limit;
    }
}
