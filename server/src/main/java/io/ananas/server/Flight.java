package io.ananas.server;

import io.ananas.message.QueryBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A question that is being asked upstream, and all the clients that wait for it; nobody, where a
 * popular answer is renewed before its end. Thread-safe.
 */
final class Flight {
    /** What became of a client that wanted to wait. */
    enum Boarding {
        WAITS,
        /** The answers have gone out already. */
        LANDED,
        /** It takes long, so those who wait get a stale answer, if there is one. */
        OVERDUE
    }

    private final QuestionKey question;
    private final boolean renewal;
    private final List<QueryBatch.Pending> waiting = new ArrayList<>(1);
    private boolean landed;
    private boolean overdue;
    private @Nullable Future<?> timer;

    /** A flight for nobody yet. */
    Flight(QuestionKey question) {
        this.question = question;
        renewal = true;
    }

    /**
     * @param renewal whether it takes the place of a renewal that has failed
     */
    Flight(QuestionKey question, QueryBatch.Pending first, boolean renewal) {
        this.question = question;
        this.renewal = renewal;
        waiting.add(first);
    }

    QuestionKey question() {
        return question;
    }

    /** Whether it began for nobody, so that others do not begin before it may be tried again. */
    boolean isRenewal() {
        return renewal;
    }

    /** The client that waits longest; null if nobody waits. */
    synchronized QueryBatch.@Nullable Pending first() {
        return waiting.isEmpty() ? null : waiting.getFirst();
    }

    /** Lets one more client wait, unless it is too late for that. */
    synchronized Boarding join(QueryBatch.Pending client) {
        if (landed) {
            return Boarding.LANDED;
        }
        if (overdue) {
            return Boarding.OVERDUE;
        }
        waiting.add(client);
        return Boarding.WAITS;
    }

    /** Lets it wait until the end, come what may; false if the answers have gone out already. */
    synchronized boolean insist(QueryBatch.Pending client) {
        return !landed && waiting.add(client);
    }

    /** What {@link #land} has to cancel. */
    synchronized void setTimer(Future<?> task) {
        if (landed) {
            task.cancel(false);
        } else {
            timer = task;
        }
    }

    /** Lets all go who wait, while the question is still being asked. */
    synchronized List<QueryBatch.Pending> overdue() {
        final List<QueryBatch.Pending> clients = List.copyOf(waiting);
        waiting.clear();
        overdue = !landed;
        return clients;
    }

    /** Ends the flight; nobody joins any more. Those who waited are handed out once. */
    synchronized List<QueryBatch.Pending> land() {
        landed = true;
        if (timer != null) {
            timer.cancel(false);
        }
        final List<QueryBatch.Pending> clients = List.copyOf(waiting);
        waiting.clear();
        return clients;
    }

    synchronized boolean hasLanded() {
        return landed;
    }
}
