package io.ananas.recursor;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.recursor.FailureMemory.Failure;
import io.ananas.recursor.FailureMemory.Scope;
import io.ananas.recursor.Resolution.Reason;
import io.ananas.recursor.Resolution.Source;
import io.ananas.recursor.ResolutionFailure.Remembered;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Finds answers, beginning at the root servers: iteration, forwarding, validation.
 *
 * <p>{@link #resolve} is plain blocking code for virtual threads, and thread-safe. What it learns
 * on the way (delegations, addresses of servers, targets of aliases, failures) it keeps in bounded
 * memories; whole answers are for the caller to keep. Equal questions at the same time are for the
 * caller to bring together; what they need in common is asked once in any case.
 */
public final class Recursor {
    private final RecursorOptions options;
    private final AnswerValidator validator;
    private final KnownDenials denials;
    private final LongSupplier nanoTime;
    private final Events events = new Events();
    private final Links links;
    private final boolean remembersAnswers;
    private final Semaphore inFlight;

    private Recursor(Builder builder) {
        options = builder.options;
        validator = builder.validator;
        denials = builder.denials;
        nanoTime = builder.nanoTime;
        remembersAnswers = builder.remembersAnswers;
        inFlight = new Semaphore(options.limits().inFlight());
        links =
                new Links(
                        options,
                        builder.upstreams,
                        builder.clock,
                        nanoTime,
                        builder.random,
                        events,
                        !(validator instanceof NoValidation));
    }

    /** Puts a recursor together. */
    public static Builder builder(UpstreamFactory upstreams) {
        return new Builder(upstreams);
    }

    /** What a recursor is made of. */
    public static final class Builder {
        private final UpstreamFactory upstreams;
        private RecursorOptions options = RecursorOptions.DEFAULT;
        private AnswerValidator validator = new NoValidation();
        private KnownDenials denials = (name, type) -> null;
        private InstantSource clock = InstantSource.system();
        private LongSupplier nanoTime = System::nanoTime;
        private RandomGenerator random = new SecureRandom();
        private boolean remembersAnswers = true;

        private Builder(UpstreamFactory upstreams) {
            this.upstreams = upstreams;
        }

        public Builder options(RecursorOptions other) {
            options = other;
            return this;
        }

        /** Who validates; nobody unless told. */
        public Builder validator(AnswerValidator other) {
            validator = other;
            return this;
        }

        /** Where answers come from that follow from validated proofs; nowhere unless told. */
        public Builder denials(KnownDenials other) {
            denials = other;
            return this;
        }

        /** What TTLs, delegations and back-off follow. */
        public Builder clock(InstantSource other) {
            clock = other;
            return this;
        }

        /** What round trips and the time of a question are measured with. */
        public Builder nanoTime(LongSupplier other) {
            nanoTime = other;
            return this;
        }

        /** Thread-safe, and unpredictable but in tests. */
        public Builder random(RandomGenerator other) {
            random = other;
            return this;
        }

        /**
         * Leaves it to the caller to remember which questions could not be answered, and for how
         * long; that a server or a single step has failed is remembered here in any case.
         */
        public Builder withoutFailedAnswers() {
            remembersAnswers = false;
            return this;
        }

        public Recursor build() {
            return new Recursor(this);
        }
    }

    /**
     * Answers a question of class IN; blocks up to {@link Limits#wallTime}. Never throws for
     * anything that servers do: what fails becomes SERVFAIL with its reasons.
     *
     * @param checkingDisabled whether the answer is wanted without validation (CD)
     */
    public Resolution resolve(Name name, int type, boolean checkingDisabled) {
        return resolve(name, type, checkingDisabled, false);
    }

    /** The same, asking servers even if the answer is known: to renew what is about to expire. */
    public Resolution refresh(Name name, int type, boolean checkingDisabled) {
        return resolve(name, type, checkingDisabled, true);
    }

    private Resolution resolve(Name name, int type, boolean checkingDisabled, boolean fresh) {
        events.add(Event.QUESTION);
        final QuestionKey question = new QuestionKey(name, type);
        final Link local = options.localZones().alias(name, type);
        if (local == null) {
            final byte[] response = options.localZones().answer(name, type);
            if (response != null) {
                events.add(Event.LOCAL_ANSWER);
                return new Resolution(Source.LOCAL, response, List.of(), 0, 0, 0);
            }
        }
        if (local == null && !checkingDisabled && !fresh) {
            final byte[] synthesised = denials.find(name, type);
            if (synthesised != null) {
                events.add(Event.SYNTHESIS);
                return new Resolution(Source.SYNTHESISED, synthesised, List.of(), 0, 0, 0);
            }
        }
        final Scope scope = checkingDisabled ? Scope.UNCHECKED_ANSWER : Scope.ANSWER;
        final @Nullable Failure failure =
                remembersAnswers ? links.failures().find(question, scope) : null;
        final Budget budget = new Budget(options.limits(), events, nanoTime);
        if (failure != null) {
            return failed(
                    question,
                    checkingDisabled,
                    new Remembered(failure.error(), failure.text()),
                    budget);
        }
        if (!inFlight.tryAcquire()) {
            return failed(
                    question,
                    checkingDisabled,
                    budget.reached(Limit.IN_FLIGHT, "too many questions in hand"),
                    budget);
        }
        try {
            final Chain chain =
                    new Chain(links, validator, denials, new Task(budget), checkingDisabled);
            final Resolution resolution =
                    answer(question, chain, local, checkingDisabled, fresh, budget);
            links.failures().forget(question, scope);
            return resolution;
        } catch (ResolutionFailure e) {
            if (remembersAnswers) {
                links.failures().remember(question, scope, e);
            }
            return failed(question, checkingDisabled, e, budget);
        } finally {
            inFlight.release();
        }
    }

    private Resolution answer(
            QuestionKey question,
            Chain chain,
            @Nullable Link local,
            boolean checkingDisabled,
            boolean fresh,
            Budget budget)
            throws ResolutionFailure {
        if (local != null) {
            chain.beginWith(local);
        }
        final List<Link> found = chain.follow(question, fresh);
        final List<Reason> reasons = new ArrayList<>();
        for (final Link link : found) {
            if (link.verdict() != null && link.verdict().error() != null) {
                reasons.add(new Reason(link.verdict().error(), link.verdict().text()));
            }
        }
        return new Resolution(
                Source.RESOLVED,
                AnswerBuilder.answer(
                        question, found, checkingDisabled, options.fullAnswers(), reasons),
                reasons,
                budget.upstreamQueries(),
                budget.aliasSteps(),
                budget.minimisationSteps());
    }

    private Resolution failed(
            QuestionKey question, boolean checkingDisabled, ResolutionFailure why, Budget budget) {
        events.add(Event.FAILURE);
        final List<Reason> reasons = new ArrayList<>();
        reasons.add(new Reason(why.error(), why.text()));
        final boolean before = why instanceof Remembered;
        if (before) {
            events.add(Event.CACHED_FAILURE);
            reasons.add(new Reason(ExtendedError.CACHED_ERROR, ""));
        }
        return new Resolution(
                before ? Source.FAILED_BEFORE : Source.FAILED,
                AnswerBuilder.failure(question, checkingDisabled, reasons),
                reasons,
                budget.upstreamQueries(),
                budget.aliasSteps(),
                budget.minimisationSteps());
    }

    /** What is answered without asking anybody. */
    public LocalZones localZones() {
        return options.localZones();
    }

    /** Forgets all that was learnt of names at and below {@code subtree}. */
    public void forget(Name subtree) {
        links.forget(subtree);
    }

    /** Forgets what denies a name or a type, and what has failed. */
    public void forgetDenials() {
        links.forgetDenials();
    }

    /** What was counted since the start. */
    public Map<Event, Long> counters() {
        return events.figures();
    }

    /** Links, delegations and servers that are known now. */
    public Known known() {
        return new Known(
                links.cache().size(), links.delegations().size(), links.infrastructure().size());
    }

    /** How much is remembered; see {@link Recursor#known}. */
    public record Known(long links, long delegations, long servers) {}
}
