package io.ananas.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** Reads YAML into {@link ConfigNode}s: only text, lists and sections, each key once. */
final class ConfigParser {
    private final String file;
    private final JsonParser tokens;

    private ConfigParser(String file, JsonParser tokens) {
        this.file = file;
        this.tokens = tokens;
    }

    /** The tree of a file; an empty file is an empty section. */
    static ConfigNode.Entries read(Path path) throws ConfigException {
        try {
            return parse(path.toString(), Files.readString(path));
        } catch (NoSuchFileException e) {
            throw new ConfigException("%s: there is no such file".formatted(path));
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(path, e.getMessage()));
        }
    }

    static ConfigNode.Entries parse(String file, String yaml) throws ConfigException {
        try (JsonParser tokens = new YAMLFactory().createParser(ObjectReadContext.empty(), yaml)) {
            final JsonToken first = tokens.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                return new ConfigNode.Entries(1, Map.of());
            }
            final ConfigNode root = new ConfigParser(file, tokens).node(first);
            if (root instanceof ConfigNode.Entries entries) {
                return entries;
            }
            throw ConfigException.at(
                    file,
                    root.line(),
                    "found %s, expected keys such as 'listen:'".formatted(root.describe()));
        } catch (JacksonException e) {
            throw ConfigException.at(
                    file,
                    Math.max(1, e.getLocation() == null ? 1 : e.getLocation().getLineNr()),
                    "not YAML: " + e.getOriginalMessage().lines().findFirst().orElse(""));
        }
    }

    private int line() {
        return tokens.currentTokenLocation().getLineNr();
    }

    private ConfigNode node(JsonToken token) throws ConfigException {
        return switch (token) {
            case START_OBJECT -> entries();
            case START_ARRAY -> items();
            case VALUE_NULL -> new ConfigNode.Scalar(line(), "");
            default -> new ConfigNode.Scalar(line(), tokens.getString());
        };
    }

    private ConfigNode items() throws ConfigException {
        final int line = line();
        final List<ConfigNode> items = new ArrayList<>();
        JsonToken token = tokens.nextToken();
        while (token != JsonToken.END_ARRAY) {
            items.add(node(token));
            token = tokens.nextToken();
        }
        return new ConfigNode.Items(line, items);
    }

    private ConfigNode entries() throws ConfigException {
        final int line = line();
        final Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>();
        while (tokens.nextToken() != JsonToken.END_OBJECT) {
            final String key = tokens.currentName();
            final int keyLine = line();
            final ConfigNode value = node(tokens.nextToken());
            final ConfigNode.Entry before = entries.put(key, new ConfigNode.Entry(keyLine, value));
            if (before != null) {
                throw ConfigException.at(
                        file,
                        keyLine,
                        "found the key '%s' again, expected it once; it stands in line %d too"
                                .formatted(key, before.line()));
            }
        }
        return new ConfigNode.Entries(line, entries);
    }
}
