package io.ananas.recursor.dnssec;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Validated proofs of what does not exist, kept to answer questions that were never asked (RFC
 * 8198): names in a range already denied, types missing at a name already seen, names that a
 * wildcard already seen stands for.
 *
 * <p>Only what validated as secure is kept, never a record with opt-out, and none of a zone with
 * many NSEC3 iterations, as each look-up would cost them. A record gives way to a newer one that
 * contradicts it.
 *
 * <p>A name is looked for in the deepest zone known here that it can be in. If there is a deeper
 * one that is not known, the record that covers the name is that of the zone cut or below, and such
 * a record proves nothing of names below it (RFC 6840, section 4.1), so nothing is answered.
 *
 * <p>Bounded by the number of records in all; zones not used for long go first. Thread-safe; a
 * look-up costs a few comparisons, or a few hashes for NSEC3, and waits for no network.
 */
public final class DenialStore {
    private static final int MAX_SHARE = 8;

    private final Cache<Name, DenialZone> zones;
    private final int maxPerZone;
    private final LongAdder synthesised = new LongAdder();

    /**
     * @param maxRecords records kept at most, 64 to 100,000,000; about 500 octets each
     */
    public DenialStore(int maxRecords) {
        if (maxRecords < 64 || maxRecords > 100_000_000) {
            throw new IllegalArgumentException(
                    "maxRecords must be 64 to 100000000, got " + maxRecords);
        }
        maxPerZone = maxRecords / MAX_SHARE;
        zones =
                Caffeine.newBuilder()
                        .maximumWeight(maxRecords)
                        .weigher((Name name, DenialZone zone) -> zone.size())
                        .build();
    }

    void add(Name zone, List<Valid> sets, @Nullable Valid soa, long now) {
        final DenialZone into = zones.get(zone, it -> new DenialZone(it, maxPerZone));
        into.add(sets, soa, now);
        zones.put(zone, into);
    }

    void addWildcard(Valid set, List<Valid> sets, long now) {
        final DenialZone into = zones.get(set.zone(), it -> new DenialZone(it, maxPerZone));
        into.addWildcard(set, now);
        into.add(sets, null, now);
        zones.put(set.zone(), into);
    }

    /** The answer to (name, type) of class IN as far as it follows from what is known; or null. */
    public @Nullable Synthesis find(Name name, int type, Instant now) {
        if (RecordType.isMeta(type)
                || RecordType.isDnssec(type)
                || (type == RecordType.DS && name.isRoot())) {
            return null;
        }
        Name at = type == RecordType.DS ? name.parent() : name;
        DenialZone zone = zones.getIfPresent(at);
        while (zone == null && !at.isRoot()) {
            at = at.parent();
            zone = zones.getIfPresent(at);
        }
        final Synthesis found = zone == null ? null : zone.find(name, type, now.getEpochSecond());
        if (found != null) {
            synthesised.increment();
        }
        return found;
    }

    /** Forgets the zones at and below {@code name}, and those above that may speak of it. */
    public void forget(Name name) {
        zones.asMap().keySet().removeIf(it -> it.isSubdomainOf(name) || name.isSubdomainOf(it));
    }

    /** Records kept now. */
    public long size() {
        return zones.asMap().values().stream().mapToLong(DenialZone::size).sum();
    }

    /** Answers given by {@link #find} so far. */
    public long synthesised() {
        return synthesised.sum();
    }
}
