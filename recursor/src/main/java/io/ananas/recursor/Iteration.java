package io.ananas.recursor;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.recursor.Judgement.Answered;
import io.ananas.recursor.Judgement.Failing;
import io.ananas.recursor.Judgement.Lame;
import io.ananas.recursor.Judgement.Referred;
import io.ananas.recursor.Link.Kind;
import io.ananas.recursor.RecursorOptions.Minimisation;
import io.ananas.recursor.Reply.Heard;
import io.ananas.recursor.Reply.Silent;
import io.ananas.recursor.ResolutionFailure.LimitReached;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds one link by asking servers from the deepest zone that is known downwards (RFC 1034, section
 * 5.3.3), as a state machine. One method per transition; each gives the next state.
 *
 * <pre>
 *                    +------------------ referral ------------------+
 *                    v                                              |
 *   START ------> NEXT_NAME ------> NEXT_SERVER ------> ASK ------> JUDGE ------> DONE
 *     ^              ^              ^  |  ^               ^           | | |
 *     |              |   addresses  |  |  +--- silent ----|-----------+ | |
 *     |              |              |  v                  +-- whole name + |
 *     |              |       SERVER_ADDRESS                                |
 *     |              +------------- the minimised name exists -------------+
 *     +--- fallback of a stub or forward zone, when nobody is left in NEXT_SERVER
 * </pre>
 *
 * <p>It ends: a referral must lead downwards, a minimised name gains labels, a server is asked a
 * few times and a few server names are looked up per referral; and every query is paid for from the
 * {@link Budget} of the question, which all branches share.
 */
final class Iteration {
    enum State {
        /** Find the deepest zone whose servers are known. */
        START,
        /** Decide how much of the name its servers get to see. */
        NEXT_NAME,
        /** Choose one of them. */
        NEXT_SERVER,
        /** Look up the address of a server that came without glue. */
        SERVER_ADDRESS,
        /** Ask it. */
        ASK,
        /** See what its response means. */
        JUDGE,
        /** The link is found. */
        DONE
    }

    private static final int STORY_LENGTH = 300;
    private static final Delegation NOBODY =
            new Delegation(Name.ROOT, Delegation.Source.ROOT, List.of(), 0, false);

    private final Links links;
    private final Task task;
    private final QuestionKey question;
    private final Minimiser minimiser;
    private final StringBuilder story = new StringBuilder();

    private Delegation delegation;
    private ServerChoice choice;
    private QuestionKey asked;
    private @Nullable ServerRecord server;
    private @Nullable Heard heard;
    private boolean configured = true;
    private boolean wholeName;
    private Name known = Name.ROOT;
    private int lookups;
    private ExtendedError error = ExtendedError.NO_REACHABLE_AUTHORITY;
    private List<Link> found = List.of();

    Iteration(Links links, Task task, QuestionKey question) {
        this.links = links;
        this.task = task;
        this.question = question;
        minimiser = new Minimiser(question.name(), links.options().limits().minimisationSteps());
        wholeName = links.options().minimisation() == Minimisation.OFF;
        asked = question;
        delegation = NOBODY;
        choice = links.choice(NOBODY, task, question);
    }

    /** The link that was asked for, and those that came behind it. */
    List<Link> run() throws ResolutionFailure {
        return run(State.START);
    }

    /** The same, beginning at the servers of the root hints. */
    static List<Link> prime(Links links, Task task, QuestionKey question) throws ResolutionFailure {
        final Iteration iteration = new Iteration(links, task, question);
        iteration.descendTo(links.hints());
        return iteration.run(State.NEXT_NAME);
    }

    private List<Link> run(State first) throws ResolutionFailure {
        State state = first;
        try {
            while (state != State.DONE) {
                state =
                        switch (state) {
                            case START -> start();
                            case NEXT_NAME -> nextName();
                            case NEXT_SERVER -> nextServer();
                            case SERVER_ADDRESS -> serverAddress();
                            case ASK -> ask();
                            case JUDGE -> judge();
                            case DONE -> State.DONE;
                        };
            }
        } catch (LimitReached e) {
            choice.giveUp();
            throw e;
        }
        return found;
    }

    private State start() throws ResolutionFailure {
        final boolean above = question.type() == RecordType.DS && !question.name().isRoot();
        final Name from = above ? question.name().parent() : question.name();
        descendTo(links.deepest(from, configured, task));
        return State.NEXT_NAME;
    }

    private void descendTo(Delegation next) {
        delegation = next;
        choice = links.choice(next, task, question);
        known = next.zone();
        lookups = 0;
    }

    private State nextName() {
        asked = question;
        if (wholeName || delegation.source() == Delegation.Source.FORWARD) {
            return State.NEXT_SERVER;
        }
        Name name = minimiser.next(known);
        while (!name.equals(question.name()) && links.exists(name)) {
            known = name;
            name = minimiser.next(known);
        }
        if (!name.equals(question.name())) {
            asked = new QuestionKey(name, RecordType.A);
        } else if (minimiser.isExhausted()) {
            links.events().add(Event.LIMIT_MINIMISATION_STEPS);
        }
        return State.NEXT_SERVER;
    }

    private State nextServer() throws ResolutionFailure {
        server = choice.next();
        if (server != null) {
            return State.ASK;
        }
        if (choice.hasUnknown()) {
            return State.SERVER_ADDRESS;
        }
        choice.giveUp();
        if (configured && links.hasFallback(question.name())) {
            configured = false;
            return State.START;
        }
        tell(choice.text());
        throw new ResolutionFailure(
                error,
                "no server of %s answered for %s: %s"
                        .formatted(delegation.zone(), question, story));
    }

    private State serverAddress() throws ResolutionFailure {
        final Name name = choice.nextUnknown();
        if (lookups >= links.options().limits().serverLookups()) {
            links.events().add(Event.LIMIT_SERVER_LOOKUPS);
            tell("looked up %d servers of the referral".formatted(lookups));
            choice.stopLookingUp();
        } else if (name != null) {
            lookups++;
            links.events().add(Event.SERVER_LOOKUP);
            links.addresses(name, task).forEach(choice::add);
        }
        return State.NEXT_SERVER;
    }

    private State ask() throws LimitReached {
        if (server == null) {
            return State.NEXT_SERVER;
        }
        if (!asked.equals(question)) {
            task.budget().countMinimised();
        }
        final boolean forward = delegation.source() == Delegation.Source.FORWARD;
        final int attempt = choice.attempt();
        return switch (links.dialogue().ask(server, asked, forward, attempt, task.budget())) {
            case Heard response -> {
                heard = response;
                yield State.JUDGE;
            }
            case Silent silent -> {
                if (silent.network()) {
                    error = ExtendedError.NETWORK_ERROR;
                    choice.isUnreachable();
                }
                tell(server.udp().name() + ": " + silent.why());
                yield State.NEXT_SERVER;
            }
        };
    }

    private State judge() {
        if (server == null || heard == null) {
            return State.NEXT_SERVER;
        }
        final InetSocketAddress address = server.address();
        return switch (links.judge().judge(delegation, asked, heard.response(), address)) {
            case Answered answer -> answered(answer);
            case Referred referral -> referred(referral);
            case Lame lame -> {
                links.events().add(Event.UPSTREAM_LAME);
                yield failed(lame.why(), true);
            }
            case Failing failing -> failed(failing.why(), false);
        };
    }

    private State answered(Answered answer) {
        choice.isSound();
        if (!answer.servers().isEmpty()) {
            links.addServers(delegation.zone(), answer.servers());
        }
        final Link first = answer.links().getFirst();
        if (asked.equals(question)) {
            found = answer.links();
            return State.DONE;
        }
        if (first.kind() != Kind.NAME_ERROR) {
            answer.links().forEach(links::keep);
            known = asked.name();
            return State.NEXT_NAME;
        }
        if (links.options().minimisation() == Minimisation.STRICT) {
            found = List.of(first.below(question.name(), question.type()));
            return State.DONE;
        }
        return askWholeName();
    }

    private State askWholeName() {
        links.events().add(Event.MINIMISATION_FALLBACK);
        wholeName = true;
        asked = question;
        return State.ASK;
    }

    private State referred(Referred referral) {
        choice.isSound();
        links.events().add(Event.REFERRAL);
        links.keep(referral.delegation());
        if (referral.ds() != null) {
            links.keep(referral.ds());
            task.keep(referral.ds());
        }
        descendTo(referral.delegation());
        return State.NEXT_NAME;
    }

    private State failed(String why, boolean lame) {
        if (!asked.equals(question) && links.options().minimisation() == Minimisation.RELAXED) {
            return askWholeName();
        }
        if (server != null) {
            tell(server.udp().name() + ": " + why);
        }
        if (heard != null && delegation.source() == Delegation.Source.FORWARD) {
            takeReason(heard.response());
        }
        if (lame) {
            choice.excludeLame();
        } else {
            choice.exclude();
        }
        return State.NEXT_SERVER;
    }

    /** What a forwarder says of its failure is worth more than what can be said of it here. */
    private void takeReason(MessageView response) {
        for (final MessageView.Reason reason : response.reasons()) {
            final ExtendedError theirs = ExtendedError.of(reason.code());
            if (theirs != null && error == ExtendedError.NO_REACHABLE_AUTHORITY) {
                error = theirs;
                tell(reason.text());
            }
        }
    }

    private void tell(String what) {
        if (!what.isEmpty() && story.length() < STORY_LENGTH && story.indexOf(what) < 0) {
            story.append(story.isEmpty() ? "" : "; ").append(what);
        }
    }
}
