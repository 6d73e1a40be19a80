package io.ananas.recursor;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counters. Thread-safe. */
final class Events {
    private final Map<Event, LongAdder> counters = new EnumMap<>(Event.class);

    Events() {
        for (final Event event : Event.values()) {
            counters.put(event, new LongAdder());
        }
    }

    void add(Event event) {
        counter(event).increment();
    }

    private LongAdder counter(Event event) {
        return Objects.requireNonNull(counters.get(event));
    }

    Map<Event, Long> figures() {
        final Map<Event, Long> figures = new EnumMap<>(Event.class);
        for (final Event event : Event.values()) {
            figures.put(event, counter(event).sum());
        }
        return figures;
    }
}
