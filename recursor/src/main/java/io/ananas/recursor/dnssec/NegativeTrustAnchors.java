package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Names at and below which nothing is validated (RFC 7646), for a while or for good: the way out
 * when somebody's zone is broken and people need it. Thread-safe.
 */
public final class NegativeTrustAnchors {
    private final Map<Name, Instant> until = new ConcurrentHashMap<>();
    private final InstantSource clock;

    public NegativeTrustAnchors(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Adds a name, or changes until when it counts.
     *
     * @param expires {@link Instant#MAX} for good
     */
    public void add(Name name, Instant expires) {
        until.put(name, expires);
    }

    /** Takes a name out again; false if it was not in. */
    public boolean remove(Name name) {
        return until.remove(name) != null;
    }

    /** All that count now, and until when. */
    public Map<Name, Instant> active() {
        final Instant now = clock.instant();
        until.values().removeIf(expires -> !expires.isAfter(now));
        return new TreeMap<>(until);
    }

    /** The deepest one that {@code name} is at or below; null if there is none. */
    @Nullable Name closest(Name name) {
        if (until.isEmpty()) {
            return null;
        }
        final Instant now = clock.instant();
        Name at = name;
        while (true) {
            final Instant expires = until.get(at);
            if (expires != null && expires.isAfter(now)) {
                return at;
            }
            if (at.isRoot()) {
                return null;
            }
            at = at.parent();
        }
    }
}
