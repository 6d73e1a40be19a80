package io.ananas.cache;

/**
 * A bucket of the index: one cache line with 15 slots.
 *
 * <pre>
 *  0                 15                                            60       64
 *  +-----------------+---------------------------------------------+--------+
 *  | 15 tags, 1 each | 15 offsets into the shard, 3 octets each    | marks  |
 *  +-----------------+---------------------------------------------+--------+
 *
 *  tag     8 bits of the hash; 0 is an empty slot, so a hash with tag 0 counts as 1
 *  offset  where the entry begins, from the shard's first octet, least significant octet first
 *  marks   2 bits per slot: how often the entry was asked for, saturating at 3
 * </pre>
 *
 * Marks stand here, and not with the entry, because readers write them without a lock: a late write
 * may then spoil a mark, which is a hint, and never an entry.
 */
final class BucketLayout {
    static final int SIZE = 64;
    static final int SLOTS = 15;
    static final int OFFSETS = 15;
    static final int MARKS = 60;

    private BucketLayout() {}
}
