package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.AnswerValidator;
import java.time.InstantSource;

/**
 * Validates by the chain of trust from the configured anchors (RFC 4035, section 5; RFC 5155; RFC
 * 6840).
 *
 * <p>Where to read on: {@link Judgement} walks a response, {@link ChainOfTrust} finds the keys of a
 * zone, {@link RrsetVerifier} checks signatures, {@link Denials} what does not exist, and {@link
 * Work} counts what all of that may cost.
 *
 * <p>Thread-safe; blocks in the fetcher and, for its turn to compute, in the verifier.
 */
public final class DnssecValidator implements AnswerValidator {
    private final SignatureChecks signatures;
    private final ChainOfTrust chain;
    private final RrsetVerifier verifier;
    private final DenialStore denials;
    private final ValidationLimits limits;
    private final InstantSource clock;
    private final boolean whole;
    private final ValidationStatistics statistics = new ValidationStatistics();

    /**
     * @param denials takes every validated proof, for aggressive use
     * @param whole whether what servers add in the authority section of an answer is checked too,
     *     so that it need not be left out of a secure one; costs a signature check or two
     * @param library what checks signatures
     * @param parallelChecks signatures checked at a time, at least 1; fewer than processors, so
     *     that clients with cheaper questions are not delayed
     * @throws IllegalStateException if the library is OpenSSL and absent
     */
    public DnssecValidator(
            AnchorSource anchors,
            NegativeTrustAnchors negative,
            DenialStore denials,
            ValidationLimits limits,
            boolean whole,
            CryptoLibrary library,
            int parallelChecks,
            InstantSource clock) {
        this.denials = denials;
        this.limits = limits;
        this.clock = clock;
        this.whole = whole;
        signatures = library.open();
        verifier = new RrsetVerifier(signatures, parallelChecks);
        chain = new ChainOfTrust(anchors, negative, verifier, limits);
    }

    @Override
    public Verdict validate(Name name, int type, MessageView response, Name zone, Fetcher fetcher) {
        if (response.responseCode() != ResponseCode.NOERROR
                && response.responseCode() != ResponseCode.NXDOMAIN
                && response.responseCode() != ResponseCode.YXDOMAIN) {
            return new Verdict(
                    Status.INDETERMINATE,
                    ExtendedError.DNSSEC_INDETERMINATE,
                    "a response of %s says nothing that could be validated"
                            .formatted(ResponseCode.text(response.responseCode())));
        }
        if (type == RecordType.RRSIG) {
            return new Verdict(Status.INSECURE, null, "signatures are not signed themselves");
        }
        final Work work = new Work(limits, statistics, fetcher, clock.instant().getEpochSecond());
        try {
            final Judgement judgement =
                    new Judgement(chain, verifier, denials, work, response, zone);
            return whole ? judgement.ofAll(name, type) : judgement.of(name, type);
        } catch (WorkExhausted e) {
            statistics.outOfBudget();
            return new Verdict(
                    Status.BOGUS,
                    ExtendedError.DNSSEC_BOGUS,
                    "%s %s: %s".formatted(name, RecordType.text(type), e.getMessage()));
        }
    }

    /** Forgets the keys and delegations of all zones at and below {@code name}. */
    public void forget(Name name) {
        chain.forget(name);
        denials.forget(name);
    }

    /** Forgets what was proven not to be there. */
    public void forgetDenials() {
        denials.forget(Name.ROOT);
    }

    /** What checks signatures, for people: {@code OpenSSL 3.0.19}. */
    public String library() {
        return signatures.text();
    }

    public ValidationStatistics statistics() {
        return statistics;
    }
}
