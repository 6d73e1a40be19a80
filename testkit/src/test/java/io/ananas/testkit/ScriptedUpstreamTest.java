package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.ExtendedError;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import java.io.EOFException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptedUpstreamTest {
    private static final String WWW = "www.example.test. 300 IN A 192.0.2.1";
    private static final Duration SILENCE = Duration.ofMillis(200);

    private final ScriptedUpstream upstream = ScriptedUpstream.start();
    private final DnsClient client = new DnsClient(upstream.address());

    @AfterEach
    void stop() {
        upstream.close();
    }

    @Test
    void saysWhatIsScriptedAndRemembersWhoAsked() throws Exception {
        upstream.when("www.example.test", "A").answer(WWW);
        final Query query = Query.of("WWW.Example.test", "A").dnssecOk();
        final DnsMessage response = client.ask(query);
        assertThat(response.answer()).isEqualTo(ResourceRecord.parse(WWW));
        assertThat(response.has(MessageLayout.QR | MessageLayout.RD | MessageLayout.RA)).isTrue();
        assertThat(response.question()).hasToString("WWW.Example.test. IN A");
        assertThat(response.edns()).isNotNull();
        assertThat(client.askOverTcp(query).answer()).hasSize(1);
        assertThat(client.ask("www.example.test", "A").edns()).isNull();

        assertThat(upstream.count()).isEqualTo(3);
        assertThat(upstream.count("www.EXAMPLE.test", "A")).isEqualTo(3);
        assertThat(upstream.count("www.example.test", "AAAA")).isZero();
        assertThat(upstream.queries())
                .extracting(ReceivedQuery::overTcp)
                .containsExactly(false, true, false);
        final ReceivedQuery first = upstream.queries().getFirst();
        assertThat(first.octets()).isEqualTo(query.toWire());
        assertThat(first.dnssecOk()).isTrue();
        assertThat(first.payloadSize()).isEqualTo(1232);
        assertThat(first.name()).hasToString("WWW.Example.test.");
        assertThat(first.message().id()).isEqualTo(query.id());
        assertThat(first.client().getAddress().isLoopbackAddress()).isTrue();
        assertThat(upstream.connectionsAccepted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "127.0.0.2"})
    void otherLoopbackAddresses(String address) throws Exception {
        try (ScriptedUpstream other = ScriptedUpstream.start(address, 0)) {
            other.otherwise().reply(Reply.code(ResponseCode.NXDOMAIN));
            final DnsClient there = new DnsClient(other.address());
            assertThat(there.ask("a", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
            assertThat(there.askOverTcp(Query.of("a", "A")).responseCode()).isEqualTo(3);
        }
    }

    @Test
    void onlyLoopback() {
        assertThatThrownBy(() -> ScriptedUpstream.start("0.0.0.0", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("loopback only");
    }

    @Test
    void aSequenceOfReplies() throws Exception {
        upstream.when("a.test", "A")
                .answer("a.test. 1 IN A 192.0.2.1")
                .reply(Reply.code(ResponseCode.SERVFAIL).reason(ExtendedError.NOT_READY, "soon"))
                .answer("a.test. 1 IN A 192.0.2.2");
        final Query query = Query.of("a.test", "A").payloadSize(1232);
        assertThat(client.ask(query).answer().getFirst().rdataText()).isEqualTo("192.0.2.1");
        final DnsMessage failure = client.ask(query);
        assertThat(failure.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
        assertThat(failure.extendedErrors()).containsExactly(14);
        for (int i = 0; i < 2; i++) {
            assertThat(client.ask(query).answer().getFirst().rdataText()).isEqualTo("192.0.2.2");
        }
    }

    @Test
    void theLastScriptThatFitsCounts() throws Exception {
        upstream.otherwise().reply(Reply.code(ResponseCode.NXDOMAIN));
        upstream.whenWithin("test").answer("a.test. 1 IN A 192.0.2.1");
        upstream.when("a.test").answer("a.test. 1 IN A 192.0.2.2");
        assertThat(client.ask("x.test", "A").answer().getFirst().rdataText())
                .isEqualTo("192.0.2.1");
        assertThat(client.ask("a.test", "MX").answer().getFirst().rdataText())
                .isEqualTo("192.0.2.2");
        assertThat(client.ask("b.invalid", "A").responseCode()).isEqualTo(3);
        upstream.forgetScripts();
        assertThat(client.ask("x.test", "A").responseCode()).isEqualTo(ResponseCode.REFUSED);
    }

    @Test
    void whatIsNotScriptedIsRefused() throws Exception {
        assertThat(client.ask("a.test", "A").responseCode()).isEqualTo(ResponseCode.REFUSED);
        assertThat(upstream.unscripted()).hasSize(1);
    }

    @Test
    void negativeAnswersAndSections() throws Exception {
        final String soa = "test. 60 IN SOA ns.test. h.test. 1 2 3 4 5";
        upstream.when("nx.test").reply(Reply.nameError(soa));
        upstream.when("empty.test").reply(Reply.noData(soa).authoritative());
        upstream.when("ns.test")
                .reply(
                        ReplyMessage.empty()
                                .authority("test. 1 IN NS ns.test.")
                                .additional("ns.test. 1 IN A 192.0.2.53")
                                .ttl(4294967295L));
        assertThat(client.ask("nx.test", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        final DnsMessage empty = client.ask("empty.test", "A");
        assertThat(empty.authority()).isEqualTo(ResourceRecord.parse(soa));
        assertThat(empty.has(MessageLayout.AA)).isTrue();
        assertThat(empty.has(MessageLayout.RA)).isFalse();
        final DnsMessage referral = client.ask("ns.test", "A");
        assertThat(referral.authority().getFirst().ttl()).isEqualTo(4294967295L);
        assertThat(referral.additional()).hasSize(1);
    }

    @Test
    void truncation() throws Exception {
        upstream.when("tc.test").reply(Reply.answer("tc.test. 1 IN A 192.0.2.1").truncated());
        upstream.when("big.test")
                .answer(
                        "big.test. 1 IN TXT "
                                + "\""
                                + "x".repeat(255)
                                + "\" ".repeat(1)
                                + ("\"" + "y".repeat(255) + "\" ").repeat(4));
        final DnsMessage cut = client.ask("tc.test", "A");
        assertThat(cut.has(MessageLayout.TC)).isTrue();
        assertThat(cut.answer()).isEmpty();
        assertThat(client.askOverTcp(Query.of("tc.test", "A")).answer()).hasSize(1);
        assertThat(client.ask("big.test", "TXT").has(MessageLayout.TC)).isTrue();
        final Query wide = Query.of("big.test", "TXT").payloadSize(4096);
        assertThat(client.ask(wide).has(MessageLayout.TC)).isFalse();
    }

    @Test
    void anUpstreamWithoutEdns() throws Exception {
        upstream.otherwise().reply(Reply.code(ResponseCode.FORMERR).noEdns());
        final DnsMessage response = client.ask(Query.of("a", "A").payloadSize(1232));
        assertThat(response.edns()).isNull();
        assertThat(response.responseCode()).isEqualTo(ResponseCode.FORMERR);
    }

    @Test
    void silenceAndClose() throws Exception {
        upstream.when("silent.test").reply(Reply.silence());
        upstream.when("closed.test").reply(Reply.close());
        final byte[] query = Query.of("silent.test", "A").toWire();
        assertThat(client.tryUdp(query, SILENCE)).isEmpty();
        assertThatThrownBy(() -> client.tcp(Query.of("closed.test", "A").toWire()))
                .isInstanceOf(EOFException.class);
        assertThat(upstream.count()).isEqualTo(2);
    }

    @Test
    void rawOctets() throws Exception {
        final byte[] query = Query.of("raw.test", "A").id(0x0102).toWire();
        upstream.when("raw.test")
                .reply(Reply.raw(new byte[] {9, 9, 9}), Reply.exactly(new byte[] {9, 9, 9}));
        assertThat(client.udp(query)).containsExactly(1, 2, 9);
        assertThat(client.udp(query)).containsExactly(9, 9, 9);
        upstream.when("raw.test")
                .reply(Reply.answer(WWW).changed(octets -> Arrays.copyOf(octets, 5)));
        assertThat(client.udp(query)).hasSize(5);
        final DnsMessage message = AnswerGenerator.answer(1);
        upstream.when("raw.test").reply(Reply.of(message));
        assertThat(CanonicalMessage.diff(message, DnsMessage.parse(client.tcp(query)))).isEmpty();
    }

    @Test
    void repliesThatAreHeldBackHoldBackNoOthers() throws Exception {
        final CountDownLatch gate = new CountDownLatch(1);
        upstream.when("slow.test").reply(Reply.answer("slow.test. 1 IN A 192.0.2.1").after(gate));
        upstream.when("fast.test")
                .reply(Reply.answer("fast.test. 1 IN A 192.0.2.2").delayed(Duration.ofMillis(1)));
        try (DnsClient.TcpConnection connection = client.connect()) {
            connection.send(Query.of("slow.test", "A").id(1));
            upstream.awaitCount(1);
            connection.send(Query.of("fast.test", "A").id(2));
            assertThat(connection.receiveMessage().id()).isEqualTo(2);
            assertThat(client.ask("fast.test", "A").answer()).hasSize(1);
            gate.countDown();
            assertThat(connection.receiveMessage().id()).isEqualTo(1);
        }
    }

    @Test
    void unsoundQueriesAreKeptToo() throws Exception {
        upstream.otherwise().reply(Reply.code(ResponseCode.FORMERR));
        client.sendUdp(new byte[] {1, 2, 3});
        upstream.awaitCount(1);
        assertThat(upstream.queries().getFirst().fault()).isEqualTo(Fault.HEADER);
        assertThat(upstream.queries().getFirst().name()).isEqualTo(Name.ROOT);
        upstream.forgetScripts();
        upstream.otherwise().reply(Reply.silence());
        client.sendUdp(new byte[] {1, 2, 3});
        upstream.awaitCount(2);
    }

    @Test
    void aScriptThatFailsIsToldAtTheEnd() throws Exception {
        final ScriptedUpstream failing = ScriptedUpstream.start();
        failing.otherwise()
                .reply(query -> {
                    throw new IllegalStateException("as it were");
                });
        new DnsClient(failing.address()).tryUdp(Query.of("a", "A").toWire(), SILENCE);
        assertThatThrownBy(failing::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("as it were");
    }

    @Test
    void streamsOfTheClient() throws Exception {
        upstream.otherwise().reply(Reply.code(ResponseCode.NXDOMAIN));
        try (DnsClient.TcpConnection connection = client.connect()) {
            final byte[] query = Query.of("a.test", "A").id(5).toWire();
            connection.sendRaw(new byte[] {0});
            connection.sendRaw(new byte[] {(byte) query.length});
            connection.sendRaw(query);
            assertThat(connection.receiveMessage().id()).isEqualTo(5);
            connection.shutdownOutput();
            connection.awaitClose();
        }
    }
}
