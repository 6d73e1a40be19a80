package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.ananas.message.ExtendedError;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AccessAndRateLimitTest {
    private static final long SECOND = 1_000_000_000L;

    private final Arena arena = Arena.ofAuto();

    private MemorySegment inMemory(String address) {
        final byte[] octets = InetAddress.ofLiteral(address).getAddress();
        return arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_BYTE, octets);
    }

    private boolean contains(AccessList list, String address) {
        final MemorySegment octets = inMemory(address);
        return list.contains(octets.address(), (int) octets.byteSize());
    }

    private boolean take(RateLimiter limiter, String address, long nanos) {
        return limiter.take(clientAt(address), 1, nanos) == 1;
    }

    private long clientAt(String address) {
        final MemorySegment octets = inMemory(address);
        return RateLimiter.client(octets.address(), (int) octets.byteSize());
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "127.255.255.255, true",
        "128.0.0.0, false",
        "10.1.2.3, true",
        "11.0.0.0, false",
        "172.15.255.255, false",
        "172.16.0.0, true",
        "172.31.255.255, true",
        "172.32.0.0, false",
        "192.168.0.1, true",
        "192.169.0.1, false",
        "8.8.8.8, false",
        "::1, true",
        "::2, false",
        "fd00::1, true",
        "fe80::1, true",
        "2001:db8::1, false"
    })
    void byDefaultPrivateNetworksMayAsk(String address, boolean may) {
        assertThat(contains(AccessList.of(AccessList.DEFAULT), address)).isEqualTo(may);
    }

    @Test
    void prefixesOfAnyLengthAreExact() {
        final AccessList list =
                AccessList.of(List.of("192.0.2.1", "2001:db8::/65", "198.51.100.0/31"));
        assertThat(contains(list, "192.0.2.1")).isTrue();
        assertThat(contains(list, "192.0.2.0")).isFalse();
        assertThat(contains(list, "198.51.100.1")).isTrue();
        assertThat(contains(list, "198.51.100.2")).isFalse();
        assertThat(contains(list, "2001:db8::7fff:ffff:ffff:ffff")).isTrue();
        assertThat(contains(list, "2001:db8::8000:0:0:0")).isFalse();
        final AccessList all = AccessList.of(List.of("0.0.0.0/0", "::/0"));
        assertThat(contains(all, "255.1.2.3")).isTrue();
        assertThat(contains(all, "ffff::1")).isTrue();
        assertThat(contains(AccessList.of(List.of("0.0.0.0/0")), "::1")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "10.0.0.1/8",
                "::1/129",
                "2001:db8::1/32",
                "x",
                "1.2/8",
                "1.2.3.4/-1",
                "1.2.3.4/"
            })
    void whatIsNoNetworkIsNamed(String text) {
        assertThatThrownBy(() -> AccessList.of(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("192.0.2.0/24");
    }

    @Test
    void theRateIsKeptPerClient() {
        final RateLimiter limiter = RateLimiter.of(10, 5, 42);
        long now = 77 * SECOND;
        for (String client : new String[] {"192.0.2.1", "192.0.2.2", "2001:db8::1"}) {
            for (int i = 0; i < 5; i++) {
                assertThat(take(limiter, client, now)).isTrue();
            }
            assertThat(take(limiter, client, now)).isFalse();
        }
        // one /64 is one client, another /64 is not
        assertThat(take(limiter, "2001:db8::ffff", now)).isFalse();
        assertThat(take(limiter, "2001:db8:0:1::1", now)).isTrue();
        int taken = 0;
        for (int millis = 0; millis < 10_000; millis += 7) {
            if (take(limiter, "192.0.2.1", now + millis * 1_000_000L)) {
                taken++;
            }
        }
        assertThat(taken).isBetween(98, 101);
        now += 100 * SECOND;
        for (int i = 0; i < 5; i++) {
            assertThat(take(limiter, "192.0.2.1", now)).isTrue();
        }
        assertThat(take(limiter, "192.0.2.1", now)).isFalse();
    }

    @Test
    void theClockMayWrapAndManyClientsCrowdTheTable() {
        final RateLimiter limiter = RateLimiter.of(1_000, 3, 42);
        final long wrap = (1L << 40) << 6;
        for (long now : new long[] {wrap - 10, wrap + 10, 5 * wrap + SECOND}) {
            for (int i = 0; i < 3; i++) {
                assertThat(take(limiter, "192.0.2.9", now + i * SECOND)).isTrue();
            }
        }
        for (int i = 0; i < 200_000; i++) {
            final String client = "10.%d.%d.%d".formatted(i >> 16, i >> 8 & 255, i & 255);
            assertThat(take(limiter, client, 9 * wrap)).as(client).isTrue();
        }
    }

    @Test
    void manyAtOnceAreAsManyOneByOne() {
        final RateLimiter limiter = RateLimiter.of(10, 5, 42);
        final long client = clientAt("192.0.2.1");
        final long now = 77 * SECOND;
        assertThat(limiter.take(client, 3, now)).isEqualTo(3);
        assertThat(limiter.take(client, 3, now)).isEqualTo(2);
        assertThat(limiter.take(client, 3, now)).isZero();
        assertThat(limiter.take(clientAt("192.0.2.2"), 64, now)).isEqualTo(5);
        final long later = now + SECOND / 10 + SECOND / 20;
        assertThat(limiter.take(client, 3, later)).isEqualTo(1);
        assertThat(limiter.take(client, 3, later)).isZero();
        assertThat(limiter.take(client, 9, now + 60 * SECOND)).isEqualTo(5);
        assertThat(RateLimiter.none().take(client, 64, now)).isEqualTo(64);
    }

    @Test
    void takingAllocatesNothing() {
        final RateLimiter limiter = RateLimiter.of(1_000, 100, 42);
        final long client = clientAt("192.0.2.1");
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 20 && allocated > 1_000; round++) {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100_000; i++) {
                limiter.take(client, 1, i * 1_000L);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).isLessThanOrEqualTo(1_000);
    }

    @Test
    void whoIsNotOnTheListIsRefused() throws IOException {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server =
                        TestServer.start(
                                TestServer.configuration(upstream)
                                        .withAccess(List.of("192.0.2.0/24")))) {
            final DnsClient client = TestServer.client(server);
            final Query query = Query.of("www.example.test", "A").payloadSize(1232);
            for (DnsMessage response : List.of(client.ask(query), client.askOverTcp(query))) {
                assertThat(response.responseCode()).isEqualTo(ResponseCode.REFUSED);
                assertThat(response.extendedErrors())
                        .containsExactly(ExtendedError.PROHIBITED.code());
                assertThat(TestServer.edns(response).options().getFirst().data())
                        .endsWith(ExtendedError.PROHIBITED.text().getBytes(StandardCharsets.UTF_8));
            }
            assertThat(upstream.count()).isZero();
            assertThat(server.counters().sum(c -> c.prohibited)).isEqualTo(2);
        }
    }

    @Test
    void whoAsksTooMuchGetsNothingOverUdpAndIsToldOverTcp() throws IOException {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server =
                        TestServer.start(
                                TestServer.configuration(upstream)
                                        .withRateLimit(new Configuration.RateLimit(1, 1)))) {
            upstream.when("www.example.test", "A").answer("www.example.test. 9 IN A 192.0.2.1");
            final DnsClient client = TestServer.client(server);
            final Query query = Query.of("www.example.test", "A");
            final long start = System.nanoTime();
            assertThat(client.ask(query).answer()).hasSize(1);
            final boolean silent = client.tryUdp(query.toWire(), Duration.ofMillis(100)).isEmpty();
            final int code = client.askOverTcp(query).responseCode();
            if (System.nanoTime() - start < SECOND) { // else the token may have come back
                assertThat(silent).isTrue();
                assertThat(code).isEqualTo(ResponseCode.REFUSED);
                assertThat(server.counters().sum(c -> c.rateLimited)).isEqualTo(2);
            }
        }
    }
}
