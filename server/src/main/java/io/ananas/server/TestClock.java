package io.ananas.server;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A clock that runs like the system's until it is moved; from then on it stands still, and only
 * moves when it is told to. So tests that come from outside see exact TTLs. Thread-safe.
 */
final class TestClock implements InstantSource {
    private final AtomicReference<@Nullable Instant> stopped = new AtomicReference<>();

    @Override
    public Instant instant() {
        final Instant set = stopped.get();
        return set == null ? Instant.now() : set;
    }

    /** Stops the clock and moves it; a negative time turns it back. */
    Instant advance(Duration time) {
        while (true) {
            final Instant before = stopped.get();
            final Instant after = (before == null ? Instant.now() : before).plus(time);
            if (stopped.compareAndSet(before, after)) {
                return after;
            }
        }
    }

    /** Stops the clock at a time. */
    void set(Instant time) {
        stopped.set(time);
    }
}
