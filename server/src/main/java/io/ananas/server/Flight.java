package io.ananas.server;

import io.ananas.message.QueryBatch;
import java.util.ArrayList;
import java.util.List;

/** A question that is being asked upstream, and all the clients that wait for it. Thread-safe. */
final class Flight {
    private final QuestionKey question;
    private final List<QueryBatch.Pending> waiting = new ArrayList<>(1);
    private boolean landed;

    Flight(QuestionKey question, QueryBatch.Pending first) {
        this.question = question;
        waiting.add(first);
    }

    QuestionKey question() {
        return question;
    }

    /** Lets one more client wait; false if the answers have gone out already. */
    synchronized boolean join(QueryBatch.Pending client) {
        return !landed && waiting.add(client);
    }

    /** Ends the flight; nobody joins any more. */
    synchronized List<QueryBatch.Pending> land() {
        landed = true;
        return waiting;
    }
}
