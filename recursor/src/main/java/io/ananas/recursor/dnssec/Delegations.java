package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a zone says of a name below its apex in response to a question for DS. */
final class Delegations {
    private final RrsetVerifier verifier;

    Delegations(RrsetVerifier verifier) {
        this.verifier = verifier;
    }

    ZoneTrust read(ZoneTrust.Secure parent, Name name, @Nullable MessageView response, Work work) {
        if (response == null
                || (response.responseCode() != ResponseCode.NOERROR
                        && response.responseCode() != ResponseCode.NXDOMAIN)) {
            return ChainOfTrust.unreachable(name, RecordType.DS, work);
        }
        final Section answer = Section.of(response, MessageView.ANSWER);
        final Rrset ds = answer.get(name, RecordType.DS);
        if (ds != null) {
            return signed(parent, ds, work);
        }
        final Rrset alias = aliasAt(answer, name);
        return alias != null
                ? alias(parent, name, alias, work)
                : unsigned(parent, name, Section.of(response, MessageView.AUTHORITY), work);
    }

    private ZoneTrust signed(ZoneTrust.Secure parent, Rrset set, Work work) {
        return switch (verifier.verify(set, parent.zone(), parent.keys(), work)) {
            case Failure failure -> ChainOfTrust.bogus(set.owner(), failure, work);
            case Valid valid when valid.isExpanded() ->
                    ChainOfTrust.bogus(
                            set.owner(),
                            new Failure(
                                    ExtendedError.DNSSEC_BOGUS,
                                    set + " was made from a wildcard, and a zone cut cannot be"),
                            work);
            case Valid valid -> delegation(set, ChainOfTrust.expires(work, valid.ttl()));
        };
    }

    private static ZoneTrust delegation(Rrset set, long expires) {
        final List<DelegationSigner> all = new ArrayList<>();
        for (final byte[] rdata : set.rdata()) {
            final DelegationSigner ds = DelegationSigner.parse(rdata);
            if (ds != null) {
                all.add(ds);
            }
        }
        final List<DelegationSigner> usable = DelegationSigner.usable(all);
        return usable.isEmpty()
                ? unknown(set, all, expires)
                : new ZoneTrust.Delegated(set.owner(), usable, expires);
    }

    private static ZoneTrust unknown(Rrset set, List<DelegationSigner> all, long expires) {
        final boolean digest = all.stream().noneMatch(DelegationSigner::hasKnownDigest);
        return new ZoneTrust.Insecure(
                set.owner(),
                digest
                        ? ExtendedError.UNSUPPORTED_DS_DIGEST_TYPE
                        : ExtendedError.UNSUPPORTED_DNSKEY_ALGORITHM,
                "%s has no DS record of a %s known here; it has %s"
                        .formatted(
                                set.owner(),
                                digest ? "digest type" : "signature algorithm",
                                all.isEmpty() ? "none that can be read" : all.getFirst()),
                expires);
    }

    private static @Nullable Rrset aliasAt(Section answer, Name name) {
        final Rrset alias = answer.get(name, RecordType.CNAME);
        if (alias != null && !alias.signatures().isEmpty()) {
            return alias;
        }
        final Rrset dname = answer.dnameAbove(name);
        return dname != null ? dname : alias;
    }

    /** A name with CNAME is no zone cut, and what is below a DNAME does not exist. */
    private ZoneTrust alias(ZoneTrust.Secure parent, Name name, Rrset alias, Work work) {
        return switch (verifier.verify(alias, parent.zone(), parent.keys(), work)) {
            case Valid valid ->
                    new ZoneTrust.NoCut(
                            name,
                            alias.type() == RecordType.DNAME,
                            ChainOfTrust.expires(work, valid.ttl()));
            case Failure failure -> ChainOfTrust.bogus(name, failure, work);
        };
    }

    private ZoneTrust unsigned(ZoneTrust.Secure parent, Name name, Section authority, Work work) {
        final Denials denials = Denials.of(authority, parent, verifier, work);
        final long expires = ChainOfTrust.expires(work, denials.ttl());
        final Failure iterations = Nsec3Iterations.judge(name, denials.iterations(), work.limits());
        if (iterations != null) {
            return denials.iterations() > work.limits().bogusIterations()
                    ? ChainOfTrust.bogus(name, iterations, work)
                    : new ZoneTrust.Insecure(name, iterations.error(), iterations.text(), expires);
        }
        return switch (denials.delegation(name)) {
            case INSECURE ->
                    new ZoneTrust.Insecure(name, null, name + " is delegated without DS", expires);
            case NO_CUT -> new ZoneTrust.NoCut(name, false, expires);
            case NO_NAME -> new ZoneTrust.NoCut(name, true, expires);
            case UNPROVEN -> ChainOfTrust.bogus(name, unproven(parent, name, denials), work);
        };
    }

    private static Failure unproven(ZoneTrust.Secure parent, Name name, Denials denials) {
        final Failure failure = denials.failure();
        return failure != null
                ? failure
                : new Failure(
                        ExtendedError.NSEC_MISSING,
                        "%s is signed and gave neither a DS RRset of %s nor the proof that there is none"
                                .formatted(parent.zone(), name));
    }
}
