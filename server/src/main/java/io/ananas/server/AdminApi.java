package io.ananas.server;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.CachedAnswer;
import io.ananas.cache.HeldAnswer;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the admin listener can do.
 *
 * <pre>
 * GET  /cache?name=NAME[&amp;type=TYPE]     what is held of a name, with its records
 * GET  /cache/list?under=NAME[&amp;limit=N] and of all below it
 * POST /cache/flush?name=NAME[&amp;type=TYPE | &amp;subtree]
 * POST /cache/flush?negatives | ?all
 * POST /cache/limit?size=SIZE       the budget from now on, such as 64MiB
 * GET  /stats     all figures, as JSON
 * GET  /metrics   the same for Prometheus
 * POST /test/clock/advance?seconds=N   only with a {@link TestClock}
 * POST /test/clock/set?epoch=T
 * </pre>
 */
final class AdminApi {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String JSON_TYPE = "application/json; charset=utf-8";
    private static final String UNKNOWN =
            "there is no such thing here; try GET /stats, GET /metrics, GET /cache?name=, GET"
                    + " /cache/list?under= POST /cache/flush?name= or"
                    + " POST /cache/limit?size=";
    private static final int LIMIT = 1_000;
    private static final int MAX_LIMIT = 1_000_000;
    private static final int YEAR = 366 * 86_400;

    /** What goes back. */
    record Result(int status, String contentType, String body) {}

    /** Where more is remembered than in the cache. */
    interface Memory {
        /** Forgets all that was learnt of names at and below {@code subtree}. */
        void forget(Name subtree);

        /** Forgets what denies a name or a type, and what has failed. */
        void forgetDenials();
    }

    private final AnswerCache cache;
    private final Memory memory;
    private final InstantSource clock;
    private final Figures figures;
    private final Metrics metrics;

    /**
     * @param memory what resolution has learnt
     */
    AdminApi(AnswerCache cache, InstantSource clock, Figures figures, Memory memory) {
        this.cache = cache;
        this.memory = memory;
        this.clock = clock;
        this.figures = figures;
        metrics = new Metrics(figures.all());
    }

    /** Answers one request; wrong parameters throw an IllegalArgumentException. */
    Result handle(String method, String path, AdminRequest request) throws IOException {
        final @Nullable Object found =
                switch (method + " " + path) {
                    case "GET /cache" -> lookup(request);
                    case "GET /cache/list" -> list(request);
                    case "POST /cache/flush" -> flush(request);
                    case "POST /cache/limit" -> limit(request);
                    case "GET /stats" -> stats(request);
                    case "GET /metrics" -> {
                        request.finish();
                        figures.take();
                        yield metrics.text();
                    }
                    case "POST /test/clock/advance" -> advance(request);
                    case "POST /test/clock/set" -> set(request);
                    default -> null;
                };
        return switch (found) {
            case null -> error(404, "%s %s: %s".formatted(method, path, UNKNOWN));
            case String text -> new Result(200, Metrics.CONTENT_TYPE, text);
            default -> new Result(200, JSON_TYPE, JSON.writeValueAsString(found));
        };
    }

    static Result error(int status, String what) {
        return new Result(status, JSON_TYPE, JSON.writeValueAsString(Map.of("error", what)));
    }

    private int now() {
        return (int) (clock.millis() / 1_000);
    }

    private List<Map<String, Object>> lookup(AdminRequest request) {
        final Name name = request.requiredName("name");
        final int type = request.type("type");
        request.finish();
        return cache.show(name, now()).stream()
                .filter(held -> type < 0 || held.about().type() == type)
                .map(AdminApi::describe)
                .toList();
    }

    private List<Map<String, Object>> list(AdminRequest request) {
        final Name under = request.requiredName("under");
        final int limit = request.integer("limit", 1, MAX_LIMIT, LIMIT);
        request.finish();
        return cache.list(under, true, limit, now()).stream().map(AdminApi::describe).toList();
    }

    private static Map<String, Object> describe(HeldAnswer held) {
        final Map<String, Object> fields = describe(held.about());
        fields.put("records", RecordTexts.of(held.response()));
        return fields;
    }

    private static Map<String, Object> describe(CachedAnswer answer) {
        final Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", answer.name().toString());
        fields.put("type", RecordType.text(answer.type()));
        fields.put("rcode", ResponseCode.text(answer.responseCode()));
        fields.put("ttl", answer.remaining());
        fields.put("octets", answer.octets());
        fields.put("notes", notes(answer));
        return fields;
    }

    private static List<String> notes(CachedAnswer answer) {
        final List<String> notes = new ArrayList<>();
        if (answer.remaining() <= 0) {
            notes.add("expired");
        }
        if (answer.negative()) {
            notes.add("denial");
        }
        if (answer.authenticated()) {
            notes.add("validated");
        }
        if (answer.unchecked()) {
            notes.add("unchecked");
        }
        if (!answer.subnet().isEmpty()) {
            notes.add("for " + answer.subnet());
        }
        return notes;
    }

    private Map<String, Object> flush(AdminRequest request) {
        final Name name = request.name("name");
        final int type = request.type("type");
        final boolean subtree = request.flag("subtree");
        final boolean negatives = request.flag("negatives");
        final boolean all = request.flag("all");
        request.finish();
        if ((name == null ? 0 : 1) + (negatives ? 1 : 0) + (all ? 1 : 0) != 1
                || (subtree && type >= 0)) {
            throw new IllegalArgumentException(
                    "expected one of name=NAME, with type=TYPE or subtree if wanted, negatives, all");
        }
        final long flushed;
        if (all) {
            flushed = cache.entries();
            cache.flushAll();
            memory.forget(Name.ROOT);
        } else if (name == null) {
            memory.forgetDenials();
            flushed = cache.flushNegatives();
        } else {
            memory.forget(name);
            flushed = type >= 0 ? cache.flush(name, type) : cache.flush(name, subtree);
        }
        return Map.of("flushed", flushed);
    }

    private Map<String, Object> limit(AdminRequest request) {
        final long size = request.size("size");
        request.finish();
        cache.resize(size, now());
        return Map.of("limit", cache.limit(), "entries", cache.entries());
    }

    private Map<String, Object> stats(AdminRequest request) {
        request.finish();
        final String hugePages = figures.take().hugePages();
        final Map<String, Object> stats = new LinkedHashMap<>();
        for (Figure figure : figures.all()) {
            final Map<String, Object> values = new LinkedHashMap<>();
            for (Map.Entry<String, LongSupplier> value : figure.values().entrySet()) {
                values.put(value.getKey(), value.getValue().getAsLong());
            }
            stats.put(
                    figure.name(),
                    figure.label().isEmpty() ? values.values().iterator().next() : values);
        }
        stats.put("cache_huge_pages", hugePages);
        return stats;
    }

    private @Nullable Object advance(AdminRequest request) {
        if (!(clock instanceof TestClock test)) {
            return null;
        }
        final int seconds = request.integer("seconds", -YEAR, YEAR, 0);
        request.finish();
        return Map.of("epoch", test.advance(Duration.ofSeconds(seconds)).getEpochSecond());
    }

    private @Nullable Object set(AdminRequest request) {
        if (!(clock instanceof TestClock test)) {
            return null;
        }
        final int epoch = request.integer("epoch", 0, Integer.MAX_VALUE, -1);
        request.finish();
        if (epoch < 0) {
            throw new IllegalArgumentException(
                    "found no 'epoch', expected seconds since 1970, such as epoch=1767225600");
        }
        test.set(Instant.ofEpochSecond(epoch));
        return Map.of("epoch", epoch);
    }
}
