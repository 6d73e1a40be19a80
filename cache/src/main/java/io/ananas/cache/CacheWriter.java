package io.ananas.cache;

import io.ananas.message.ClientSubnet;
import io.ananas.message.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * Inserts answers: the scratch memory of one thread that inserts. Not thread-safe; any number of
 * writers may work on one cache.
 */
public final class CacheWriter {
    private static final int MAX_FAILURE = 30;

    private final KeyHash hashes;
    private final Shard[] shards;
    private final AnswerEncoder encoder;
    private final int maxEntry;
    private final TtlBounds bounds;

    @SuppressWarnings("UnusedVariable") // written so that the loads that stand in for it stay
    private int approached;

    CacheWriter(Scratch scratch, KeyHash hashes, Shard[] shards, CacheOptions options) {
        this.hashes = hashes;
        this.shards = shards;
        this.maxEntry = options.maxEntry();
        this.bounds = options.bounds();
        encoder = new AnswerEncoder(scratch.allocate(AnswerEncoder.scratch(maxEntry)), options);
    }

    /** As {@link AnswerCache#insert(MessageView, int)}. */
    public Insertion insert(MessageView answer, int now) {
        final Insertion verdict = encoder.begin(answer, hashes);
        if (verdict != Insertion.STORED) {
            return verdict;
        }
        approached = shardOf(encoder.hash()).approach(encoder.hash());
        final Insertion encoded = encoder.finish(answer, now);
        return encoded == Insertion.STORED ? store(now) : encoded;
    }

    /** As {@link AnswerCache#insert(MessageView, ClientSubnet, TtlBounds, int)}. */
    Insertion insert(MessageView answer, @Nullable ClientSubnet subnet, TtlBounds own, int now) {
        encoder.setBounds(own);
        try {
            return subnet == null ? insert(answer, now) : insert(answer, subnet, now);
        } finally {
            encoder.setBounds(bounds);
        }
    }

    /** As {@link AnswerCache#insert(MessageView, ClientSubnet, int)}. */
    Insertion insert(MessageView answer, ClientSubnet subnet, int now) {
        if (subnet.scopePrefix() == 0 && subnet.sourcePrefix() > 0) {
            return insert(answer, now);
        }
        final int prefix = Math.min(subnet.scopePrefix(), subnet.sourcePrefix());
        final Insertion verdict = encoder.encode(answer, subnet, prefix, now, hashes);
        if (verdict != Insertion.STORED) {
            return verdict;
        }
        final boolean known = shardOf(encoder.hash()).lifetime(encoder.hash(), encoder.key()) > 0;
        if (!note(answer, encoder.family(), prefix, known ? 0 : 1, now)) {
            return Insertion.TOO_MANY_SUBNETS;
        }
        encoder.encode(answer, subnet, prefix, now, hashes);
        return store(now);
    }

    private boolean note(MessageView answer, int family, int prefix, int more, int now) {
        encoder.encodeScopes(answer, now, hashes);
        ScopesLayout.add(encoder.scopes(), family, prefix, more);
        return shardOf(encoder.hash())
                .note(
                        encoder.entry(),
                        encoder.length(),
                        encoder.hash(),
                        encoder.key(),
                        family,
                        prefix,
                        more,
                        now);
    }

    /** As {@link AnswerCache#insertFailure}. */
    int insertFailure(MessageView failure, int now) {
        if (failure.questionCount() != 1) {
            return 0;
        }
        encoder.nameFailure(failure, hashes);
        final int before = shardOf(encoder.hash()).lifetime(encoder.hash(), encoder.key());
        final int seconds = before == 0 ? 1 : Math.min(MAX_FAILURE, 2 * before);
        final Insertion verdict = encoder.encodeFailure(failure, seconds, now, hashes);
        return verdict == Insertion.STORED && store(now).isCached() ? seconds : 0;
    }

    private Insertion store(int now) {
        if (encoder.length() > maxEntry) {
            return Insertion.TOO_LARGE;
        }
        return shardOf(encoder.hash())
                .insert(encoder.entry(), encoder.length(), encoder.hash(), encoder.key(), now);
    }

    private Shard shardOf(long hash) {
        return shards[(int) (((hash >>> 40) * shards.length) >>> 24)];
    }
}
