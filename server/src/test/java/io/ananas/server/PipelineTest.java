package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.recursor.LocalZones;
import io.ananas.testkit.Query;
import io.ananas.testkit.ScriptedUpstream;
import io.ananas.transport.UdpEngine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PipelineTest {
    @Test
    void theOrderOfTheStages() {
        try (AnswerCache cache =
                AnswerCache.open(CacheOptions.ofSize(16 << 20).withHugePages(false))) {
            final Pipeline pipeline =
                    Pipeline.of(
                            new PipelineParts(
                                    InstantSource.system(),
                                    AccessList.of(AccessList.DEFAULT),
                                    RateLimiter.none(),
                                    new Identity("", ""),
                                    new LocalNames(LocalZones.none()),
                                    cache,
                                    (query, batch, i) -> false,
                                    SubnetPolicy.OFF,
                                    new ServerCounters()));
            assertThat(pipeline.stages())
                    .containsExactly(
                            "access", "rate limit", "question", "local", "cache", "resolve");
        }
    }

    /** From socket to socket, with access list, counters and a rate limit that is not reached. */
    @Test
    void aHitAllocatesNothing() throws IOException {
        Assumptions.assumeTrue(UdpEngine.FFM.isSupported(), "needs Linux with glibc");
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            upstream.when("www.example.test", "A").answer("www.example.test. 9999 IN A 192.0.2.1");
            final Configuration configuration =
                    TestServer.configuration(upstream)
                            .withRateLimit(new Configuration.RateLimit(1_000_000, 1_000_000));
            try (Server server = TestServer.start(configuration)) {
                TestServer.client(server).ask("www.example.test", "A");
                final InetSocketAddress address = server.addresses().getFirst();
                final long thread = listenerThread(address);
                final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                int round = 0;
                long before;
                do { // until all of it is compiled
                    before = threads.getThreadAllocatedBytes(thread);
                    flood(address, 20_000, 1 + round++ % 32);
                } while (round < 60 && threads.getThreadAllocatedBytes(thread) > before);
                before = threads.getThreadAllocatedBytes(thread);
                flood(address, 1_000_000, 32);
                assertThat(threads.getThreadAllocatedBytes(thread) - before)
                        .as("octets allocated over 1,000,000 hits")
                        .isLessThan(20_000);
            }
        }
    }

    private static long listenerThread(InetSocketAddress address) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().startsWith("udp-127.0.0.1:" + address.getPort()))
                .mapToLong(Thread::threadId)
                .findFirst()
                .orElseThrow();
    }

    private static void flood(InetSocketAddress server, int packets, int window)
            throws IOException {
        final byte[] query = Query.of("www.example.test", "A").payloadSize(1232).toWire();
        final DatagramPacket out = new DatagramPacket(query, query.length);
        final DatagramPacket in = new DatagramPacket(new byte[512], 512);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(10_000);
            socket.connect(server);
            for (int i = 0; i < packets; i += window) {
                for (int j = 0; j < window; j++) {
                    socket.send(out);
                }
                for (int j = 0; j < window; j++) {
                    socket.receive(in);
                }
            }
        }
    }
}
