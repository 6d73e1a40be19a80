package io.ananas.server;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongSupplier;

/** The figures of a server in the text format of Prometheus. Thread-safe. */
final class Metrics {
    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;
    private static final String PREFIX = "ananas_";

    private final PrometheusRegistry registry = new PrometheusRegistry();

    Metrics(List<Figure> figures) {
        for (Figure figure : figures) {
            if (figure.counts()) {
                counter(figure);
            } else {
                gauge(figure);
            }
        }
    }

    private void counter(Figure figure) {
        final CounterWithCallback.Builder builder =
                CounterWithCallback.builder()
                        .name(PREFIX + figure.name() + "_total")
                        .help(figure.help())
                        .callback(callback ->
                                figure.values()
                                        .forEach((label, value) ->
                                                callback.call(
                                                        (double) value.getAsLong(),
                                                        labels(figure, label))));
        (figure.label().isEmpty() ? builder : builder.labelNames(figure.label()))
                .register(registry);
    }

    private void gauge(Figure figure) {
        final LongSupplier value = figure.values().values().iterator().next();
        GaugeWithCallback.builder()
                .name(PREFIX + figure.name())
                .help(figure.help())
                .callback(callback -> callback.call((double) value.getAsLong()))
                .register(registry);
    }

    private static String[] labels(Figure figure, String label) {
        return figure.label().isEmpty() ? new String[0] : new String[] {label};
    }

    String text() throws IOException {
        final ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create()
                .write(text, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
        return text.toString(StandardCharsets.UTF_8);
    }
}
