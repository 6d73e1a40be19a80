package io.ananas.recursor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.ananas.message.Name;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The delegations that are known. Bounded in octets; thread-safe. */
final class DelegationCache {
    private static final long USUAL_WEIGHT = 1_000;

    private final Cache<Name, Delegation> delegations;
    private final InstantSource clock;

    /**
     * @param maximum delegations of usual size that there is room for
     */
    DelegationCache(long maximum, InstantSource clock) {
        this.clock = clock;
        delegations =
                Caffeine.newBuilder()
                        .maximumWeight(maximum * USUAL_WEIGHT)
                        .weigher((Name zone, Delegation delegation) -> delegation.weight())
                        .executor(Runnable::run)
                        .build();
    }

    /** The one of the deepest zone at or above {@code name}; null if not even the root's is. */
    @Nullable Delegation deepest(Name name) {
        final long now = clock.millis();
        for (Name zone = name; ; zone = zone.parent()) {
            final Delegation known = delegations.getIfPresent(zone);
            if (known != null && now < known.expiresAt()) {
                return known;
            }
            if (zone.isRoot()) {
                return null;
            }
        }
    }

    void put(Delegation delegation) {
        if (delegation.expiresAt() > clock.millis()) {
            delegations.put(delegation.zone(), delegation);
        }
    }

    /** Adds servers that a zone names itself, as long as the parent's word for it lasts. */
    void addServers(Name zone, List<NameServer> servers) {
        delegations.asMap().computeIfPresent(zone, (name, known) -> known.with(servers));
    }

    void forget(Name subtree) {
        delegations.asMap().keySet().removeIf(zone -> zone.isSubdomainOf(subtree));
    }

    long size() {
        delegations.cleanUp();
        return delegations.estimatedSize();
    }
}
