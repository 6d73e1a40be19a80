package io.ananas.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The resolvers that the system is set up with. */
final class SystemResolvers {
    static final Path FILE = Path.of("/etc/resolv.conf");

    private SystemResolvers() {}

    /**
     * The name servers in a file such as {@code /etc/resolv.conf}.
     *
     * @throws ConfigException if there are none
     */
    static List<InetSocketAddress> read(Path file) throws ConfigException {
        final List<InetSocketAddress> servers = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                final String[] words = line.strip().split("\\s+", 3);
                if (words.length >= 2 && words[0].equals("nameserver")) {
                    servers.add(ConfigValues.upstream(words[1]));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException(
                    "%s: %s; name the upstream servers with --forward HOST[:PORT]"
                            .formatted(file, e.getMessage()));
        }
        if (servers.isEmpty()) {
            throw new ConfigException(
                    "%s names no nameserver; name the upstream servers with --forward HOST[:PORT]"
                            .formatted(file));
        }
        return servers;
    }
}
