package io.ananas.recursor;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One question of a client in the making, with all that it leads to. For one thread; what other
 * threads see of it is guarded by {@link Flights}.
 */
final class Task {
    private final Budget budget;
    private final Deque<QuestionKey> inProgress = new ArrayDeque<>();
    private final Map<QuestionKey, Link> found = new HashMap<>();
    private final Map<QuestionKey, Set<InetSocketAddress>> avoided = new HashMap<>();
    private Flights.@Nullable Flight waitsFor;

    Task(Budget budget) {
        this.budget = budget;
    }

    Budget budget() {
        return budget;
    }

    /** What was found for this question so far: good for it even with a TTL of 0. */
    @Nullable Link found(QuestionKey key) {
        return found.get(key);
    }

    void keep(Link link) {
        found.put(link.key(), link);
    }

    void drop(QuestionKey key) {
        found.remove(key);
    }

    /** Servers whose answers to this were bogus. */
    Set<InetSocketAddress> avoided(QuestionKey key) {
        return avoided.computeIfAbsent(key, any -> new HashSet<>());
    }

    /** Whether resolving {@code key} is what led here. */
    boolean isInProgress(QuestionKey key) {
        return inProgress.contains(key);
    }

    int depth() {
        return inProgress.size();
    }

    void begin(QuestionKey key) {
        inProgress.push(key);
    }

    void end() {
        inProgress.pop();
    }

    Flights.@Nullable Flight waitsFor() {
        return waitsFor;
    }

    void waitFor(Flights.@Nullable Flight flight) {
        waitsFor = flight;
    }
}
