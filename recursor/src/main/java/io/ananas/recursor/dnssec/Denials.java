package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The denial of existence in the authority section of one response, as far as it is signed by one
 * zone. A record that does not validate, or was expanded from a wildcard, proves nothing.
 */
final class Denials {
    private final Name zone;
    private final List<Valid> sets = new ArrayList<>();
    private final List<DenialProof> proofs = new ArrayList<>();
    private @Nullable Failure failure;
    private int iterations;

    private Denials(Name zone) {
        this.zone = zone;
    }

    static Denials of(
            Section authority, ZoneTrust.Secure trust, RrsetVerifier verifier, Work work) {
        final Denials denials = new Denials(trust.zone());
        int seen = 0;
        for (final Rrset set : authority.all()) {
            final boolean denial = set.type() == RecordType.NSEC || set.type() == RecordType.NSEC3;
            if (denial && seen++ < work.limits().denialSets()) {
                denials.check(set, trust, verifier, work);
            }
        }
        denials.gather(work);
        return denials;
    }

    private void check(Rrset set, ZoneTrust.Secure trust, RrsetVerifier verifier, Work work) {
        switch (verifier.verify(set, zone, trust.keys(), work)) {
            case Valid valid when valid.isExpanded() ->
                    fail(
                            new Failure(
                                    ExtendedError.DNSSEC_BOGUS,
                                    set + " was made from a wildcard, and as proof that is void"));
            case Valid valid -> sets.add(valid);
            case Failure found -> fail(found);
        }
    }

    private void fail(Failure found) {
        if (failure == null) {
            failure = found;
        }
    }

    private void gather(Work work) {
        final List<Nsec> nsecs = new ArrayList<>();
        final Map<Nsec3.Parameters, List<Nsec3>> nsec3s = new LinkedHashMap<>();
        for (final Valid valid : sets) {
            for (final byte[] rdata : valid.set().rdata()) {
                if (valid.set().type() == RecordType.NSEC) {
                    final Nsec nsec = Nsec.parse(valid.set().owner(), rdata);
                    if (nsec != null) {
                        nsecs.add(nsec);
                    }
                } else {
                    final Nsec3 nsec3 = Nsec3.parse(zone, valid.set().owner(), rdata);
                    if (nsec3 != null) {
                        iterations = Math.max(iterations, nsec3.parameters().iterations());
                        nsec3s.computeIfAbsent(nsec3.parameters(), it -> new ArrayList<>())
                                .add(nsec3);
                    }
                }
            }
        }
        if (!nsecs.isEmpty()) {
            proofs.add(new NsecProof(zone, nsecs));
        }
        for (final List<Nsec3> group : nsec3s.values()) {
            proofs.add(new Nsec3Proof(zone, group, work));
        }
    }

    /** The NSEC and NSEC3 RRsets that validated. */
    List<Valid> sets() {
        return sets;
    }

    /** The most iterations of a validated NSEC3; no proof of one above the limit may be asked. */
    int iterations() {
        return iterations;
    }

    /** Why a record that could have been proof was none; null if all validated. */
    @Nullable Failure failure() {
        return failure;
    }

    Proof noData(Name name, int type) {
        Proof best = Proof.NONE;
        for (final DenialProof proof : proofs) {
            best = better(best, proof.noData(name, type));
        }
        return best;
    }

    Proof nameError(Name name) {
        Proof best = Proof.NONE;
        for (final DenialProof proof : proofs) {
            best = better(best, proof.nameError(name));
        }
        return best;
    }

    Proof noCloserMatch(Name name, Name encloser) {
        Proof best = Proof.NONE;
        for (final DenialProof proof : proofs) {
            best = better(best, proof.noCloserMatch(name, encloser));
        }
        return best;
    }

    Delegation delegation(Name name) {
        for (final DenialProof proof : proofs) {
            final Delegation found = proof.delegation(name);
            if (found != Delegation.UNPROVEN) {
                return found;
            }
        }
        return Delegation.UNPROVEN;
    }

    private static Proof better(Proof a, Proof b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    /** Seconds for which all of it holds. */
    long ttl() {
        long ttl = Integer.MAX_VALUE;
        for (final Valid valid : sets) {
            ttl = Math.min(ttl, valid.ttl());
        }
        return ttl;
    }
}
