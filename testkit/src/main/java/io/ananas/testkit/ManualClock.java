package io.ananas.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it. Thread-safe. */
public final class ManualClock implements InstantSource {
    private final AtomicReference<Instant> now;

    /** A clock that shows {@code 2026-01-01T00:00:00Z}. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    public ManualClock(Instant now) {
        this.now = new AtomicReference<>(now);
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    /** The time shown as nanoseconds since 1970, for code that counts with {@code nanoTime}. */
    public long nanoTime() {
        final Instant instant = now.get();
        return Math.addExact(
                Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    /** Moves the clock; a negative amount turns it back, as a real one may be. */
    public void advance(Duration amount) {
        now.updateAndGet(instant -> instant.plus(amount));
    }

    public void set(Instant instant) {
        now.set(instant);
    }

    @Override
    public String toString() {
        return now.get().toString();
    }
}
