package io.ananas.benchmarks.replay;

import io.ananas.benchmarks.policy.EvictionPolicy;
import io.ananas.benchmarks.policy.PolicyKind;
import io.ananas.benchmarks.trace.Trace;

/** Replays a trace through a policy that counts entries, TTLs honoured. */
final class PolicyReplay {
    private final Trace trace;
    private final long[] expiry;
    private long now;

    PolicyReplay(Trace trace) {
        this.trace = trace;
        expiry = new long[trace.questions().count()];
    }

    /** Share of queries that found an answer that had not expired, 0 to 1. */
    double hitRatio(PolicyKind kind, int capacity) {
        final int keys = trace.questions().count();
        final EvictionPolicy policy = kind.create(capacity, keys, key -> expiry[key] <= now);
        long hits = 0;
        for (int i = 0; i < trace.length(); i++) {
            now = trace.millis()[i];
            hits += ask(policy, trace.key()[i]) ? 1 : 0;
        }
        return (double) hits / trace.length();
    }

    private boolean ask(EvictionPolicy policy, int key) {
        final boolean kept = policy.contains(key);
        if (kept && expiry[key] > now) {
            policy.hit(key);
            return true;
        }
        final int ttl = trace.questions().ttl(key);
        if (ttl > 0) {
            expiry[key] = now + 1_000L * ttl;
            if (kept) {
                policy.renew(key);
            } else {
                policy.insert(key);
            }
        }
        return false;
    }
}
