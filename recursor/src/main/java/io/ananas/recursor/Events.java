package io.ananas.recursor;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters. Thread-safe. */
final class Events {
    private final LongAdder[] counters = new LongAdder[Event.values().length];

    Events() {
        for (int i = 0; i < counters.length; i++) {
            counters[i] = new LongAdder();
        }
    }

    void add(Event event) {
        counters[event.ordinal()].increment();
    }

    Map<Event, Long> figures() {
        final Map<Event, Long> figures = new EnumMap<>(Event.class);
        for (final Event event : Event.values()) {
            figures.put(event, counters[event.ordinal()].sum());
        }
        return figures;
    }
}
