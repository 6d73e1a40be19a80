package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges one response: walks from the name asked along CNAME and DNAME to the data or to its
 * denial, and each RRset on the way must hold by its own chain of trust.
 *
 * <pre>
 *   name --DNAME above--> name' --CNAME--> name'' --> RRset of the type      positive
 *                                               --> NSEC or NSEC3          negative
 *                                               --> nothing, other zone    cut short: asked anew
 * </pre>
 *
 * <p>The worst finding decides: bogus, then unknown, then insecure, then secure. Records that no
 * step has come by are not spoken for. One use, one thread.
 */
final class Judgement {
    private static final int MAX_STEPS = 16;
    private static final int MAX_SIGNERS = 3;
    private static final Verdict SECURE = Verdicts.SECURE;
    private static final List<Name> NOBODY = List.of();

    private final ChainOfTrust chain;
    private final RrsetVerifier verifier;
    private final DenialStore store;
    private final Work work;
    private final MessageView response;
    private final Name zone;
    private final Section answer;
    private final Section authority;
    private final Map<Name, Denials> denials = new HashMap<>();
    private final ProvenRecords proven = new ProvenRecords();
    private boolean nodata;
    private @Nullable Verdict insecure;

    Judgement(
            ChainOfTrust chain,
            RrsetVerifier verifier,
            DenialStore store,
            Work work,
            MessageView response,
            Name zone) {
        this.chain = chain;
        this.verifier = verifier;
        this.store = store;
        this.work = work;
        this.response = response;
        this.zone = zone;
        answer = Section.of(response, MessageView.ANSWER);
        authority = Section.of(response, MessageView.AUTHORITY);
    }

    Verdict of(Name name, int type) {
        return verdict(walk(name, type));
    }

    private Verdict verdict(Verdict worst) {
        if (worst.status() != Status.SECURE) {
            return worst;
        }
        final List<Integer> unproven = proven.others(response.endRecord(MessageView.AUTHORITY));
        return insecure != null
                ? insecure
                : new Verdict(Status.SECURE, null, "", proven.ttl(), unproven, nodata);
    }

    /** The same, after a look at what stands in the authority section besides. */
    Verdict ofAll(Name name, int type) {
        final Verdict worst = walk(name, type);
        if (worst.status() == Status.SECURE && insecure == null) {
            authority.all().forEach(this::proveBesides);
        }
        return verdict(worst);
    }

    /** What does not hold is left out, and counts no further. */
    private void proveBesides(Rrset set) {
        for (final Name signer : proven.has(set) ? NOBODY : signers(set)) {
            if (chain.find(signer, work) instanceof ZoneTrust.Secure trust
                    && trust.zone().equals(signer)
                    && verifier.verify(set, signer, trust.keys(), work) instanceof Valid valid
                    && !valid.isExpanded()) {
                proven.add(valid);
                return;
            }
        }
    }

    /** SECURE means: no worse than insecure. */
    private Verdict walk(Name name, int type) {
        final Set<Name> seen = new HashSet<>();
        Name current = name;
        while (seen.add(current) && seen.size() <= MAX_STEPS) {
            final Rrset dname = answer.dnameAbove(current);
            final Rrset cname = answer.get(current, RecordType.CNAME);
            final Name next;
            if (dname != null) {
                next = dname.redirect(current);
                final Verdict verdict = note(redirection(dname, cname, next));
                if (verdict.status() != Status.SECURE
                        || next == null
                        || (cname != null && type == RecordType.CNAME)) {
                    return verdict;
                }
            } else if (hasData(current, type)) {
                return data(current, type);
            } else if (cname != null) {
                next = cname.target();
                final Verdict verdict = note(judge(cname));
                if (verdict.status() != Status.SECURE || next == null) {
                    return verdict;
                }
            } else {
                return isCutShort(current, seen.size() > 1) ? SECURE : note(denial(current, type));
            }
            current = next;
        }
        return SECURE;
    }

    private Verdict note(Verdict verdict) {
        if (verdict.status() != Status.INSECURE) {
            return verdict;
        }
        if (insecure == null || (insecure.error() == null && verdict.error() != null)) {
            insecure = verdict;
        }
        return SECURE;
    }

    /** A CNAME made from a DNAME has no signature, so it must be what follows from the DNAME. */
    private Verdict redirection(Rrset dname, @Nullable Rrset cname, @Nullable Name target) {
        if (cname != null) {
            final Name said = cname.target();
            if (target == null || said == null || !target.equals(said)) {
                return Verdicts.bogus(
                        ExtendedError.DNSSEC_BOGUS,
                        "%s leads to %s, which does not follow from %s"
                                .formatted(cname, said, dname));
            }
            proven.add(cname, cname.ttl());
        }
        return judge(dname);
    }

    private boolean hasData(Name name, int type) {
        if (type != RecordType.ANY) {
            return answer.get(name, type) != null;
        }
        return answer.all().stream().anyMatch(set -> set.owner().equals(name));
    }

    private Verdict data(Name name, int type) {
        for (final Rrset set : answer.all()) {
            if (set.owner().equals(name) && (set.type() == type || type == RecordType.ANY)) {
                final Verdict verdict = note(judge(set));
                if (verdict.status() != Status.SECURE) {
                    return verdict;
                }
            }
        }
        return SECURE;
    }

    /**
     * Whether the server has left the end of an alias to be asked for. A denial has an SOA record
     * (RFC 2308, section 2); NSEC records alone may be those of a wildcard that made the alias.
     */
    private boolean isCutShort(Name name, boolean behindAlias) {
        if (!behindAlias) {
            return false;
        }
        final boolean denies =
                response.responseCode() == ResponseCode.NXDOMAIN
                        || !authority.ofType(RecordType.SOA).isEmpty();
        return !denies || !name.isSubdomainOf(zone);
    }

    private Verdict judge(Rrset set) {
        final List<Name> signers = signers(set);
        Failure failure =
                new Failure(
                        ExtendedError.RRSIGS_MISSING,
                        set + " has no signature, and its zone is signed");
        if (signers.isEmpty()) {
            return unsigned(set.owner(), set.type(), failure);
        }
        Verdict elsewhere = null;
        for (final Name signer : signers) {
            switch (chain.find(signer, work)) {
                case ZoneTrust.Secure trust when trust.zone().equals(signer) -> {
                    switch (verifier.verify(set, signer, trust.keys(), work)) {
                        case Valid valid -> {
                            return accept(valid, trust);
                        }
                        case Failure found -> failure = failure.or(found);
                    }
                }
                case ZoneTrust.Secure trust -> failure = failure.or(noZone(set, signer, trust));
                case ZoneTrust trust -> elsewhere = Verdicts.of(trust);
            }
        }
        return elsewhere != null ? elsewhere : Verdicts.bogus(failure);
    }

    private static Failure noZone(Rrset set, Name signer, ZoneTrust.Secure trust) {
        return new Failure(
                ExtendedError.DNSSEC_BOGUS,
                "%s is signed by %s, which is no zone; expected %s"
                        .formatted(set, signer, trust.zone()));
    }

    /** The zones that may have signed it, among those said to have. */
    private static List<Name> signers(Rrset set) {
        final List<Name> signers = new ArrayList<>(set.signers());
        signers.removeIf(it -> !mayDeny(it, set.owner(), set.type()));
        return signers.size() <= MAX_SIGNERS ? signers : signers.subList(0, MAX_SIGNERS);
    }

    /** Whether an RRset of this name and type may be in a zone: DS is in the one above. */
    private static boolean mayDeny(Name signer, Name name, int type) {
        return name.isSubdomainOf(signer)
                && (type != RecordType.DS || !signer.equals(name) || name.isRoot());
    }

    /** What it means that there is no signature: a failure unless the zone is insecure. */
    private Verdict unsigned(Name name, int type, Failure failure) {
        final Name start = type == RecordType.DS && !name.isRoot() ? name.parent() : name;
        return switch (chain.find(start, work)) {
            case ZoneTrust.Secure trust ->
                    Verdicts.bogus(
                            failure.error(),
                            "%s (zone %s, %s)"
                                    .formatted(
                                            failure.text(),
                                            trust.zone(),
                                            RrsetVerifier.list(trust.keys())));
            case ZoneTrust trust -> Verdicts.of(trust);
        };
    }

    private Verdict accept(Valid valid, ZoneTrust.Secure trust) {
        proven.add(valid);
        if (!valid.isExpanded()) {
            return SECURE;
        }
        final Name name = valid.set().owner();
        final Name encloser = name.suffix(valid.signature().labels());
        final Denials found = denials(trust);
        final Verdict iterations = Verdicts.iterations(name, found, work.limits());
        if (iterations != null) {
            return iterations;
        }
        return switch (found.noCloserMatch(name, encloser)) {
            case PROVEN -> {
                found.sets().forEach(proven::add);
                store.addWildcard(valid, found.sets(), work.now());
                yield SECURE;
            }
            case OPT_OUT -> Verdicts.optOut(name);
            case NONE ->
                    Verdicts.missing(
                            found,
                            "%s was made from the wildcard below %s, and the proof that no closer name exists is missing"
                                    .formatted(valid.set(), encloser));
        };
    }

    private Verdict denial(Name name, int type) {
        final Name signer = denialSigner(name, type);
        if (signer == null) {
            final boolean bare = authority.all().stream().anyMatch(Judgement::isDenial);
            return unsigned(
                    name,
                    type,
                    new Failure(
                            bare ? ExtendedError.RRSIGS_MISSING : ExtendedError.NSEC_MISSING,
                            "%s %s is denied without %s"
                                    .formatted(
                                            name,
                                            RecordType.text(type),
                                            bare ? "a signature" : "proof")));
        }
        return switch (chain.find(signer, work)) {
            case ZoneTrust.Secure trust when trust.zone().equals(signer) ->
                    denial(name, type, trust);
            case ZoneTrust.Secure trust ->
                    Verdicts.bogus(
                            ExtendedError.DNSSEC_BOGUS,
                            "the denial of %s is signed by %s, which is no zone; expected %s"
                                    .formatted(name, signer, trust.zone()));
            case ZoneTrust trust -> Verdicts.of(trust);
        };
    }

    /** The deepest zone that has signed a denial here and may deny the name; null if none has. */
    private @Nullable Name denialSigner(Name name, int type) {
        Name deepest = null;
        for (final Rrset set : authority.all()) {
            for (final Name signer : isDenial(set) ? set.signers() : List.<Name>of()) {
                if (mayDeny(signer, name, type)
                        && (deepest == null || signer.labelCount() > deepest.labelCount())) {
                    deepest = signer;
                }
            }
        }
        return deepest;
    }

    private static boolean isDenial(Rrset set) {
        return set.type() == RecordType.SOA
                || set.type() == RecordType.NSEC
                || set.type() == RecordType.NSEC3;
    }

    private Verdict denial(Name name, int type, ZoneTrust.Secure trust) {
        final Rrset soa = authority.get(trust.zone(), RecordType.SOA);
        Valid validSoa = null;
        if (soa != null) {
            switch (verifier.verify(soa, trust.zone(), trust.keys(), work)) {
                case Failure failure -> {
                    return Verdicts.bogus(failure);
                }
                case Valid valid -> {
                    validSoa = valid;
                    proven.add(valid);
                }
            }
        }
        final Denials found = denials(trust);
        final Verdict iterations = Verdicts.iterations(name, found, work.limits());
        if (iterations != null) {
            return iterations;
        }
        return switch (proof(found, name, type)) {
            case PROVEN -> {
                found.sets().forEach(proven::add);
                store.add(trust.zone(), found.sets(), validSoa, work.now());
                yield SECURE;
            }
            case OPT_OUT -> Verdicts.optOut(name);
            case NONE ->
                    Verdicts.missing(
                            found,
                            "%s has no proof in zone %s that %s"
                                    .formatted(
                                            response.responseCode() == ResponseCode.NXDOMAIN
                                                    ? "NXDOMAIN"
                                                    : "NODATA",
                                            trust.zone(),
                                            name + " has no " + RecordType.text(type)));
        };
    }

    /** NXDOMAIN for a name that is proven to be there without the type is put right. */
    private Proof proof(Denials denials, Name name, int type) {
        if (response.responseCode() != ResponseCode.NXDOMAIN) {
            return denials.noData(name, type);
        }
        final Proof nameError = denials.nameError(name);
        if (nameError != Proof.NONE) {
            return nameError;
        }
        nodata = denials.noData(name, type) == Proof.PROVEN;
        return nodata ? Proof.PROVEN : Proof.NONE;
    }

    private Denials denials(ZoneTrust.Secure trust) {
        return denials.computeIfAbsent(
                trust.zone(), it -> Denials.of(authority, trust, verifier, work));
    }
}
