package io.ananas.cache;

import io.ananas.message.MessageView;

/**
 * Inserts answers: the scratch memory of one thread that inserts. Not thread-safe; any number of
 * writers may work on one cache.
 */
public final class CacheWriter {
    private final KeyHash hashes;
    private final Shard[] shards;
    private final AnswerEncoder encoder;
    private final int maxEntry;

    CacheWriter(Scratch scratch, KeyHash hashes, Shard[] shards, CacheOptions options) {
        this.hashes = hashes;
        this.shards = shards;
        this.maxEntry = options.maxEntry();
        encoder = new AnswerEncoder(scratch.allocate(AnswerEncoder.scratch(maxEntry)), options);
    }

    /** As {@link AnswerCache#insert}. */
    public Insertion insert(MessageView answer, int now) {
        final Insertion verdict = encoder.encode(answer, now, hashes);
        if (verdict != Insertion.STORED) {
            return verdict;
        }
        if (encoder.length() > maxEntry) {
            return Insertion.TOO_LARGE;
        }
        final long hash = encoder.hash();
        final Shard shard = shards[(int) (((hash >>> 40) * shards.length) >>> 24)];
        return shard.insert(encoder.entry(), encoder.length(), hash, encoder.key(), now);
    }
}
