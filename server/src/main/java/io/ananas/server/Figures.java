package io.ananas.server;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheStats;
import io.ananas.cache.Insertion;
import io.ananas.message.ExtendedError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * All figures of a server, in one place for metrics and {@code stats}.
 *
 * <p>What is resident of the cache is told by the system, which takes it some milliseconds; so the
 * figures of the cache are read once for all of them, by {@link #take}. Thread-safe.
 */
final class Figures {
    private final AnswerCache cache;
    private final List<Figure> all;
    private volatile CacheStats stats;

    private Figures(Server server) {
        cache = server.cache();
        stats = cache.stats();
        final List<Figure> figures = new ArrayList<>(ofServer(server));
        if (server.recursion() != null) {
            figures.addAll(RecursionFigures.of(server.recursion()));
        }
        all = List.copyOf(figures);
    }

    static Figures of(Server server) {
        return new Figures(server);
    }

    /** The figures; those of the cache are as {@link #take} has found them last. */
    List<Figure> all() {
        return all;
    }

    /** Reads the figures of the cache anew. */
    CacheStats take() {
        stats = cache.stats();
        return stats;
    }

    private List<Figure> ofServer(Server server) {
        final ServerCounters counters = server.counters();
        final Forwarder forwarder = server.forwarder();
        return List.of(
                Figure.counter("queries", "Packets received.", () -> counters.sum(c -> c.queries)),
                Figure.counters("answers", "What became of each.", "outcome", outcomes(counters)),
                Figure.counters(
                        "insertions",
                        "What became of answers that were offered to the cache.",
                        "result",
                        insertions(server.store())),
                Figure.counters(
                        "failures_remembered",
                        "Failures that were put into the cache, by their reason (EDE).",
                        "reason",
                        failures(server.store())),
                Figure.counters(
                        "evictions",
                        "Answers dropped to make room.",
                        "state",
                        Map.of(
                                "expired",
                                ofCache(CacheStats::expiredEvictions),
                                "alive",
                                ofCache(s -> s.evictions() - s.expiredEvictions()))),
                Figure.counters(
                        "resolutions",
                        "What became of questions that the cache did not answer.",
                        "kind",
                        resolutions(server)),
                Figure.counters(
                        "upstream_queries",
                        "Queries sent to each upstream server.",
                        "server",
                        upstreams(server, ForwardServer::asked)),
                Figure.counters(
                        "upstream_failures",
                        "Queries that a server did not answer well.",
                        "server",
                        upstreams(server, ForwardServer::failed)),
                Figure.gauge("waiting", "Clients that wait for upstream.", forwarder::waiting),
                Figure.gauge("cache_budget_bytes", "What it may use.", ofCache(CacheStats::size)),
                Figure.gauge(
                        "cache_resident_bytes",
                        "What of it is in memory.",
                        ofCache(CacheStats::resident)),
                Figure.gauge("cache_entries", "Answers held.", ofCache(CacheStats::entries)),
                Figure.gauge(
                        "cache_entry_bytes",
                        "Octets of these answers.",
                        ofCache(CacheStats::entryOctets)),
                Figure.gauge("cache_log_bytes", "Octets in use.", ofCache(CacheStats::logOctets)),
                Figure.gauge(
                        "cache_index_bytes",
                        "Octets of the index.",
                        ofCache(CacheStats::indexOctets)));
    }

    private LongSupplier ofCache(ToLongFunction<CacheStats> figure) {
        return () -> figure.applyAsLong(stats);
    }

    private static Map<String, LongSupplier> outcomes(ServerCounters counters) {
        final Map<String, LongSupplier> values = new LinkedHashMap<>();
        values.put("hit", () -> counters.sum(c -> c.hits));
        values.put("miss", () -> counters.sum(c -> c.misses));
        values.put("stale", () -> counters.sum(c -> c.stale));
        values.put("remembered_failure", () -> counters.sum(c -> c.failures));
        values.put("local", () -> counters.sum(c -> c.local));
        values.put("refused", () -> counters.sum(c -> c.refused));
        values.put("prohibited", () -> counters.sum(c -> c.prohibited));
        values.put("rate_limited", () -> counters.sum(c -> c.rateLimited));
        values.put("malformed", () -> counters.sum(c -> c.malformed));
        values.put("not_implemented", () -> counters.sum(c -> c.notImplemented));
        values.put("bad_version", () -> counters.sum(c -> c.badVersion));
        values.put("overloaded", () -> counters.sum(c -> c.overloaded));
        values.put("dropped", () -> counters.sum(c -> c.dropped));
        return values;
    }

    private static Map<String, LongSupplier> insertions(AnswerStore store) {
        final Map<String, LongSupplier> values = new LinkedHashMap<>();
        for (Insertion insertion : Insertion.values()) {
            values.put(insertion.name().toLowerCase(Locale.ROOT), () -> store.count(insertion));
        }
        return values;
    }

    private static Map<String, LongSupplier> failures(AnswerStore store) {
        final Map<String, LongSupplier> values = new LinkedHashMap<>();
        for (ExtendedError error : ExtendedError.values()) {
            values.put(error.name().toLowerCase(Locale.ROOT), () -> store.failures(error));
        }
        return values;
    }

    private static Map<String, LongSupplier> resolutions(Server server) {
        final Forwarder forwarder = server.forwarder();
        final Map<String, LongSupplier> values = new LinkedHashMap<>();
        values.put("shared", forwarder::shared);
        values.put("failed", forwarder::failed);
        values.put("stale_answer", forwarder::stale);
        values.put("renewed", forwarder::renewed);
        values.put("cut", server::cut);
        return values;
    }

    private static Map<String, LongSupplier> upstreams(
            Server from, ToLongFunction<ForwardServer> figure) {
        final Map<String, LongSupplier> values = new LinkedHashMap<>();
        for (ForwardServer server : from.forwardServers()) {
            values.put(server.name(), () -> figure.applyAsLong(server));
        }
        return values;
    }
}
