package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Denial by NSEC (RFC 4035, section 5.4), with the corrections of RFC 6840, section 4, and compact
 * denial (RFC 9824).
 */
final class NsecProof implements DenialProof {
    /** The type that a name which does not exist has in compact denial (RFC 9824, section 2). */
    static final int NXNAME = 128;

    private final Name zone;
    private final List<Nsec> records;

    /**
     * @param records validated with keys of {@code zone}, not expanded from wildcards
     */
    NsecProof(Name zone, List<Nsec> records) {
        this.zone = zone;
        this.records = records;
    }

    private @Nullable Nsec at(Name name) {
        for (final Nsec nsec : records) {
            if (nsec.owner().equals(name)) {
                return nsec;
            }
        }
        return null;
    }

    private @Nullable Nsec covering(Name name) {
        if (name.isSubdomainOf(zone)) {
            for (final Nsec nsec : records) {
                if (nsec.covers(name, zone)) {
                    return nsec;
                }
            }
        }
        return null;
    }

    @Override
    public Proof noData(Name name, int type) {
        final Nsec at = at(name);
        if (at != null) {
            return lacks(at, type, name.isRoot()) ? Proof.PROVEN : Proof.NONE;
        }
        final Nsec covering = covering(name);
        if (covering == null) {
            return Proof.NONE;
        }
        if (covering.showsNameBelow(name)) {
            return Proof.PROVEN;
        }
        final Nsec wildcard = at(covering.closestEncloser(name).child("*"));
        return wildcard != null && lacks(wildcard, type, false) ? Proof.PROVEN : Proof.NONE;
    }

    /**
     * Whether an NSEC at the name denies the type there. Of a zone cut the parent may deny only DS,
     * and of an apex only the parent may deny it.
     */
    static boolean lacks(Nsec nsec, int type, boolean root) {
        if (nsec.has(type) || nsec.has(RecordType.CNAME)) {
            return false;
        }
        return type == RecordType.DS ? root || !nsec.has(RecordType.SOA) : !nsec.isDelegation();
    }

    @Override
    public Proof nameError(Name name) {
        final Nsec at = at(name);
        if (at != null) {
            return at.has(NXNAME) ? Proof.PROVEN : Proof.NONE;
        }
        final Nsec covering = covering(name);
        if (covering == null || covering.showsNameBelow(name)) {
            return Proof.NONE;
        }
        final Name wildcard = covering.closestEncloser(name).child("*");
        final Nsec denying = covering(wildcard);
        return denying != null && !denying.showsNameBelow(wildcard) ? Proof.PROVEN : Proof.NONE;
    }

    @Override
    public Proof noCloserMatch(Name name, Name encloser) {
        final Nsec covering = covering(name);
        final boolean proven =
                covering != null
                        && !covering.showsNameBelow(name)
                        && covering.closestEncloser(name).labelCount() <= encloser.labelCount();
        return proven ? Proof.PROVEN : Proof.NONE;
    }

    @Override
    public Delegation delegation(Name name) {
        final Nsec at = at(name);
        if (at != null) {
            if (at.has(RecordType.DS) || at.has(RecordType.SOA)) {
                return Delegation.UNPROVEN;
            }
            if (at.has(NXNAME)) {
                return Delegation.NO_NAME;
            }
            return at.has(RecordType.NS) ? Delegation.INSECURE : Delegation.NO_CUT;
        }
        final Nsec covering = covering(name);
        if (covering == null) {
            return Delegation.UNPROVEN;
        }
        return covering.showsNameBelow(name) ? Delegation.NO_CUT : Delegation.NO_NAME;
    }
}
