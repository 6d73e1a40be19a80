package io.ananas.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One section of a configuration file, read key by key: each getter checks what it finds, and
 * {@link #finish} refuses what nobody asked for.
 */
final class ConfigSection {
    private final String file;
    private final String path;
    private final int line;
    private final Map<String, ConfigNode.Entry> left;
    private final Map<String, ConfigNode.Entry> all;
    private final Map<String, ConfigSection> sections = new LinkedHashMap<>();
    private final Set<String> known = new TreeSet<>();

    /** Makes a value of text; throws IllegalArgumentException with what was expected. */
    @FunctionalInterface
    interface Reader<T extends @Nullable Object> {
        T read(String text);
    }

    private ConfigSection(String file, String path, ConfigNode.Entries node) {
        this.file = file;
        this.path = path;
        all = node.entries();
        left = new LinkedHashMap<>(all);
        line = node.line();
    }

    static ConfigSection root(String file, ConfigNode.Entries node) {
        return new ConfigSection(file, "", node);
    }

    /** A section in this one, always the same; an absent one is empty. */
    ConfigSection section(String key) throws ConfigException {
        final ConfigSection before = sections.get(key);
        if (before != null) {
            return before;
        }
        final ConfigSection section = newSection(key);
        sections.put(key, section);
        return section;
    }

    private ConfigSection newSection(String key) throws ConfigException {
        final ConfigNode.Entry entry = take(key);
        if (entry == null) {
            return new ConfigSection(file, path + key + ".", new ConfigNode.Entries(1, Map.of()));
        }
        if (entry.value() instanceof ConfigNode.Entries entries) {
            return new ConfigSection(file, path + key + ".", entries);
        }
        throw unexpected(key, entry.value(), "a section with keys of its own");
    }

    /** A list of sections; a single one will do, an absent one is an empty list. */
    List<ConfigSection> sections(String key) throws ConfigException {
        final ConfigNode.Entry entry = take(key);
        if (entry == null) {
            return List.of();
        }
        final List<ConfigSection> found = new ArrayList<>();
        for (ConfigNode node : items(entry)) {
            if (!(node instanceof ConfigNode.Entries entries)) {
                throw unexpected(key, node, "a section with keys of its own");
            }
            found.add(new ConfigSection(file, path + key + ".", entries));
        }
        return found;
    }

    /**
     * The same, where an item may be a text of words too, each the value of one of these keys in
     * their order.
     */
    List<ConfigSection> sections(String key, String... words) throws ConfigException {
        final ConfigNode.Entry entry = take(key);
        if (entry == null) {
            return List.of();
        }
        final List<ConfigSection> found = new ArrayList<>();
        for (ConfigNode node : items(entry)) {
            final ConfigNode.Entries entries =
                    switch (node) {
                        case ConfigNode.Entries given -> given;
                        case ConfigNode.Scalar scalar -> split(key, scalar, words);
                        case ConfigNode.Items list -> throw unexpected(key, list, "a section");
                    };
            found.add(new ConfigSection(file, path + key + ".", entries));
        }
        return found;
    }

    private ConfigNode.Entries split(String key, ConfigNode.Scalar scalar, String... words)
            throws ConfigException {
        final String[] values = scalar.text().strip().split("\\s+", -1);
        if (scalar.text().isBlank() || values.length > words.length) {
            throw unexpected(key, scalar, String.join(" and ", words));
        }
        final Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            final ConfigNode value = new ConfigNode.Scalar(scalar.line(), values[i]);
            entries.put(words[i], new ConfigNode.Entry(scalar.line(), value));
        }
        return new ConfigNode.Entries(scalar.line(), entries);
    }

    /** Refuses a section in which a key is missing. */
    <T> T required(String key, @Nullable T value) throws ConfigException {
        if (value == null) {
            throw ConfigException.at(
                    file, line, "found no key '%s%s', which is needed here".formatted(path, key));
        }
        return value;
    }

    private ConfigNode.@Nullable Entry take(String key) {
        known.add(key);
        left.remove(key);
        return all.get(key);
    }

    private static List<ConfigNode> items(ConfigNode.Entry entry) {
        return entry.value() instanceof ConfigNode.Items items
                ? items.items()
                : List.of(entry.value());
    }

    /** A single value. */
    <T extends @Nullable Object> T value(String key, Reader<? extends T> reader, T otherwise)
            throws ConfigException {
        final ConfigNode.Entry entry = take(key);
        return entry == null ? otherwise : read(key, entry.value(), reader);
    }

    /** A list of values; a single one will do. */
    <T> List<T> list(String key, Reader<T> reader, List<T> otherwise) throws ConfigException {
        final ConfigNode.Entry entry = take(key);
        if (entry == null) {
            return otherwise;
        }
        final List<T> values = new ArrayList<>();
        for (ConfigNode node : items(entry)) {
            values.add(read(key, node, reader));
        }
        return values;
    }

    private <T extends @Nullable Object> T read(
            String key, ConfigNode node, Reader<? extends T> reader) throws ConfigException {
        if (!(node instanceof ConfigNode.Scalar scalar)) {
            throw unexpected(key, node, "a single value");
        }
        try {
            return reader.read(scalar.text());
        } catch (IllegalArgumentException e) {
            throw unexpected(key, node, String.valueOf(e.getMessage()));
        }
    }

    private ConfigException unexpected(String key, ConfigNode node, String expected) {
        return ConfigException.at(
                file,
                node.line(),
                "%s%s: found %s, expected %s".formatted(path, key, node.describe(), expected));
    }

    String text(String key, String otherwise) throws ConfigException {
        return value(key, text -> text, otherwise);
    }

    boolean bool(String key, boolean otherwise) throws ConfigException {
        return value(key, ConfigValues::bool, otherwise);
    }

    int integer(String key, int least, int most, int otherwise) throws ConfigException {
        return value(key, text -> ConfigValues.integer(text, least, most), otherwise);
    }

    Duration duration(String key, Duration otherwise) throws ConfigException {
        return value(key, ConfigValues::duration, otherwise);
    }

    /** Refuses the first key that was not asked for. */
    void finish() throws ConfigException {
        for (Map.Entry<String, ConfigNode.Entry> entry : left.entrySet()) {
            throw ConfigException.at(
                    file,
                    entry.getValue().line(),
                    "found the key '%s%s', expected one of %s"
                            .formatted(path, entry.getKey(), String.join(", ", known)));
        }
    }
}
