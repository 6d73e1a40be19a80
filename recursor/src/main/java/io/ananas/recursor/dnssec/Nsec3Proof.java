package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Denial by NSEC3 (RFC 5155, section 8).
 *
 * <p>Everything but an exact match rests on the closest encloser proof (section 8.3): the deepest
 * ancestor whose hash has a record, and a record that covers the hash of the name one label deeper,
 * the next closer name. A name deeper than 127 labels does not exist, and each is hashed once and
 * charged to the question.
 */
final class Nsec3Proof implements DenialProof {
    /** The name one label below the closest encloser, and the record that covers its hash. */
    private record Encloser(Name name, Nsec3 nextCloser) {}

    private final Name zone;
    private final Nsec3.Parameters parameters;
    private final byte[] salt;
    private final List<Nsec3> records;
    private final Work work;
    private final Map<Name, byte[]> hashes = new HashMap<>();

    /**
     * @param records validated with keys of {@code zone}, all with the same parameters, at least
     *     one
     */
    Nsec3Proof(Name zone, List<Nsec3> records, Work work) {
        this.zone = zone;
        this.records = records;
        this.work = work;
        parameters = records.getFirst().parameters();
        salt = parameters.saltOctets();
    }

    int iterations() {
        return parameters.iterations();
    }

    private byte[] hash(Name name) {
        return hashes.computeIfAbsent(
                name,
                it -> {
                    work.beforeHash(Nsec3Hash.blocks(it, salt.length, parameters.iterations()));
                    return Nsec3Hash.of(it, salt, parameters.iterations());
                });
    }

    private @Nullable Nsec3 at(Name name) {
        final byte[] hash = hash(name);
        for (final Nsec3 nsec3 : records) {
            if (nsec3.matches(hash)) {
                return nsec3;
            }
        }
        return null;
    }

    private @Nullable Nsec3 covering(Name name) {
        final byte[] hash = hash(name);
        for (final Nsec3 nsec3 : records) {
            if (nsec3.covers(hash)) {
                return nsec3;
            }
        }
        return null;
    }

    /** The closest encloser of a name without a record of its own; null if it is not proven. */
    private @Nullable Encloser closestEncloser(Name name) {
        for (int labels = name.labelCount() - 1; labels >= zone.labelCount(); labels--) {
            final Name candidate = name.suffix(labels);
            final Nsec3 at = at(candidate);
            if (at != null) {
                final Nsec3 nextCloser = covering(name.suffix(labels + 1));
                return at.isDelegation() || at.has(RecordType.DNAME) || nextCloser == null
                        ? null
                        : new Encloser(candidate, nextCloser);
            }
        }
        return null;
    }

    @Override
    public Proof noData(Name name, int type) {
        if (!name.isSubdomainOf(zone)) {
            return Proof.NONE;
        }
        final Nsec3 at = at(name);
        if (at != null) {
            return lacks(at, type, name.isRoot()) ? Proof.PROVEN : Proof.NONE;
        }
        final Encloser encloser = closestEncloser(name);
        if (encloser == null) {
            return Proof.NONE;
        }
        final Nsec3 wildcard = at(encloser.name.child("*"));
        if (encloser.nextCloser.isOptOut()) {
            return wildcard == null || lacks(wildcard, type, false) ? Proof.OPT_OUT : Proof.NONE;
        }
        return wildcard != null && lacks(wildcard, type, false) ? Proof.PROVEN : Proof.NONE;
    }

    static boolean lacks(Nsec3 nsec3, int type, boolean root) {
        if (nsec3.has(type) || nsec3.has(RecordType.CNAME)) {
            return false;
        }
        return type == RecordType.DS ? root || !nsec3.has(RecordType.SOA) : !nsec3.isDelegation();
    }

    @Override
    public Proof nameError(Name name) {
        if (!name.isSubdomainOf(zone) || at(name) != null) {
            return Proof.NONE;
        }
        final Encloser encloser = closestEncloser(name);
        if (encloser == null || covering(encloser.name.child("*")) == null) {
            return Proof.NONE;
        }
        return encloser.nextCloser.isOptOut() ? Proof.OPT_OUT : Proof.PROVEN;
    }

    @Override
    public Proof noCloserMatch(Name name, Name encloser) {
        if (!name.isSubdomainOf(zone) || !encloser.isSubdomainOf(zone)) {
            return Proof.NONE;
        }
        final Nsec3 covering = covering(name.suffix(encloser.labelCount() + 1));
        if (covering == null) {
            return Proof.NONE;
        }
        return covering.isOptOut() ? Proof.OPT_OUT : Proof.PROVEN;
    }

    @Override
    public Delegation delegation(Name name) {
        if (!name.isSubdomainOf(zone)) {
            return Delegation.UNPROVEN;
        }
        final Nsec3 at = at(name);
        if (at != null) {
            if (at.has(RecordType.DS) || at.has(RecordType.SOA)) {
                return Delegation.UNPROVEN;
            }
            return at.has(RecordType.NS) ? Delegation.INSECURE : Delegation.NO_CUT;
        }
        final Encloser encloser = closestEncloser(name);
        if (encloser == null) {
            return Delegation.UNPROVEN;
        }
        return encloser.nextCloser.isOptOut() ? Delegation.INSECURE : Delegation.NO_NAME;
    }
}
