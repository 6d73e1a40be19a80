package io.ananas.server;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Questions that could not be answered a moment ago, so that they are not asked upstream again for
 * each client (RFC 9520, section 3.2): for one second at first, twice as long with each failure in
 * a row, up to a minute. Of bounded size; the oldest is forgotten first. Thread-safe.
 */
final class FailureMemory {
    private static final int CAPACITY = 10_000;
    private static final long FIRST_MILLIS = 1_000;
    private static final long LONGEST_MILLIS = 60_000;

    private final InstantSource clock;
    private final Map<QuestionKey, Entry> failures = new LinkedHashMap<>();

    /** So that no lock is taken while nothing fails. */
    private volatile boolean empty = true;

    private record Entry(UpstreamFailure failure, long until, long period) {}

    FailureMemory(InstantSource clock) {
        this.clock = clock;
    }

    /** The failure that still holds for this question; null if it may be asked. */
    @Nullable UpstreamFailure find(QuestionKey question) {
        if (empty) {
            return null;
        }
        final Entry entry;
        synchronized (this) {
            entry = failures.get(question);
        }
        return entry == null || clock.millis() >= entry.until() ? null : entry.failure();
    }

    synchronized void remember(QuestionKey question, UpstreamFailure failure) {
        final Entry before = failures.remove(question);
        final long period =
                before == null ? FIRST_MILLIS : Math.min(LONGEST_MILLIS, 2 * before.period());
        failures.put(question, new Entry(failure, clock.millis() + period, period));
        if (failures.size() > CAPACITY) {
            failures.remove(failures.keySet().iterator().next());
        }
        empty = false;
    }

    void forget(QuestionKey question) {
        if (!empty) {
            synchronized (this) {
                failures.remove(question);
                empty = failures.isEmpty();
            }
        }
    }
}
