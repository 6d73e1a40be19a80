package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The proofs kept of one zone, in the order in which they deny: NSEC by owner, NSEC3 by hash.
 *
 * <p>Thread-safe by its own lock, which is held for no more than a look-up.
 */
final class DenialZone {
    private static final int MAX_ITERATIONS = 10;
    private static final int MAX_LABELS_HASHED = 12;

    private record NsecEntry(Nsec nsec, Stored stored) {}

    private record Nsec3Entry(Nsec3 nsec3, Stored stored) {}

    private record Key(Name owner, int type) {}

    private final Name zone;
    private final int maxRecords;
    private final NavigableMap<Name, NsecEntry> nsecs = new TreeMap<>();
    private final NavigableMap<byte[], Nsec3Entry> nsec3s = new TreeMap<>(Arrays::compareUnsigned);
    private final Map<Key, Stored> wildcards = new HashMap<>();
    private Nsec3.@Nullable Parameters parameters;
    private @Nullable Stored soa;

    DenialZone(Name zone, int maxRecords) {
        this.zone = zone;
        this.maxRecords = maxRecords;
    }

    synchronized int size() {
        return 1 + nsecs.size() + nsec3s.size() + wildcards.size();
    }

    synchronized void add(List<Valid> sets, @Nullable Valid newSoa, long now) {
        if (newSoa != null) {
            soa = Stored.of(newSoa, now);
        }
        for (final Valid valid : sets) {
            if (valid.set().rdata().size() == 1 && !valid.isExpanded()) {
                if (valid.set().type() == RecordType.NSEC) {
                    addNsec(valid, now);
                } else {
                    addNsec3(valid, now);
                }
            }
        }
    }

    synchronized void addWildcard(Valid set, long now) {
        if (wildcards.size() < maxRecords) {
            wildcards.put(new Key(set.signedOwner(), set.set().type()), Stored.of(set, now));
        } else {
            wildcards.values().removeIf(it -> !it.isFresh(now));
        }
    }

    private void addNsec(Valid valid, long now) {
        final Stored stored = Stored.of(valid, now);
        final Nsec nsec = Nsec.parse(stored.owner(), stored.rdata());
        if (nsec == null || !nsec.next().isSubdomainOf(zone)) {
            return;
        }
        final Map.Entry<Name, NsecEntry> before = nsecs.lowerEntry(nsec.owner());
        if (before != null && before.getValue().nsec.covers(nsec.owner(), zone)) {
            nsecs.remove(before.getKey());
        }
        final boolean last = nsec.next().equals(zone);
        (last
                        ? nsecs.tailMap(nsec.owner(), false)
                        : nsec.owner().compareTo(nsec.next()) < 0
                                ? nsecs.subMap(nsec.owner(), false, nsec.next(), false)
                                : new TreeMap<Name, NsecEntry>())
                .clear();
        makeRoom(nsecs, nsec.owner());
        nsecs.put(nsec.owner(), new NsecEntry(nsec, stored));
    }

    private void addNsec3(Valid valid, long now) {
        final Stored stored = Stored.of(valid, now);
        final Nsec3 nsec3 = Nsec3.parse(zone, stored.owner(), stored.rdata());
        if (nsec3 == null || nsec3.isOptOut() || nsec3.parameters().iterations() > MAX_ITERATIONS) {
            return;
        }
        if (!nsec3.parameters().equals(parameters)) {
            nsec3s.clear();
            parameters = nsec3.parameters();
        }
        nsec3s.values()
                .removeIf(it -> it.nsec3.covers(nsec3.hash()) || nsec3.covers(it.nsec3.hash()));
        makeRoom(nsec3s, nsec3.hash());
        nsec3s.put(nsec3.hash(), new Nsec3Entry(nsec3, stored));
    }

    /** When full, what follows the newcomer goes: as good as any, and found at once. */
    private <K, V> void makeRoom(NavigableMap<K, V> map, K newcomer) {
        if (map.size() >= maxRecords) {
            final K higher = map.higherKey(newcomer);
            map.remove(higher != null ? higher : map.firstKey());
        }
    }

    synchronized @Nullable Synthesis find(Name name, int type, long now) {
        final Synthesis byNsec = nsecs.isEmpty() ? null : findByNsec(name, type, now);
        return byNsec != null || nsec3s.isEmpty() ? byNsec : findByNsec3(name, type, now);
    }

    private @Nullable NsecEntry floor(Name name, long now) {
        final Map.Entry<Name, NsecEntry> entry = nsecs.floorEntry(name);
        return entry != null && entry.getValue().stored.isFresh(now) ? entry.getValue() : null;
    }

    private @Nullable Synthesis findByNsec(Name name, int type, long now) {
        final NsecEntry at = floor(name, now);
        if (at == null) {
            return null;
        }
        final NsecProof one = new NsecProof(zone, List.of(at.nsec));
        if (at.nsec.owner().equals(name) || !at.nsec.covers(name, zone)) {
            return one.noData(name, type) == Proof.PROVEN ? denial(false, now, at.stored) : null;
        }
        if (at.nsec.showsNameBelow(name)) {
            return denial(false, now, at.stored);
        }
        final Name wildcard = at.nsec.closestEncloser(name).child("*");
        final Synthesis expanded = expand(wildcard, type, now, at.stored);
        final NsecEntry denying = floor(wildcard, now);
        if (expanded != null || denying == null) {
            return expanded;
        }
        final NsecProof both = new NsecProof(zone, List.of(at.nsec, denying.nsec));
        if (both.nameError(name) == Proof.PROVEN) {
            return denial(true, now, at.stored, denying.stored);
        }
        return both.noData(name, type) == Proof.PROVEN
                ? denial(false, now, at.stored, denying.stored)
                : null;
    }

    private @Nullable Nsec3Entry match(byte[] hash, long now) {
        final Nsec3Entry entry = nsec3s.get(hash);
        return entry != null && entry.stored.isFresh(now) ? entry : null;
    }

    private @Nullable Nsec3Entry covering(byte[] hash, long now) {
        Map.Entry<byte[], Nsec3Entry> entry = nsec3s.lowerEntry(hash);
        if (entry == null) {
            entry = nsec3s.lastEntry();
        }
        final Nsec3Entry found = entry == null ? null : entry.getValue();
        return found != null && found.stored.isFresh(now) && found.nsec3.covers(hash)
                ? found
                : null;
    }

    private byte[] hash(Name name, Nsec3.Parameters by) {
        return Nsec3Hash.of(name, by.saltOctets(), by.iterations());
    }

    private @Nullable Synthesis findByNsec3(Name name, int type, long now) {
        final Nsec3.Parameters by = parameters;
        if (by == null || name.labelCount() - zone.labelCount() > MAX_LABELS_HASHED) {
            return null;
        }
        byte[] hash = hash(name, by);
        final Nsec3Entry at = match(hash, now);
        if (at != null) {
            return Nsec3Proof.lacks(at.nsec3, type, name.isRoot())
                    ? denial(false, now, at.stored)
                    : null;
        }
        Name encloser = name;
        Nsec3Entry enclosing = null;
        byte[] nextCloser = hash;
        while (enclosing == null && !encloser.equals(zone)) {
            nextCloser = hash;
            encloser = encloser.parent();
            hash = hash(encloser, by);
            enclosing = match(hash, now);
        }
        final Nsec3Entry covering = covering(nextCloser, now);
        if (enclosing == null
                || covering == null
                || enclosing.nsec3.isDelegation()
                || enclosing.nsec3.has(RecordType.DNAME)) {
            return null;
        }
        return belowEncloser(encloser.child("*"), type, now, by, enclosing, covering);
    }

    private @Nullable Synthesis belowEncloser(
            Name wildcard,
            int type,
            long now,
            Nsec3.Parameters by,
            Nsec3Entry enclosing,
            Nsec3Entry covering) {
        final Synthesis expanded = expand(wildcard, type, now, covering.stored);
        if (expanded != null) {
            return expanded;
        }
        final byte[] hash = hash(wildcard, by);
        final Nsec3Entry at = match(hash, now);
        if (at != null) {
            return Nsec3Proof.lacks(at.nsec3, type, false)
                    ? denial(false, now, enclosing.stored, covering.stored, at.stored)
                    : null;
        }
        final Nsec3Entry denying = covering(hash, now);
        return denying == null
                ? null
                : denial(true, now, enclosing.stored, covering.stored, denying.stored);
    }

    private @Nullable Synthesis expand(Name wildcard, int type, long now, Stored proof) {
        final Stored set = wildcards.get(new Key(wildcard, type));
        return set == null || !set.isFresh(now)
                ? null
                : new Synthesis(ResponseCode.NOERROR, set, List.of(proof), now);
    }

    private @Nullable Synthesis denial(boolean nameError, long now, Stored... proofs) {
        final Stored start = soa;
        if (start == null || !start.isFresh(now)) {
            return null;
        }
        final List<Stored> authority = new ArrayList<>();
        authority.add(start);
        for (final Stored proof : proofs) {
            if (!authority.contains(proof)) {
                authority.add(proof);
            }
        }
        return new Synthesis(
                nameError ? ResponseCode.NXDOMAIN : ResponseCode.NOERROR, null, authority, now);
    }
}
