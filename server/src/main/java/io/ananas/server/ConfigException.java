package io.ananas.server;

/** A configuration that cannot be used. The message says where, what was found and expected. */
final class ConfigException extends Exception {
    ConfigException(String message) {
        super(message);
    }

    static ConfigException at(String file, int line, String what) {
        return new ConfigException("%s:%d: %s".formatted(file, line, what));
    }
}
