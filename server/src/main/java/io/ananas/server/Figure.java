package io.ananas.server;

import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Something that is counted or measured, as metrics and {@code stats} show it.
 *
 * @param name in the way of Prometheus, without a prefix
 * @param help what it is, in a few words
 * @param counts whether it only ever grows
 * @param label what its values are told apart by; empty if there is only one
 * @param values the value for each label
 */
record Figure(
        String name, String help, boolean counts, String label, Map<String, LongSupplier> values) {
    static Figure counter(String name, String help, LongSupplier value) {
        return new Figure(name, help, true, "", Map.of("", value));
    }

    static Figure counters(
            String name, String help, String label, Map<String, LongSupplier> values) {
        return new Figure(name, help, true, label, values);
    }

    static Figure gauge(String name, String help, LongSupplier value) {
        return new Figure(name, help, false, "", Map.of("", value));
    }
}
