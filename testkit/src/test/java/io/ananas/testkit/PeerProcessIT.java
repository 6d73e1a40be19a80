package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ananas.message.MessageLayout;
import io.ananas.message.ResponseCode;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class PeerProcessIT {
    private static final String ZONE =
            """
            $ORIGIN example.test.
            @    3600 IN SOA ns h 1 7200 900 1209600 60
            @    3600 IN NS ns
            ns   3600 IN A 127.0.0.1
            www  300  IN A 192.0.2.1
            big  300  IN TXT ( "%1$s" "%1$s" "%1$s" "%1$s" "%1$s" "%1$s" )
            """
                    .formatted("x".repeat(250));

    private static void assertServesTheZone(PeerProcess peer) throws Exception {
        final DnsClient client = new DnsClient(peer.address());
        final DnsMessage found = client.ask("www.example.test", "A");
        assertThat(found.answer())
                .isEqualTo(ResourceRecord.parse("www.example.test. 300 A 192.0.2.1"));
        assertThat(client.ask("nx.example.test", "A").responseCode())
                .isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(client.ask("big.example.test", "TXT").has(MessageLayout.TC)).isTrue();
        assertThat(client.askOverTcp(Query.of("big.example.test", "TXT")).answer()).hasSize(1);
    }

    @Test
    void knot() throws Exception {
        try (PeerProcess peer = PeerProcess.knot().zone("example.test", ZONE).start()) {
            assertServesTheZone(peer);
            peer.kill();
            assertThatThrownBy(() -> new DnsClient(peer.address()).connect())
                    .isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void nsd() throws Exception {
        try (PeerProcess peer = PeerProcess.nsd().zone("example.test", ZONE).start()) {
            assertServesTheZone(peer);
        }
    }

    @Test
    void unbound() throws Exception {
        try (PeerProcess peer = PeerProcess.unbound().zone("example.test", ZONE).start()) {
            assertServesTheZone(peer);
        }
    }

    @Test
    void unboundForwards() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                PeerProcess peer =
                        PeerProcess.unbound()
                                .server("module-config: \"iterator\"")
                                .section(
                                        "forward-zone:\n  name: \".\"\n  forward-addr: 127.0.0.1@"
                                                + upstream.port())
                                .start()) {
            upstream.otherwise().reply(Reply.code(ResponseCode.NXDOMAIN));
            upstream.when("www.example.test", "A").answer("www.example.test. 300 A 192.0.2.9");
            final DnsMessage found = new DnsClient(peer.address()).ask("www.example.test", "A");
            assertThat(found.answer()).hasSize(1);
            assertThat(upstream.count("www.example.test", "A")).isPositive();
        }
    }

    @Test
    void aServerThatDoesNotStartTellsWhy() {
        final PeerProcess.Builder builder = PeerProcess.knot().server("no-such-item: 1");
        final Throwable why = catchThrowable(builder::start);
        if (why instanceof TestAbortedException absent) {
            throw absent;
        }
        assertThat(why)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("knotd has ended")
                .hasMessageContaining("no-such-item");
    }

    @Test
    void anAbsentServerSkipsTheTestButFailsInCi() {
        assertThat(PeerProcess.absent("it is not installed", false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("it is not installed");
        assertThatThrownBy(() -> PeerProcess.absent("it is not installed", true))
                .isInstanceOf(AssertionError.class)
                .hasMessage("it is not installed");
    }
}
