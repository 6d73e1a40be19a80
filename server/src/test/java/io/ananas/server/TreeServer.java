package io.ananas.server;

import io.ananas.cache.CacheOptions;
import io.ananas.testkit.SignedTree;
import io.ananas.transport.UdpEngine;
import io.ananas.transport.UdpOptions;
import java.io.IOException;
import java.util.List;

/** Servers of tests that resolve in a {@link SignedTree}. */
final class TreeServer {
    private TreeServer() {}

    static Server start(SignedTree tree) throws IOException, ConfigException {
        return TestServer.start(configuration(tree.configuration()));
    }

    /** A configuration on a free port of 127.0.0.1, with a small cache. */
    static Configuration configuration(String yaml) throws ConfigException {
        final Configuration c =
                ConfigurationReader.read(
                        ConfigSection.root("tree.yaml", ConfigParser.parse("tree.yaml", yaml)),
                        Configuration.defaults());
        return c.withListen(List.of(ConfigValues.listener("127.0.0.1:0")))
                .withCache(CacheOptions.ofSize(16 << 20).withHugePages(false))
                .withUdp(new UdpOptions(UdpEngine.preferred(), 1, 1 << 18));
    }
}
