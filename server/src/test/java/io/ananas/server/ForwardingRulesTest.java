package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.Query;
import io.ananas.testkit.ReceivedQuery;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ForwardingRulesTest {
    private static final String RECORD = "www.example.test. 300 IN A 192.0.2.1";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ScriptedUpstream first;
    private ScriptedUpstream second;

    @BeforeEach
    void start() {
        first = ScriptedUpstream.start();
        second = ScriptedUpstream.start();
        second.when("www.example.test", "A").answer(RECORD);
    }

    @AfterEach
    void stop() {
        threads.close();
        first.close();
        second.close();
    }

    private static Query www() {
        return Query.of("www.example.test", "A");
    }

    /** Whatever the first server does, the client gets the answer of the second. */
    private void secondHelpsOut(Reply reply) throws IOException {
        first.when("www.example.test", "A").reply(reply);
        try (Server server = TestServer.start(first, second)) {
            final DnsMessage response = TestServer.client(server).ask(www());
            assertThat(response.responseCode()).isEqualTo(ResponseCode.NOERROR);
            assertThat(response.answer()).hasSize(1);
        }
        assertThat(second.count()).isOne();
    }

    @Test
    void silenceIsHelpedOut() throws IOException {
        secondHelpsOut(Reply.silence());
    }

    @Test
    void serverFailureIsHelpedOut() throws IOException {
        secondHelpsOut(Reply.code(ResponseCode.SERVFAIL));
    }

    @Test
    void refusalIsHelpedOut() throws IOException {
        secondHelpsOut(Reply.code(ResponseCode.REFUSED));
    }

    @Test
    void aMalformedResponseIsHelpedOut() throws IOException {
        secondHelpsOut(Reply.answer(RECORD).changed(o -> java.util.Arrays.copyOf(o, o.length - 3)));
    }

    @Test
    void aReferralIsHelpedOut() throws IOException {
        secondHelpsOut(Reply.code(0).authority("example.test. 300 IN NS ns.example.test."));
    }

    @Test
    void signaturesWithoutDataAreHelpedOut() throws IOException {
        secondHelpsOut(
                Reply.answer(
                        "www.example.test. 300 IN RRSIG A 8 3 300 20380101000000 20260101000000 1"
                                + " example.test. AAAA"));
    }

    @Test
    void aPortWhereNothingListensIsHelpedOut() throws IOException {
        final Configuration configuration = TestServer.configuration(first, second);
        first.close();
        try (Server server = TestServer.start(configuration)) {
            assertThat(TestServer.client(server).ask(www()).answer()).hasSize(1);
        }
    }

    @Test
    void whenAllFailTheReasonIsTold() throws IOException {
        first.otherwise().reply(Reply.code(ResponseCode.SERVFAIL));
        second.otherwise().reply(Reply.code(ResponseCode.REFUSED));
        try (Server server = TestServer.start(first, second)) {
            final DnsMessage response =
                    TestServer.client(server)
                            .ask(Query.of("bad.example.test", "A").payloadSize(1232));
            assertThat(response.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
            assertThat(response.extendedErrors())
                    .containsExactly(ExtendedError.NO_REACHABLE_AUTHORITY.code());
            final String text =
                    new String(
                            TestServer.edns(response).options().getFirst().data(),
                            StandardCharsets.UTF_8);
            assertThat(text).contains(":" + first.port() + ": SERVFAIL");
            assertThat(text).contains(":" + second.port() + ": REFUSED");
        }
        assertThat(first.count()).isOne();
        assertThat(second.count()).isOne();
    }

    @Test
    void aFailureIsRememberedForAWhile() throws IOException {
        first.when("www.example.test", "A").reply(Reply.code(ResponseCode.SERVFAIL)).answer(RECORD);
        final ManualClock clock = new ManualClock();
        try (Server server = Server.start(TestServer.configuration(first), clock)) {
            final DnsClient client = TestServer.client(server);
            for (int i = 0; i < 50; i++) {
                assertThat(client.ask(www()).responseCode()).isEqualTo(ResponseCode.SERVFAIL);
            }
            assertThat(client.ask(www().payloadSize(1232)).extendedErrors())
                    .containsExactly(
                            ExtendedError.NO_REACHABLE_AUTHORITY.code(),
                            ExtendedError.CACHED_ERROR.code());
            assertThat(first.count()).isOne();
            clock.advance(Duration.ofSeconds(2));
            assertThat(client.ask(www()).answer()).hasSize(1);
        }
    }

    @Test
    void aServerThatKnowsNoEdnsIsAskedWithout() throws IOException {
        first.when(ReceivedQuery::hasEdns).reply(Reply.code(ResponseCode.FORMERR).noEdns());
        first.when(q -> !q.hasEdns()).answer(RECORD);
        try (Server server = TestServer.start(first)) {
            assertThat(TestServer.client(server).ask(www()).answer()).hasSize(1);
        }
    }

    @Test
    void equalQuestionsInFlightShareOne() throws Exception {
        final CountDownLatch release = new CountDownLatch(1);
        first.when("www.example.test", "A").reply(Reply.answer(RECORD).after(release));
        try (Server server = TestServer.start(first)) {
            final DnsClient client = TestServer.client(server);
            final List<Future<DnsMessage>> asked = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                final String name = i % 2 == 0 ? "www.example.test" : "WWW.Example.TEST";
                final Query query =
                        i % 3 == 0 ? Query.of(name, "A").dnssecOk() : Query.of(name, "A");
                final boolean tcp = i % 5 == 0;
                asked.add(threads.submit(() -> tcp ? client.askOverTcp(query) : client.ask(query)));
            }
            Awaitility.await().until(() -> server.forwarder().waiting() == 50);
            release.countDown();
            for (Future<DnsMessage> answer : asked) {
                assertThat(answer.get().answer()).hasSize(1);
            }
            assertThat(first.count()).isOne();
            assertThat(server.forwarder().shared()).isEqualTo(49);
            assertThat(server.forwarder().waiting()).isZero();
        }
    }

    @Test
    void whatIsTooMuchInFlightIsRefusedAtOnce() throws Exception {
        final CountDownLatch release = new CountDownLatch(1);
        first.otherwise().reply(Reply.answer(RECORD).after(release));
        final Configuration configuration =
                TestServer.configuration(first)
                        .withResolving(new Configuration.Resolving(TestServer.TIMEOUT, 2));
        try (Server server = TestServer.start(configuration)) {
            final DnsClient client = TestServer.client(server);
            final Future<DnsMessage> one = threads.submit(() -> client.ask(www()));
            final Future<DnsMessage> two = threads.submit(() -> client.ask(www()));
            Awaitility.await().until(() -> server.forwarder().waiting() == 2);
            assertThat(client.ask("other.example.test", "A").responseCode())
                    .isEqualTo(ResponseCode.SERVFAIL);
            assertThat(client.askOverTcp(www()).responseCode()).isEqualTo(ResponseCode.SERVFAIL);
            release.countDown();
            assertThat(one.get().answer()).hasSize(1);
            assertThat(two.get().answer()).hasSize(1);
            assertThat(server.counters().sum(c -> c.overloaded)).isEqualTo(2);
        }
    }

    @Test
    void upstreamIsAskedWithDoAndOneAnswerServesAll() throws IOException {
        final String signature =
                "www.example.test. 300 IN RRSIG A 8 3 300 20380101000000 20260101000000 1"
                        + " example.test. AAAA";
        first.when("www.example.test", "A").answer(RECORD, signature);
        try (Server server = TestServer.start(first)) {
            final DnsClient client = TestServer.client(server);
            for (int i = 0; i < 2; i++) {
                assertThat(client.ask(www()).answer()).hasSize(1);
                assertThat(client.ask(www().dnssecOk()).answer()).hasSize(2);
            }
        }
        assertThat(first.count()).isOne();
        final ReceivedQuery query = first.queries().getFirst();
        assertThat(query.dnssecOk()).isTrue();
        assertThat(query.payloadSize()).isEqualTo(1232);
        assertThat(query.message().has(MessageLayout.RD)).isTrue();
        assertThat(query.message().has(MessageLayout.CD)).isFalse();
    }

    @Test
    void uncheckedAnswersAreKeptApart() throws IOException {
        first.when(q -> q.message().has(MessageLayout.CD)).answer(RECORD);
        first.when(q -> !q.message().has(MessageLayout.CD))
                .reply(Reply.code(ResponseCode.SERVFAIL));
        try (Server server = TestServer.start(first)) {
            final DnsClient client = TestServer.client(server);
            for (int i = 0; i < 2; i++) {
                assertThat(client.ask(www().checkingDisabled()).answer()).hasSize(1);
                assertThat(client.ask(www()).responseCode()).isEqualTo(ResponseCode.SERVFAIL);
            }
        }
    }

    @Test
    void optionsStayOnTheirOwnHop() throws IOException {
        final EdnsOption cookie = EdnsOption.of(EdnsOption.COOKIE, new byte[24]);
        first.when("www.example.test", "A").reply(Reply.answer(RECORD).option(cookie));
        first.when("zero.example.test", "A")
                .reply(Reply.answer("zero.example.test. 0 IN A 192.0.2.1").option(cookie));
        try (Server server = TestServer.start(first)) {
            final DnsClient client = TestServer.client(server);
            final EdnsOption own = EdnsOption.of(EdnsOption.COOKIE, new byte[8]);
            for (String name : new String[] {"www.example.test", "zero.example.test"}) {
                for (int i = 0; i < 2; i++) {
                    final DnsMessage response = client.ask(Query.of(name, "A").option(own));
                    assertThat(TestServer.edns(response).options()).isEmpty();
                }
            }
        }
        for (ReceivedQuery query : first.queries()) {
            assertThat(TestServer.edns(query.message()).options()).isEmpty();
        }
    }

    @Test
    void aTtlOfZeroIsForThisTransactionOnly() throws IOException {
        first.when("zero.example.test", "A")
                .answer("zero.example.test. 0 IN A 192.0.2.1")
                .answer("zero.example.test. 0 IN A 192.0.2.2");
        try (Server server = TestServer.start(first)) {
            final DnsClient client = TestServer.client(server);
            for (int i = 1; i <= 2; i++) {
                final DnsMessage response = client.ask("zero.example.test", "A");
                assertThat(response.answer().getFirst().rdataText()).isEqualTo("192.0.2." + i);
                assertThat(response.answer().getFirst().ttl()).isZero();
            }
        }
        assertThat(first.count()).isEqualTo(2);
    }

    @Test
    void whatValidationSaidUpstreamIsNotRepeated() throws IOException {
        first.when("www.example.test", "A")
                .reply(Reply.answer(RECORD).flags(MessageLayout.RA | MessageLayout.AD));
        try (Server server = TestServer.start(first)) {
            for (int i = 0; i < 2; i++) {
                assertThat(TestServer.client(server).ask(www().dnssecOk()).has(MessageLayout.AD))
                        .isFalse();
            }
        }
    }
}
