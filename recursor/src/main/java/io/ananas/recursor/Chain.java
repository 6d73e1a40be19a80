package io.ananas.recursor;

import io.ananas.message.ExtendedError;
import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.recursor.Link.Kind;
import io.ananas.recursor.ResolutionFailure.LimitReached;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way from a question to its whole answer: link by link along the aliases, each validated by
 * itself. One rule for the rest: a bogus link makes all bogus, and the answer is authentic only if
 * every link is secure (RFC 4035, section 4.3). For one thread.
 */
final class Chain {
    private static final int BOGUS_TRIES = 3;

    private final Links links;
    private final AnswerValidator validator;
    private final KnownDenials denials;
    private final Task task;
    private final boolean checkingDisabled;
    private final List<Link> found = new ArrayList<>();
    private final Set<Name> visited = new HashSet<>();

    Chain(
            Links links,
            AnswerValidator validator,
            KnownDenials denials,
            Task task,
            boolean checkingDisabled) {
        this.links = links;
        this.validator = validator;
        this.denials = denials;
        this.task = task;
        this.checkingDisabled = checkingDisabled;
    }

    /** Begins with a link that needs no validation. */
    void beginWith(Link link) {
        visited.add(link.name());
        found.add(link);
    }

    /**
     * Follows the chain to its end.
     *
     * @param fresh whether servers are asked for the first name even if it is known
     */
    List<Link> follow(QuestionKey question, boolean fresh) throws ResolutionFailure {
        Name name = question.name();
        if (!found.isEmpty()) {
            name = step(found.getLast());
        }
        visited.add(name);
        boolean ask = fresh;
        while (true) {
            final Link link = next(new QuestionKey(name, question.type()), ask);
            found.add(link);
            if (link.kind() != Kind.ALIAS || question.type() == RecordType.CNAME) {
                return found; // an alias is the answer to CNAME, even if a DNAME has made it
            }
            name = step(link);
            ask = false;
        }
    }

    private Name step(Link alias) throws ResolutionFailure {
        task.budget().spendAlias();
        final Name target = alias.target();
        if (!visited.add(target)) {
            links.events().add(Event.ALIAS_LOOP);
            throw new ResolutionFailure(
                    ExtendedError.OTHER,
                    "the alias %s leads back to %s".formatted(alias.name(), target));
        }
        return target;
    }

    private Link next(QuestionKey key, boolean fresh) throws ResolutionFailure {
        final boolean known = !fresh && links.isKnown(key, task);
        final Link following = known || fresh || checkingDisabled ? null : synthesised(key);
        if (following != null) {
            links.events().add(Event.SYNTHESIS);
            return following;
        }
        Link link = links.find(key, task, fresh);
        if (checkingDisabled) {
            return link;
        }
        Verdict verdict = judge(link);
        if (known && verdict.status() == Status.BOGUS) {
            // what a server adds for the target of an alias may lack the proof: ask for itself
            links.forget(link, task);
            link = links.find(key, task, true);
            verdict = judge(link);
        }
        for (int i = 1; i < BOGUS_TRIES && verdict.status() == Status.BOGUS; i++) {
            final Link other = fromOtherServer(link);
            if (other == null) {
                break;
            }
            link = other;
            verdict = judge(link);
        }
        return switch (verdict.status()) {
            case SECURE, INSECURE -> keep(link, verdict);
            case BOGUS -> {
                links.events().add(Event.BOGUS);
                links.forget(link, task);
                throw failure(link, verdict, ExtendedError.DNSSEC_BOGUS);
            }
            case INDETERMINATE -> throw failure(link, verdict, ExtendedError.DNSSEC_INDETERMINATE);
        };
    }

    /** What follows from known proofs for the target of an alias (RFC 8198). */
    private @Nullable Link synthesised(QuestionKey key) {
        final byte[] response = denials.find(key.name(), key.type());
        final MessageView view = new MessageView();
        return response == null || view.parse(response, response.length) != Fault.NONE
                ? null
                : Link.synthesised(key, view);
    }

    private Link keep(Link link, Verdict verdict) {
        if (link.verdict() != null) {
            return link;
        }
        final Link judged = link.judged(verdict);
        links.keep(judged);
        task.keep(judged);
        return judged;
    }

    private static ResolutionFailure failure(Link link, Verdict verdict, ExtendedError otherwise) {
        final ExtendedError error = verdict.error();
        return new ResolutionFailure(
                error == null ? otherwise : error,
                verdict.text().isEmpty() ? link.key().toString() : verdict.text());
    }

    private Verdict judge(Link link) {
        final Verdict known = link.verdict();
        return known != null
                ? known
                : validator.validate(
                        link.provenName(),
                        link.type(),
                        link.message(),
                        link.zone(),
                        new TaskFetcher());
    }

    /** Fetches for the validator, at the cost of the question. */
    private final class TaskFetcher implements AnswerValidator.Fetcher {
        private final Map<QuestionKey, Link> last = new HashMap<>();

        @Override
        public @Nullable MessageView fetch(Name name, int type) {
            final QuestionKey key = new QuestionKey(name, type);
            try {
                return view(key, links.find(key, task, false));
            } catch (ResolutionFailure e) {
                return null;
            }
        }

        @Override
        public @Nullable MessageView refetch(Name name, int type) {
            final QuestionKey key = new QuestionKey(name, type);
            final Link bogus = last.get(key);
            try {
                final Link other = bogus == null ? null : fromOtherServer(bogus);
                return other == null ? null : view(key, other);
            } catch (LimitReached e) {
                return null;
            }
        }

        private MessageView view(QuestionKey key, Link link) {
            last.put(key, link);
            return link.message();
        }
    }

    /** The same link of a server that did not give the bogus one; null if there is none. */
    private @Nullable Link fromOtherServer(Link bogus) throws LimitReached {
        final InetSocketAddress server = bogus.server();
        if (server == null) {
            return null;
        }
        task.avoided(bogus.key()).add(server);
        links.forget(bogus, task);
        try {
            return links.find(bogus.key(), task, true);
        } catch (LimitReached e) {
            throw e;
        } catch (ResolutionFailure e) {
            return null;
        }
    }
}
