package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageLayout;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.PeerProcess;
import io.ananas.testkit.Query;
import io.ananas.testkit.ResourceRecord;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Forwarding to real servers: whatever they answer, the second query needs them no more. */
@Timeout(120)
class ForwardIT {
    private static final String ZONE =
            """
            $ORIGIN example.test.
            $TTL 300
            @ SOA ns hostmaster 1 3600 600 86400 60
            @ NS ns
            ns A 127.0.0.1
            www A 192.0.2.1
            www A 192.0.2.2
            www AAAA 2001:db8::1
            @ MX 10 mail
            mail A 192.0.2.3
            t TXT "hello" "world"
            a CNAME b
            b CNAME c
            c CNAME www
            big TXT %s
            """
                    .formatted(("\"" + "x".repeat(250) + "\" ").repeat(12));

    private static List<String> sorted(List<ResourceRecord> records) {
        return records.stream().map(r -> r.withTtl(0).toString()).sorted().toList();
    }

    private static void sameTwiceAndThenAlone(PeerProcess peer) throws IOException {
        final DnsClient direct = new DnsClient(peer.address());
        try (Server server = TestServer.start(TestServer.configuration(List.of(peer.address())))) {
            final DnsClient client = TestServer.client(server);
            final List<Query> queries =
                    List.of(
                            Query.of("www.example.test", "A"),
                            Query.of("www.example.test", "AAAA"),
                            Query.of("t.example.test", "TXT"),
                            Query.of("example.test", "MX"),
                            Query.of("a.example.test", "A"),
                            Query.of("nx.example.test", "A"),
                            Query.of("www.example.test", "SRV"));
            final Query big = Query.of("big.example.test", "TXT").payloadSize(4096);
            for (Query query : queries) {
                final DnsMessage expected = direct.ask(query);
                final DnsMessage got = client.ask(query);
                assertThat(got.responseCode()).isEqualTo(expected.responseCode());
                assertThat(sorted(got.answer())).isEqualTo(sorted(expected.answer()));
            }
            assertThat(client.ask(big).has(MessageLayout.TC)).isTrue();
            peer.kill();
            for (Query query : queries) {
                assertThat(client.ask(query).responseCode())
                        .isIn(ResponseCode.NOERROR, ResponseCode.NXDOMAIN);
            }
            assertThat(client.ask(Query.of("a.example.test", "A")).answer()).hasSize(5);
            final DnsMessage whole = client.askOverTcp(big);
            assertThat(whole.answer()).hasSize(1);
            assertThat(whole.answer().getFirst().rdata()).hasSize(12 * 251);
        }
    }

    @Test
    void knot() throws IOException {
        try (PeerProcess peer = PeerProcess.knot().zone("example.test", ZONE).start()) {
            sameTwiceAndThenAlone(peer);
        }
    }

    @Test
    void unbound() throws IOException {
        try (PeerProcess peer = PeerProcess.unbound().zone("example.test", ZONE).start()) {
            sameTwiceAndThenAlone(peer);
        }
    }
}
