package io.ananas.server;

import io.ananas.cache.CacheOptions;
import io.ananas.message.Edns;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ScriptedUpstream;
import io.ananas.transport.UdpEngine;
import io.ananas.transport.UdpOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Servers of tests: on a free port of 127.0.0.1, with a small cache. */
final class TestServer {
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private TestServer() {}

    static Stream<UdpEngine> engines() {
        return Stream.of(UdpEngine.values()).filter(UdpEngine::isSupported);
    }

    static Configuration configuration(ScriptedUpstream... upstreams) {
        return configuration(Stream.of(upstreams).map(ScriptedUpstream::address).toList());
    }

    static Configuration configuration(List<InetSocketAddress> upstreams) {
        return Configuration.defaults()
                .withListen(List.of(ConfigValues.listener("127.0.0.1:0")))
                .withForward(upstreams)
                .withCache(CacheOptions.ofSize(16 << 20).withHugePages(false))
                .withUdp(new UdpOptions(UdpEngine.preferred(), 1, 1 << 18))
                .withResolving(new Configuration.Resolving(TIMEOUT, 1_000));
    }

    static Server start(Configuration configuration) throws IOException {
        return Server.start(configuration, InstantSource.system());
    }

    static Server start(UdpEngine engine, ScriptedUpstream... upstreams) throws IOException {
        final Configuration c = configuration(upstreams);
        return start(c.withUdp(c.udp().with(engine)));
    }

    static Server start(ScriptedUpstream... upstreams) throws IOException {
        return start(configuration(upstreams));
    }

    static DnsClient client(Server server) {
        return new DnsClient(server.addresses().getFirst());
    }

    /** The OPT record, which must be there. */
    static Edns edns(DnsMessage message) {
        return Objects.requireNonNull(message.edns(), "a message without OPT record");
    }
}
