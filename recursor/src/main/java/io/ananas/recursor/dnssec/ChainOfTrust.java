package io.ananas.recursor.dnssec;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.dnssec.ZoneTrust.Broken;
import io.ananas.recursor.dnssec.ZoneTrust.Delegated;
import io.ananas.recursor.dnssec.ZoneTrust.Insecure;
import io.ananas.recursor.dnssec.ZoneTrust.NoCut;
import io.ananas.recursor.dnssec.ZoneTrust.Secure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leads from the nearest trust anchor down to a name (RFC 4035, section 5).
 *
 * <p>At each name on the way the DS RRset is asked for, and one of these comes back, signed by the
 * zone reached so far:
 *
 * <pre>
 *   DS RRset of known algorithms  -> its DNSKEY RRset: the next secure zone
 *   DS RRset of others only       -> insecure from here on (section 5.2)
 *   NSEC or NSEC3 with NS alone   -> insecure from here on
 *   an opt-out range              -> insecure from here on (RFC 5155, section 9)
 *   NSEC or NSEC3 without NS      -> no zone begins here; one label further
 *   no such name                  -> the zone reached so far is that of the name
 *   CNAME                         -> no zone begins here
 *   anything else                 -> the chain is broken: bogus
 * </pre>
 *
 * <p>What is learnt of each name is kept for as long as the records that say so, at least a second
 * so that it serves the question at hand, at most a day. A broken link is kept for half a minute,
 * so that it is not examined again for every client (RFC 9520); an unreachable one is not kept. The
 * table is bounded, and expiry follows the clock of the questions.
 */
final class ChainOfTrust {
    private static final long MAX_TTL = 86_400;
    private static final int RETRIES = 2;

    private final AnchorSource anchors;
    private final NegativeTrustAnchors negative;
    private final Delegations delegations;
    private final ZoneKeys zoneKeys;
    private final Cache<Name, ZoneTrust> known;

    ChainOfTrust(
            AnchorSource anchors,
            NegativeTrustAnchors negative,
            RrsetVerifier verifier,
            ValidationLimits limits) {
        this.anchors = anchors;
        this.negative = negative;
        delegations = new Delegations(verifier);
        zoneKeys = new ZoneKeys(verifier);
        known = Caffeine.newBuilder().maximumSize(limits.cachedZones()).build();
    }

    /** Forgets what was learnt of names at and below this one. */
    void forget(Name name) {
        known.asMap().keySet().removeIf(it -> it.isSubdomainOf(name));
    }

    /** The negative trust anchor above a name; null if there is none, or an anchor below it. */
    @Nullable Name negativeAnchor(Name name) {
        final Name nta = negative.closest(name);
        if (nta == null) {
            return null;
        }
        final Name anchor = anchors.closestAnchor(name);
        final boolean below = anchor != null && !anchor.equals(nta) && anchor.isSubdomainOf(nta);
        return below ? null : nta;
    }

    /**
     * The zone that {@code name} is in, or why none can be relied on; never {@link NoCut} or {@link
     * Delegated}.
     */
    ZoneTrust find(Name name, Work work) {
        final Name nta = negativeAnchor(name);
        if (nta != null) {
            return new Insecure(
                    nta, null, "not validated, by the negative trust anchor at " + nta, work.now());
        }
        final Name anchor = anchors.closestAnchor(name);
        if (anchor == null) {
            return new Insecure(Name.ROOT, null, "no trust anchor above " + name, work.now());
        }
        ZoneTrust reached = recall(anchor, work);
        if (reached == null) {
            reached = remember(anchor, anchorTrust(anchor, work), work);
        }
        for (int labels = anchor.labelCount() + 1;
                labels <= name.labelCount() && reached instanceof Secure;
                labels++) {
            final Name next = name.suffix(labels);
            ZoneTrust step = recall(next, work);
            if (step == null) {
                step = remember(next, step((Secure) reached, next, work), work);
            }
            if (step instanceof NoCut noCut) {
                if (noCut.last()) {
                    return reached;
                }
            } else {
                reached = step;
            }
        }
        return reached;
    }

    private @Nullable ZoneTrust recall(Name name, Work work) {
        final ZoneTrust trust = known.getIfPresent(name);
        return trust != null && trust.expires() > work.now() ? trust : null;
    }

    private ZoneTrust remember(Name name, ZoneTrust trust, Work work) {
        if (trust.expires() > work.now()) {
            known.put(name, trust);
        }
        return trust;
    }

    private ZoneTrust anchorTrust(Name zone, Work work) {
        final TrustPoint point =
                switch (anchors) {
                    case TrustAnchors configured -> configured.at(zone);
                    case ManagedKeys managed -> managed.at(zone);
                };
        if (point == null) {
            return new Insecure(zone, null, "the trust anchor of " + zone + " is gone", work.now());
        }
        final TrustPoint usable = point.usable();
        if (usable.isEmpty()) {
            return new Insecure(
                    zone,
                    ExtendedError.UNSUPPORTED_DNSKEY_ALGORITHM,
                    "no trust anchor of %s is of an algorithm and digest known here"
                            .formatted(zone),
                    work.now());
        }
        return zoneKeys(usable, work.now() + MAX_TTL, work);
    }

    private ZoneTrust step(Secure parent, Name name, Work work) {
        ZoneTrust trust = delegations.read(parent, name, work.fetch(name, RecordType.DS), work);
        for (int i = 0; i < RETRIES && isBogus(trust); i++) {
            final MessageView other = work.refetch(name, RecordType.DS);
            if (other == null) {
                break;
            }
            trust = delegations.read(parent, name, other, work);
        }
        return trust instanceof Delegated it
                ? zoneKeys(new TrustPoint(it.zone(), it.signers(), List.of()), it.expires(), work)
                : trust;
    }

    private ZoneTrust zoneKeys(TrustPoint point, long expires, Work work) {
        ZoneTrust trust =
                zoneKeys.read(point, expires, work.fetch(point.zone(), RecordType.DNSKEY), work);
        for (int i = 0; i < RETRIES && isBogus(trust); i++) {
            final MessageView other = work.refetch(point.zone(), RecordType.DNSKEY);
            if (other == null) {
                break;
            }
            trust = zoneKeys.read(point, expires, other, work);
        }
        return trust;
    }

    private static boolean isBogus(ZoneTrust trust) {
        return trust instanceof Broken broken && broken.status() == Status.BOGUS;
    }

    /** When what holds for {@code ttl} seconds is to be looked at again. */
    static long expires(Work work, long ttl) {
        return work.now() + Math.clamp(ttl, 1, MAX_TTL);
    }

    static Broken bogus(Name name, Failure failure, Work work) {
        return new Broken(name, Status.BOGUS, failure, work.now() + work.limits().bogusSeconds());
    }

    static Broken unreachable(Name name, int type, Work work) {
        return new Broken(
                name,
                Status.INDETERMINATE,
                new Failure(
                        ExtendedError.DNSSEC_INDETERMINATE,
                        "no server gave the %s RRset of %s, which the chain of trust needs"
                                .formatted(RecordType.text(type), name)),
                work.now());
    }
}
