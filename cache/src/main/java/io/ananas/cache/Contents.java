package io.ananas.cache;

import io.ananas.message.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Looks through all that a cache holds, one shard after the other. Thread-safe. */
final class Contents {
    private final Shard[] shards;

    Contents(Shard[] shards) {
        this.shards = shards;
    }

    static boolean concerns(StoredEntry entry, Name name, boolean subtree) {
        return subtree ? entry.name().isSubdomainOf(name) : entry.name().equals(name);
    }

    /** As {@link AnswerCache#list}. */
    List<CachedAnswer> list(Name name, boolean subtree, int limit, int now) {
        final List<CachedAnswer> found = new ArrayList<>();
        for (Shard shard : shards) {
            shard.visit(entry -> {
                if (found.size() < limit && entry.isAnswer() && concerns(entry, name, subtree)) {
                    found.add(entry.describe(now));
                }
                return false;
            });
        }
        return found;
    }

    /** As {@link AnswerCache#show}. */
    List<HeldAnswer> show(Name name, int now) {
        final List<HeldAnswer> found = new ArrayList<>();
        try (EntryResponse writer = new EntryResponse()) {
            for (Shard shard : shards) {
                shard.visit(entry -> {
                    if (entry.isAnswer() && concerns(entry, name, false)) {
                        found.add(
                                new HeldAnswer(
                                        entry.describe(now),
                                        entry.response(writer, shard.end(), now)));
                    }
                    return false;
                });
            }
        }
        return found;
    }

    /** Forgets what meets a condition; returns how many entries went. */
    long removeIf(Predicate<StoredEntry> condition) {
        long removed = 0;
        for (Shard shard : shards) {
            removed += shard.visit(condition);
        }
        return removed;
    }
}
