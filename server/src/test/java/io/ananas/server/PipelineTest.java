package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.recursor.LocalZones;
import io.ananas.testkit.ScriptedUpstream;
import io.ananas.transport.UdpEngine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
                final byte[] hit = Flood.query("www.example.test");
                int round = 0;
                long before;
                // misses first, as in a server that fills: they spend the compiler's budget
                Flood.of(address, 60_000, 32, i -> Flood.query("n" + i + ".example.test"));
                do { // until all of it is compiled
                    before = threads.getThreadAllocatedBytes(thread);
                    Flood.of(address, 20_000, 1 + round++ % 32, i -> hit);
                } while (round < 60 && threads.getThreadAllocatedBytes(thread) > before);
                before = threads.getThreadAllocatedBytes(thread);
                Flood.of(address, 1_000_000, 32, i -> hit);
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
}
