package io.ananas.server;

import io.ananas.message.ExtendedError;
import io.ananas.recursor.Event;
import io.ananas.recursor.dnssec.DnssecValidator;
import io.ananas.recursor.dnssec.ValidationStatistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** The figures of recursion and validation. */
final class RecursionFigures {
    private RecursionFigures() {}

    static List<Figure> of(Recursion recursion) {
        final List<Figure> figures = new ArrayList<>();
        figures.add(
                Figure.counters("recursion", "What recursion did.", "event", events(recursion)));
        figures.add(
                Figure.counters(
                        "reasons",
                        "Extended DNS Errors of resolutions, failed or not.",
                        "error",
                        reasons(recursion)));
        figures.add(
                Figure.gauge(
                        "known_delegations",
                        "Delegations remembered.",
                        () -> recursion.recursor().known().delegations()));
        figures.add(
                Figure.gauge(
                        "known_servers",
                        "Authoritative servers remembered.",
                        () -> recursion.recursor().known().servers()));
        figures.add(
                Figure.gauge(
                        "known_links",
                        "RRsets and denials remembered for resolution itself.",
                        () -> recursion.recursor().known().links()));
        final DnssecValidator validator = recursion.validator();
        if (validator != null) {
            figures.add(
                    Figure.counters(
                            "validation",
                            "What validation has cost.",
                            "work",
                            validation(validator.statistics())));
        }
        return figures;
    }

    private static Map<String, LongSupplier> events(Recursion recursion) {
        final Map<String, LongSupplier> values = new LinkedHashMap<>();
        for (Event event : Event.values()) {
            values.put(
                    event.label(), () -> recursion.recursor().counters().getOrDefault(event, 0L));
        }
        return values;
    }

    private static Map<String, LongSupplier> reasons(Recursion recursion) {
        final Map<String, LongSupplier> values = new LinkedHashMap<>();
        for (ExtendedError error : ExtendedError.values()) {
            values.put(error.name().toLowerCase(Locale.ROOT), () -> recursion.count(error));
        }
        return values;
    }

    private static Map<String, LongSupplier> validation(ValidationStatistics statistics) {
        final Map<String, LongSupplier> values = new LinkedHashMap<>();
        values.put("signature_checks", statistics::checks);
        values.put("failed_checks", statistics::failedChecks);
        values.put("key_digests", statistics::digests);
        values.put("hash_blocks", statistics::hashBlocks);
        values.put("fetches", statistics::fetches);
        values.put("out_of_budget", statistics::exhausted);
        return values;
    }
}
