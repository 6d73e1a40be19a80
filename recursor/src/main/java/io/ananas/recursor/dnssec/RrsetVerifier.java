package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Checks an RRset with the keys of its zone (RFC 4035, section 5.3).
 *
 * <p>One signature that holds is enough (RFC 6840, section 5.11), so the cheap conditions come
 * first: signer, labels, time and a fitting key. Only what is left costs a check, within the limits
 * of {@link ValidationLimits}, and only as many checks run at a time as the gate lets through: a
 * thread that computes keeps its processor, and clients with cheaper questions need one too.
 *
 * <p>Times are compared in serial number arithmetic (RFC 4034, section 3.1.5; RFC 1982).
 */
final class RrsetVerifier {
    private final SignatureChecks signatures;
    private final Semaphore gate;

    /** With the checks of the JDK. */
    RrsetVerifier(int parallelChecks) {
        this(new JdkChecks(), parallelChecks);
    }

    /**
     * @param parallelChecks signature checks at a time, at least 1
     */
    RrsetVerifier(SignatureChecks signatures, int parallelChecks) {
        this.signatures = signatures;
        gate = new Semaphore(parallelChecks, true);
    }

    /**
     * @param zone whose keys these are; only signatures that name it as signer count
     */
    Checked verify(Rrset set, Name zone, List<Dnskey> keys, Work work) {
        if (set.signatures().isEmpty()) {
            return new Failure(
                    ExtendedError.RRSIGS_MISSING,
                    "%s has no signature, and zone %s is signed".formatted(set, zone));
        }
        final Attempts attempts = new Attempts();
        Failure failure = null;
        for (final Rrsig signature : set.signatures()) {
            if (signature.signer().equals(zone)) {
                switch (check(set, signature, keys, attempts, work)) {
                    case Valid valid -> {
                        return valid;
                    }
                    case Failure found -> failure = failure == null ? found : failure.or(found);
                }
                if (attempts.failures >= work.limits().failuresPerRrset()
                        || attempts.signatures >= work.limits().signaturesPerRrset()) {
                    return tooMany(set, zone, attempts);
                }
            }
        }
        return failure != null ? failure : foreign(set, zone);
    }

    private static final class Attempts {
        int signatures;
        int failures;
    }

    private Checked check(
            Rrset set, Rrsig signature, List<Dnskey> keys, Attempts attempts, Work work) {
        final Failure unfit = unfit(set, signature, work);
        final List<Dnskey> fitting = unfit != null ? List.of() : keysOf(signature, keys, work);
        if (fitting.isEmpty()) {
            return unfit != null ? unfit : noKey(set, signature, keys);
        }
        attempts.signatures++;
        final byte[] data =
                SignedData.of(set, Valid.signedOwner(set.owner(), signature), signature);
        for (final Dnskey key : fitting) {
            if (holds(signature, key, data, work)) {
                return new Valid(set, signature, ttl(set, signature, work));
            }
            if (++attempts.failures >= work.limits().failuresPerRrset()) {
                break;
            }
        }
        return broken(set, signature, fitting.getFirst());
    }

    private boolean holds(Rrsig signature, Dnskey key, byte[] data, Work work) {
        work.beforeCheck();
        gate.acquireUninterruptibly();
        final boolean holds;
        try {
            holds = signatures.verify(key, data, signature.signature());
        } finally {
            gate.release();
        }
        work.checked(holds);
        return holds;
    }

    private static Failure foreign(Rrset set, Name zone) {
        return new Failure(
                ExtendedError.DNSSEC_BOGUS,
                "%s is signed by %s, expected its zone %s"
                        .formatted(set, set.signatures().getFirst().signer(), zone));
    }

    private static @Nullable Failure unfit(Rrset set, Rrsig signature, Work work) {
        if (!set.owner().isSubdomainOf(signature.signer())
                || signature.labels() > Valid.labelsToSign(set.owner())
                || signature.labels() < signature.signer().labelCount()) {
            return new Failure(
                    ExtendedError.DNSSEC_BOGUS,
                    "the %s over %s is for %d labels, which no name of the zone with this owner has"
                            .formatted(signature, set, signature.labels()));
        }
        return untimely(set, signature, work);
    }

    private static @Nullable Failure untimely(Rrset set, Rrsig signature, Work work) {
        final int now = (int) work.now();
        final int skew = work.limits().clockSkewSeconds();
        if (signature.expiration() - signature.inception() < 0) {
            return new Failure(
                    ExtendedError.SIGNATURE_EXPIRED_BEFORE_VALID,
                    "the %s over %s ends %s, before it begins %s; the zone must be signed again"
                            .formatted(
                                    signature,
                                    set,
                                    instant(signature.expiration(), work),
                                    instant(signature.inception(), work)));
        }
        if (signature.expiration() + skew - now < 0) {
            return new Failure(
                    ExtendedError.SIGNATURE_EXPIRED,
                    "the %s over %s expired %s, and it is %s; the zone must be signed again, or the clock here is wrong"
                            .formatted(
                                    signature,
                                    set,
                                    instant(signature.expiration(), work),
                                    Instant.ofEpochSecond(work.now())));
        }
        if (now - (signature.inception() - skew) < 0) {
            return new Failure(
                    ExtendedError.SIGNATURE_NOT_YET_VALID,
                    "the %s over %s begins %s, and it is %s; the clock of its signer or the one here is wrong"
                            .formatted(
                                    signature,
                                    set,
                                    instant(signature.inception(), work),
                                    Instant.ofEpochSecond(work.now())));
        }
        return null;
    }

    /** The moment nearest to now that a 32-bit time stands for. */
    private static Instant instant(int time, Work work) {
        return Instant.ofEpochSecond(work.now() + (time - (int) work.now()));
    }

    private static List<Dnskey> keysOf(Rrsig signature, List<Dnskey> keys, Work work) {
        final List<Dnskey> fitting = new ArrayList<>(1);
        for (final Dnskey key : keys) {
            if (key.tag() == signature.keyTag()
                    && key.algorithm() == signature.algorithm()
                    && key.key() != null
                    && fitting.size() < work.limits().keysPerTag()) {
                fitting.add(key);
            }
        }
        return fitting;
    }

    private static Failure noKey(Rrset set, Rrsig signature, List<Dnskey> keys) {
        if (Algorithm.of(signature.algorithm()) == null) {
            return new Failure(
                    ExtendedError.UNSUPPORTED_DNSKEY_ALGORITHM,
                    "the %s over %s is of %s, which is not known here"
                            .formatted(signature, set, Algorithm.text(signature.algorithm())));
        }
        return new Failure(
                ExtendedError.DNSKEY_MISSING,
                "the %s over %s, %s, needs a key that the zone does not have; it has %s"
                        .formatted(
                                signature, set, Algorithm.text(signature.algorithm()), list(keys)));
    }

    /** The first few keys, for a message. */
    static String list(List<Dnskey> keys) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(keys.size(), 3); i++) {
            text.append(i == 0 ? "" : "; ").append(keys.get(i));
        }
        return keys.isEmpty()
                ? "none"
                : keys.size() > 3 ? text + " and " + (keys.size() - 3) + " more" : text.toString();
    }

    private static Failure broken(Rrset set, Rrsig signature, Dnskey key) {
        return new Failure(
                ExtendedError.DNSSEC_BOGUS,
                "the %s over %s does not hold with %s; the data was changed on the way, or the zone must be signed again"
                        .formatted(signature, set, key));
    }

    private static Failure tooMany(Rrset set, Name zone, Attempts attempts) {
        return new Failure(
                ExtendedError.DNSSEC_BOGUS,
                "%s has too many signatures or keys of one tag: %d checks failed, and zone %s gets no more"
                        .formatted(set, attempts.failures, zone));
    }

    private static long ttl(Rrset set, Rrsig signature, Work work) {
        final long left = Math.max(0, signature.expiration() - (int) work.now());
        return Math.min(Math.min(set.ttl(), signature.originalTtl()), left);
    }
}
