package io.ananas.server;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request to the admin listener. What does not fit throws an
 * IllegalArgumentException that says what was found and expected.
 */
final class AdminRequest {
    private final Map<String, String> left = new TreeMap<>();
    private final Set<String> known = new TreeSet<>();

    AdminRequest(URI uri) {
        final String query = uri.getRawQuery();
        if (query == null || query.isEmpty()) {
            return;
        }
        for (String pair : query.split("&", -1)) {
            final int equals = pair.indexOf('=');
            final String key = equals < 0 ? pair : pair.substring(0, equals);
            left.put(key, equals < 0 ? "" : decode(pair.substring(equals + 1)));
        }
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private @Nullable String take(String key) {
        known.add(key);
        return left.remove(key);
    }

    /** A domain name; null if it is not given. */
    @Nullable Name name(String key) {
        final String text = take(key);
        try {
            return text == null ? null : ConfigValues.name(text);
        } catch (IllegalArgumentException e) {
            throw unexpected(key, text, e);
        }
    }

    /** A domain name, which must be given. */
    Name requiredName(String key) {
        final Name name = name(key);
        if (name == null) {
            throw new IllegalArgumentException(
                    "found no '%s', expected one, such as %s=example.com".formatted(key, key));
        }
        return name;
    }

    /** A record type; -1 if it is not given. */
    int type(String key) {
        final String text = take(key);
        if (text == null) {
            return -1;
        }
        try {
            return RecordType.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "%s: found '%s', expected a type such as AAAA or TYPE65300"
                            .formatted(key, text),
                    e);
        }
    }

    boolean flag(String key) {
        final String text = take(key);
        try {
            return text != null && (text.isEmpty() || ConfigValues.bool(text));
        } catch (IllegalArgumentException e) {
            throw unexpected(key, text, e);
        }
    }

    int integer(String key, int least, int most, int otherwise) {
        final String text = take(key);
        try {
            return text == null ? otherwise : ConfigValues.integer(text, least, most);
        } catch (IllegalArgumentException e) {
            throw unexpected(key, text, e);
        }
    }

    /** A size in octets, which must be given. */
    long size(String key) {
        final String text = take(key);
        try {
            return ConfigValues.size(text == null ? "" : text);
        } catch (IllegalArgumentException e) {
            throw unexpected(key, text == null ? "" : text, e);
        }
    }

    private static IllegalArgumentException unexpected(
            String key, @Nullable String found, IllegalArgumentException expected) {
        return new IllegalArgumentException(
                "%s: found '%s', expected %s".formatted(key, found, expected.getMessage()),
                expected);
    }

    /** Refuses what nobody asked for. */
    void finish() {
        if (!left.isEmpty()) {
            throw new IllegalArgumentException(
                    "found '%s', expected %s"
                            .formatted(
                                    left.keySet().iterator().next(),
                                    known.isEmpty()
                                            ? "no parameters"
                                            : "one of " + String.join(", ", known)));
        }
    }
}
