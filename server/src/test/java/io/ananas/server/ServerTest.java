package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageLayout;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ResourceRecord;
import io.ananas.testkit.ScriptedUpstream;
import io.ananas.transport.UdpEngine;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ServerTest {
    private static final String SOA =
            "example.test. 300 IN SOA ns.example.test. host.example.test. 1 3600 600 86400 60";

    private static List<String> texts(List<ResourceRecord> records) {
        return records.stream().map(ResourceRecord::toString).toList();
    }

    private static Query sized(Query query, int octets) {
        return octets < 0 ? query : query.payloadSize(octets);
    }

    @ParameterizedTest
    @MethodSource("io.ananas.server.TestServer#engines")
    void theSecondQueryReachesTheUpstreamNoMore(UdpEngine engine) throws IOException {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server = TestServer.start(engine, upstream)) {
            upstream.when("www.example.test", "A").answer("www.example.test. 300 IN A 192.0.2.1");
            upstream.when("alias.example.test", "A")
                    .answer(
                            "alias.example.test. 300 IN CNAME www.example.test.",
                            "www.example.test. 300 IN A 192.0.2.1");
            upstream.when("nx.example.test", "A").reply(Reply.nameError(SOA));
            upstream.when("www.example.test", "MX").reply(Reply.noData(SOA));
            final DnsClient client = TestServer.client(server);
            for (int i = 0; i < 3; i++) {
                final DnsMessage www = client.ask(Query.of("wWw.ExAmPlE.tEsT", "A"));
                assertThat(www.question()).hasToString("wWw.ExAmPlE.tEsT. IN A");
                assertThat(www.answer()).hasSize(1);
                assertThat(www.has(MessageLayout.RA | MessageLayout.RD)).isTrue();
                assertThat(www.edns()).isNull();
                assertThat(client.ask("alias.example.test", "A").answer()).hasSize(2);
                final DnsMessage nx = client.askOverTcp(Query.of("nx.example.test", "A"));
                assertThat(nx.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
                assertThat(nx.authority()).hasSize(1);
                final DnsMessage none = client.ask("www.example.test", "MX");
                assertThat(none.responseCode()).isEqualTo(ResponseCode.NOERROR);
                assertThat(none.answer()).isEmpty();
            }
            assertThat(upstream.count()).isEqualTo(4);
            assertThat(server.counters().sum(c -> c.hits)).isEqualTo(8);
            assertThat(server.counters().sum(c -> c.misses)).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @MethodSource("io.ananas.server.TestServer#engines")
    void sizeIsLimitedAlikeForHitAndMiss(UdpEngine engine) throws IOException {
        final String text = " \"" + "x".repeat(250) + "\"";
        final String big = "big.example.test. 300 IN TXT" + text.repeat(13);
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            upstream.when("big.example.test", "TXT").reply(Reply.answer(big).truncated());
            for (int octets : new int[] {-1, 0, 511, 512, 1232, 4096, 10_000}) {
                try (Server server = TestServer.start(engine, upstream)) {
                    final DnsClient client = TestServer.client(server);
                    final Query query = sized(Query.of("big.example.test", "TXT"), octets);
                    for (int i = 0; i < 2; i++) {
                        final byte[] wire = client.udp(query.toWire());
                        final DnsMessage cut = DnsMessage.parse(wire);
                        assertThat(cut.has(MessageLayout.TC)).isTrue();
                        assertThat(cut.answer()).isEmpty();
                        assertThat(wire.length).isLessThanOrEqualTo(octets < 1232 ? 512 : 1232);
                        assertThat(cut.edns() != null).isEqualTo(octets >= 0);
                    }
                    final DnsMessage whole = client.askOverTcp(query);
                    assertThat(whole.has(MessageLayout.TC)).isFalse();
                    assertThat(texts(whole.answer())).hasSize(1);
                    assertThat(whole.answer().getFirst().rdata()).hasSize(13 * 251);
                }
            }
        }
    }

    @Test
    void unknownTypesPassUnchangedFreshAndCached() throws IOException {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server = TestServer.start(upstream)) {
            final String record = "u.example.test. 300 IN TYPE65300 \\# 4 c00c0001";
            upstream.when("u.example.test", "TYPE65300").answer(record);
            for (int i = 0; i < 2; i++) {
                final DnsMessage message =
                        TestServer.client(server).ask("u.example.test", "TYPE65300");
                assertThat(message.answer().getFirst().rdata()).containsExactly(0xc0, 0x0c, 0, 1);
            }
            assertThat(upstream.count()).isOne();
        }
    }

    @Test
    void aSlowNameHoldsUpNoOtherOnTheConnection() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server = TestServer.start(upstream)) {
            final CountDownLatch release = new CountDownLatch(1);
            upstream.when("slow.example.test", "A")
                    .reply(Reply.answer("slow.example.test. 60 IN A 192.0.2.9").after(release));
            upstream.when("fast.example.test", "A").answer("fast.example.test. 60 IN A 192.0.2.1");
            TestServer.client(server).ask("fast.example.test", "A");
            try (DnsClient.TcpConnection connection = TestServer.client(server).connect()) {
                connection.send(Query.of("slow.example.test", "A").id(1));
                for (int id = 2; id <= 20; id++) {
                    connection.send(Query.of("fast.example.test", "A").id(id));
                }
                final Set<Integer> ids = new HashSet<>();
                for (int id = 2; id <= 20; id++) {
                    ids.add(connection.receiveMessage().id());
                }
                assertThat(ids).hasSize(19).doesNotContain(1);
                release.countDown();
                assertThat(connection.receiveMessage().id()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.ananas.server.TestServer#engines")
    void whoWaitsWhenTheServerEndsIsStillAnswered(UdpEngine engine) throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            final CountDownLatch release = new CountDownLatch(1);
            upstream.when("slow.example.test", "A")
                    .reply(Reply.answer("slow.example.test. 60 IN A 192.0.2.9").after(release));
            final Server server = TestServer.start(engine, upstream);
            final DnsClient client = TestServer.client(server);
            final Thread[] threads = new Thread[2];
            final DnsMessage[] answers = new DnsMessage[2];
            threads[0] = asking(() -> answers[0] = client.ask("slow.example.test", "A"));
            threads[1] =
                    asking(() ->
                            answers[1] =
                                    client.askOverTcp(
                                            Query.of("slow.example.test", "A").checkingDisabled()));
            upstream.awaitCount(2);
            final Thread closing = Thread.ofVirtual().start(server::close);
            release.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            closing.join();
            assertThat(answers[0].answer()).hasSize(1);
            assertThat(answers[1].answer()).hasSize(1);
            try (Server next =
                    TestServer.start(
                            TestServer.configuration(upstream).withListen(server.addresses()))) {
                assertThat(next.addresses()).isEqualTo(server.addresses());
            }
        }
    }

    private interface Asking {
        void run() throws IOException;
    }

    private static Thread asking(Asking asking) {
        return Thread.ofVirtual()
                .start(() -> {
                    try {
                        asking.run();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void endingWithASilentUpstreamLeavesNobodyHanging() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            upstream.otherwise().reply(Reply.silence());
            final Server server = TestServer.start(upstream);
            final DnsClient client = TestServer.client(server);
            final DnsMessage[] answer = new DnsMessage[1];
            final Thread thread = asking(() -> answer[0] = client.ask("q.example.test", "A"));
            upstream.awaitCount(1);
            server.close();
            thread.join();
            assertThat(answer[0].responseCode()).isEqualTo(ResponseCode.SERVFAIL);
        }
    }
}
