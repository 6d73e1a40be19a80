package io.ananas.server;

import java.util.List;

/**
 * A module that brings subcommands for the command line: the port between {@code server} and
 * modules that stand on it. Named in {@code META-INF/services/io.ananas.server.CommandProvider}.
 */
public interface CommandProvider {
    /** Objects of classes with a picocli {@code @Command} annotation. */
    List<Object> commands();
}
