package io.ananas.server;

import java.util.List;
import java.util.Map;

/** A configuration file as a tree in which everything knows its line. */
sealed interface ConfigNode {
    /** Counted from 1. */
    int line();

    /** What errors call it. */
    String describe();

    record Scalar(int line, String text) implements ConfigNode {
        @Override
        public String describe() {
            return "'" + text + "'";
        }
    }

    record Items(int line, List<ConfigNode> items) implements ConfigNode {
        @Override
        public String describe() {
            return "a list";
        }
    }

    record Entries(int line, Map<String, Entry> entries) implements ConfigNode {
        @Override
        public String describe() {
            return "a section";
        }
    }

    /**
     * A key and its value.
     *
     * @param line where the key stands
     */
    record Entry(int line, ConfigNode value) {}
}
