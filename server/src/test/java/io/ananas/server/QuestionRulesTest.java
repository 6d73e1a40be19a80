package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.EdnsOption;
import io.ananas.message.MessageLayout;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QuestionRulesTest {
    private static final Duration SILENCE = Duration.ofMillis(200);

    private ScriptedUpstream upstream;
    private Server server;
    private DnsClient client;

    @BeforeEach
    void start() throws IOException {
        upstream = ScriptedUpstream.start();
        server = TestServer.start(upstream);
        client = TestServer.client(server);
        upstream.when("www.example.test", "A").answer("www.example.test. 300 IN A 192.0.2.1");
    }

    @AfterEach
    void stop() {
        server.close();
        upstream.close();
    }

    private static Query www() {
        return Query.of("www.example.test", "A");
    }

    private static byte[] with(byte[] message, int at, int... octets) {
        final byte[] changed = message.clone();
        for (int i = 0; i < octets.length; i++) {
            changed[at + i] = (byte) octets[i];
        }
        return changed;
    }

    private static int code(byte[] response) {
        return response[3] & 0x0f;
    }

    @Test
    void otherThanOneQuestionIsAFormatError() throws IOException {
        for (int count : new int[] {0, 2, 65_535}) {
            final byte[] query =
                    with(www().toWire(), MessageLayout.QDCOUNT, count >> 8, count & 0xff);
            final byte[] response = client.udp(query);
            assertThat(code(response)).isEqualTo(ResponseCode.FORMERR);
            assertThat(response).hasSize(MessageLayout.HEADER_LENGTH);
            assertThat(Arrays.copyOf(response, 2)).isEqualTo(Arrays.copyOf(query, 2));
        }
        assertThat(upstream.count()).isZero();
    }

    @Test
    void malformedIsAFormatErrorAndLessThanAHeaderIsSilence() throws IOException {
        final byte[] query = www().toWire();
        assertThat(code(client.udp(Arrays.copyOf(query, query.length - 1))))
                .isEqualTo(ResponseCode.FORMERR);
        assertThat(client.tryUdp(Arrays.copyOf(query, 11), SILENCE)).isEmpty();
        assertThat(client.tryUdp(new byte[0], SILENCE)).isEmpty();
    }

    @Test
    void otherOpcodesAreNotImplemented() throws IOException {
        for (int opcode = 1; opcode < 16; opcode++) {
            final byte[] response = client.udp(with(www().toWire(), 2, opcode << 3 | 1));
            assertThat(code(response)).isEqualTo(ResponseCode.NOTIMP);
            assertThat(response[2] >> 3 & 0x0f).isEqualTo(opcode);
        }
    }

    @Test
    void responsesAreDropped() throws IOException {
        assertThat(client.tryUdp(with(www().toWire(), 2, 0x81), SILENCE)).isEmpty();
        assertThat(server.counters().sum(c -> c.dropped)).isOne();
    }

    @Test
    void aLaterEdnsVersionIsBadVersionWhetherCachedOrNot() throws IOException {
        for (int i = 0; i < 2; i++) {
            for (int version : new int[] {1, 100}) {
                final DnsMessage response =
                        client.ask(
                                www().ednsVersion(version)
                                        .option(EdnsOption.of(65_001, new byte[3])));
                assertThat(response.responseCode()).isEqualTo(ResponseCode.BADVERS);
                assertThat(TestServer.edns(response).version()).isZero();
                assertThat(response.question()).hasToString("www.example.test. IN A");
                assertThat(response.answer()).isEmpty();
            }
            final DnsMessage unknownOption =
                    client.ask(www().option(EdnsOption.of(65_001, new byte[3])));
            assertThat(unknownOption.answer()).hasSize(1);
            assertThat(TestServer.edns(unknownOption).options()).isEmpty();
        }
        assertThat(upstream.count()).isOne();
    }

    @Test
    void twoOptRecordsOrAMalformedOptionAreFormatErrors() throws IOException {
        final byte[] once = www().payloadSize(1232).toWire();
        final byte[] twice = Arrays.copyOf(once, once.length + 11);
        System.arraycopy(once, once.length - 11, twice, once.length, 11);
        assertThat(code(client.udp(with(twice, MessageLayout.ARCOUNT, 0, 2))))
                .isEqualTo(ResponseCode.FORMERR);
        final EdnsOption badSubnet =
                EdnsOption.of(EdnsOption.CLIENT_SUBNET, new byte[] {0, 1, 24, 0, 1, 2, 3, 4});
        assertThat(client.ask(www().option(badSubnet)).responseCode())
                .isEqualTo(ResponseCode.FORMERR);
        final EdnsOption badCookie = EdnsOption.of(EdnsOption.COOKIE, new byte[7]);
        assertThat(client.ask(www().option(badCookie)).responseCode())
                .isEqualTo(ResponseCode.FORMERR);
    }

    @Test
    void anyIsAnsweredByOneRecordHotAndCold() throws IOException {
        for (int i = 0; i < 2; i++) {
            for (DnsMessage any :
                    new DnsMessage[] {
                        client.ask("www.example.test", "ANY"),
                        client.askOverTcp(Query.of("www.example.test", "ANY"))
                    }) {
                assertThat(any.responseCode()).isEqualTo(ResponseCode.NOERROR);
                assertThat(any.answer()).hasSize(1);
                assertThat(any.answer().getFirst().type()).isEqualTo(RecordType.HINFO);
                assertThat(any.answer().getFirst().rdataText()).contains("RFC8482");
            }
            client.ask(www());
        }
        assertThat(upstream.count()).isOne();
    }

    @Test
    void classChaosTellsWhoWeAreAndOtherClassesAreRefused() throws IOException {
        final DnsMessage version =
                client.ask(Query.of("VERSION.bind", "TXT").questionClass(RecordClass.CH));
        assertThat(version.answer()).hasSize(1);
        assertThat(version.answer().getFirst().rdataText()).isEqualTo("Ananas");
        assertThat(version.answer().getFirst().recordClass()).isEqualTo(RecordClass.CH);
        for (Query query :
                new Query[] {
                    Query.of("id.server", "TXT").questionClass(RecordClass.CH),
                    Query.of("version.bind", "A").questionClass(RecordClass.CH),
                    Query.of("authors.bind", "TXT").questionClass(RecordClass.CH),
                    www().questionClass(RecordClass.HS),
                    www().questionClass(RecordClass.ANY),
                    www().questionClass(65_280)
                }) {
            assertThat(client.ask(query).responseCode()).isEqualTo(ResponseCode.REFUSED);
        }
        assertThat(upstream.count()).isZero();
    }

    @Test
    void typesThatAreNoDataAreNotForwarded() throws IOException {
        assertThat(client.ask("example.test", "AXFR").responseCode())
                .isEqualTo(ResponseCode.REFUSED);
        assertThat(client.ask("example.test", "MAILB").responseCode())
                .isEqualTo(ResponseCode.NOTIMP);
        assertThat(client.ask("example.test", "TSIG").responseCode())
                .isEqualTo(ResponseCode.NOTIMP);
        assertThat(client.ask("example.test", "OPT").responseCode())
                .isEqualTo(ResponseCode.FORMERR);
        assertThat(upstream.count()).isZero();
    }

    @Test
    void withoutRecursionDesiredOnlyTheCacheAnswers() throws IOException {
        assertThat(client.ask(www().noRecursion()).responseCode()).isEqualTo(ResponseCode.REFUSED);
        client.ask(www());
        assertThat(client.ask(www().noRecursion()).answer()).hasSize(1);
        assertThat(upstream.count()).isOne();
    }
}
