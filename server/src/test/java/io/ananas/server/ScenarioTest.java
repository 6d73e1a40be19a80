package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.ReceivedQuery;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ReplyMessage;
import io.ananas.testkit.ResourceRecord;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Scenarios as other projects script them: what each server of the world answers, questions, time
 * that passes, and the whole message that must come. The servers have loopback addresses, and the
 * configuration has only keys that such suites need.
 */
@Timeout(60)
class ScenarioTest {
    private static final String ROOT = "127.61.0.1";
    private static final String COM = "127.61.0.2";
    private static final String EXAMPLE = "127.61.0.3";
    private static final String SECOND = "127.61.0.4";
    private static final String OTHER = "127.61.0.5";
    private static final String SOA = "example.com. 3600 IN SOA ns.example.com. h. 1 2 3 4 60";

    private final ScriptedUpstream root = ScriptedUpstream.start(ROOT, 0);
    private final ScriptedUpstream com = ScriptedUpstream.start(COM, root.port());
    private final ScriptedUpstream example = ScriptedUpstream.start(EXAMPLE, root.port());
    private final ScriptedUpstream second = ScriptedUpstream.start(SECOND, root.port());
    private final ScriptedUpstream other = ScriptedUpstream.start(OTHER, root.port());
    private final Server server = start();
    private final DnsClient client = TestServer.client(server);

    private Server start() {
        final String yaml =
                """
                admin: {listen: "127.0.0.1:0"}
                cache: {prefetch: {enabled: false}}
                resolver:
                  root-hints: [k.root-servers.net %s@%d]
                  trust-anchors: ["unused.example. DS 1 8 2 00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"]
                  qname-minimisation: off
                  case-randomisation: false
                  ipv6: false
                  answer: full
                  port: %d
                """
                        .formatted(ROOT, root.port(), root.port());
        try {
            return Server.start(TreeServer.configuration(yaml), new TestClock());
        } catch (IOException | ConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void world() throws Exception {
        root.when(".", "NS")
                .reply(
                        Reply.answer(". 518400 IN NS k.root-servers.net.")
                                .additional("k.root-servers.net. 518400 IN A " + ROOT)
                                .authoritative());
        for (String tld : List.of("com", "net")) {
            root.whenWithin(tld).reply(referral(tld, "a.gtld-servers." + tld, COM));
        }
        com.whenWithin("example.com")
                .reply(
                        ReplyMessage.empty()
                                .flags(0)
                                .authority(
                                        "example.com. 3600 IN NS ns.example.com.",
                                        "example.com. 3600 IN NS ns2.example.com.")
                                .additional(
                                        "ns.example.com. 3600 IN A " + EXAMPLE,
                                        "ns2.example.com. 3600 IN A " + SECOND));
        com.whenWithin("other.net").reply(referral("other.net", "ns.other.net", OTHER));
        post("/test/clock/set?epoch=1800000000");
    }

    @AfterEach
    void close() {
        server.close();
        for (ScriptedUpstream each : List.of(root, com, example, second, other)) {
            each.close();
        }
    }

    private static Reply referral(String zone, String server, String address) {
        return ReplyMessage.empty()
                .flags(0)
                .authority("%s. 3600 IN NS %s.".formatted(zone, server))
                .additional("%s. 3600 IN A %s".formatted(server, address));
    }

    private void post(String path) throws Exception {
        final var admin = Objects.requireNonNull(server.adminAddress());
        final URI uri = URI.create("http://127.0.0.1:%d%s".formatted(admin.getPort(), path));
        try (HttpClient http = HttpClient.newHttpClient()) {
            final HttpRequest request =
                    HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()).build();
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    private void both(String name, String type, Reply reply) {
        example.when(name, type).reply(reply);
        second.when(name, type).reply(reply);
    }

    private DnsMessage ask(String name, String type) throws IOException {
        return client.ask(Query.of(name, type));
    }

    private static List<String> texts(List<ResourceRecord> records) {
        return records.stream()
                .filter(record -> record.type() != RecordType.OPT)
                .map(ResourceRecord::toString)
                .toList();
    }

    private int asked(String name) {
        final Name wanted = Name.of(name);
        return (int)
                List.of(root, com, example, second, other).stream()
                        .flatMap(each -> each.queries().stream())
                        .map(ReceivedQuery::name)
                        .filter(wanted::equals)
                        .count();
    }

    @Test
    void iterationGivesTheWholeAnswerOfTheServer() throws Exception {
        both(
                "www.example.com",
                "A",
                Reply.answer("www.example.com. 3600 IN A 10.20.30.40")
                        .authority("example.com. 3600 IN NS ns.example.com.")
                        .additional("ns.example.com. 3600 IN A " + EXAMPLE)
                        .authoritative());
        final DnsMessage answer = ask("www.example.com", "A");
        assertThat(texts(answer.answer()))
                .containsExactly("www.example.com. 3600 IN A 10.20.30.40");
        assertThat(texts(answer.authority()))
                .containsExactly("example.com. 3600 IN NS ns.example.com.");
        assertThat(texts(answer.additional()))
                .containsExactly("ns.example.com. 3600 IN A " + EXAMPLE);
        assertThat(asked("www.example.com")).as("root, com, example.com").isEqualTo(3);
    }

    @Test
    void ttlsFollowTheTestClockToTheirEnd() throws Exception {
        both("www.example.com", "A", Reply.answer("www.example.com. 100 IN A 10.0.0.1"));
        ask("www.example.com", "A");
        post("/test/clock/advance?seconds=40");
        assertThat(texts(ask("www.example.com", "A").answer()))
                .containsExactly("www.example.com. 60 IN A 10.0.0.1");
        assertThat(asked("www.example.com")).isEqualTo(3);
        post("/test/clock/advance?seconds=60");
        assertThat(texts(ask("www.example.com", "A").answer()))
                .containsExactly("www.example.com. 100 IN A 10.0.0.1");
        assertThat(asked("www.example.com")).as("one server of example.com more").isEqualTo(4);
    }

    @Test
    void denialsLiveAsLongAsTheSoaSays() throws Exception {
        both("no.example.com", "A", Reply.nameError(SOA).authoritative());
        final DnsMessage denial = ask("no.example.com", "A");
        assertThat(denial.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(denial.authority()).hasSize(1);
        post("/test/clock/advance?seconds=59");
        assertThat(ask("no.example.com", "AAAA").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(asked("no.example.com")).as("no such name, whatever the type").isEqualTo(3);
        post("/test/clock/advance?seconds=1");
        ask("no.example.com", "A");
        assertThat(asked("no.example.com")).isEqualTo(4);
    }

    @Test
    void anAliasLeadsToAnotherZone() throws Exception {
        both(
                "www.example.com",
                "A",
                Reply.answer("www.example.com. 300 IN CNAME www.other.net.").authoritative());
        other.when("www.other.net", "A")
                .reply(Reply.answer("www.other.net. 200 IN A 10.0.0.9").authoritative());
        assertThat(texts(ask("www.example.com", "A").answer()))
                .containsExactly(
                        "www.example.com. 300 IN CNAME www.other.net.",
                        "www.other.net. 200 IN A 10.0.0.9");
    }

    @Test
    void whatAServerSaysOfOtherZonesIsNotBelieved() throws Exception {
        both(
                "www.example.com",
                "A",
                Reply.answer(
                                "www.example.com. 300 IN CNAME www.other.net.",
                                "www.other.net. 300 IN A 10.66.66.66")
                        .authority("other.net. 300 IN NS ns.example.com.")
                        .additional("ns.other.net. 300 IN A " + EXAMPLE)
                        .authoritative());
        other.when("www.other.net", "A")
                .reply(Reply.answer("www.other.net. 200 IN A 10.0.0.9").authoritative());
        assertThat(texts(ask("www.example.com", "A").answer()))
                .containsExactly(
                        "www.example.com. 300 IN CNAME www.other.net.",
                        "www.other.net. 200 IN A 10.0.0.9");
    }

    @Test
    void whereOneServerFailsTheOtherIsAsked() throws Exception {
        example.whenWithin("example.com").reply(Reply.code(ResponseCode.SERVFAIL));
        second.when("www.example.com", "A")
                .reply(Reply.answer("www.example.com. 300 IN A 10.0.0.2").authoritative());
        assertThat(texts(ask("www.example.com", "A").answer()))
                .containsExactly("www.example.com. 300 IN A 10.0.0.2");
    }

    @Test
    void aLameDelegationIsServfail() throws Exception {
        both("www.example.com", "A", Reply.code(ResponseCode.REFUSED));
        assertThat(ask("www.example.com", "A").responseCode()).isEqualTo(ResponseCode.SERVFAIL);
    }

    @Test
    void aDnameRewritesWhatIsBelow() throws Exception {
        both(
                "a.old.example.com",
                "A",
                Reply.answer(
                                "old.example.com. 300 IN DNAME other.net.",
                                "a.old.example.com. 300 IN CNAME a.other.net.")
                        .authoritative());
        other.when("a.other.net", "A")
                .reply(Reply.answer("a.other.net. 200 IN A 10.0.0.3").authoritative());
        other.when("b.other.net", "A")
                .reply(Reply.answer("b.other.net. 200 IN A 10.0.0.4").authoritative());
        ask("a.old.example.com", "A");
        assertThat(texts(ask("b.old.example.com", "A").answer()))
                .containsExactly(
                        "old.example.com. 300 IN DNAME other.net.",
                        "b.old.example.com. 300 IN CNAME b.other.net.",
                        "b.other.net. 200 IN A 10.0.0.4");
        assertThat(asked("b.old.example.com")).as("made from the known DNAME").isZero();
    }
}
