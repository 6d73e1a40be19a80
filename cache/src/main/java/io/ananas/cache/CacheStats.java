package io.ananas.cache;

/**
 * A cache's figures at one moment.
 *
 * @param size the budget in octets
 * @param resident octets that are resident now, as the kernel counts them, with the memory that
 *     readers and writers work in; where the kernel does not tell, the budget
 * @param scratch the part of that which readers and writers work in; grows with their number, not
 *     with the answers
 * @param entries answers that can be found
 * @param entryOctets octets of those answers in the log
 * @param logOctets octets of the log in use, replaced answers that still stand there included
 * @param indexOctets octets of the index, with what is remembered of answers that left
 * @param evictions answers dropped to make room
 * @param expiredEvictions those of them that had expired
 * @param shards parts of the cache, each with one writer at a time
 * @param fullShards shards that are full, where each newcomer makes another leave
 * @param hugePages what the system said to the request for huge pages
 */
public record CacheStats(
        long size,
        long resident,
        long scratch,
        long entries,
        long entryOctets,
        long logOctets,
        long indexOctets,
        long evictions,
        long expiredEvictions,
        int shards,
        int fullShards,
        String hugePages) {

    /**
     * Octets in use per answer, everything counted: index, log, replaced answers. 0 for an empty
     * cache.
     */
    public double octetsPerEntry() {
        return entries == 0 ? 0 : (double) (logOctets + indexOctets) / entries;
    }

    /** What the shards add their figures to. */
    static final class Sum {
        long entries;
        long entryOctets;
        long logOctets;
        long indexOctets;
        long evictions;
        long expiredEvictions;
        int rings;

        static Sum of(Shard[] shards) {
            final Sum sum = new Sum();
            for (Shard shard : shards) {
                shard.addTo(sum);
            }
            return sum;
        }
    }
}
