package io.ananas.cache;

/**
 * A shard: an equal share of the cache's memory with a log and an index of its own, at most 16 MiB
 * so that an offset into it takes three octets.
 *
 * <pre>
 *  0         64                                                           size
 *  +---------+--------------------------------------+----------+---------+
 *  | control | entries: one log, then two queues    |  ghosts  | buckets |
 *  +---------+--------------------------------------+----------+---------+
 *
 *  control   0  sequence      int, odd while a writer changes the index or an entry
 *            4  buckets       int, their number; they end at the shard's end
 *            8  horizon       int, second up to which expiry times can be told from past ones
 * </pre>
 */
final class ShardLayout {
    static final int MAX_SIZE = 16 << 20;
    static final int SEQUENCE = 0;
    static final int BUCKETS = 4;
    static final int HORIZON = 8;
    static final int LOG = 64;

    private ShardLayout() {}
}
