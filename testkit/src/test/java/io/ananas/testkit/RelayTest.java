package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.testkit.Relay.Faults;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayTest {
    private static final Duration SILENCE = Duration.ofMillis(200);
    private static final int PACKETS = 60;

    private final ScriptedUpstream upstream = ScriptedUpstream.start();
    private final Relay relay = Relay.start(upstream.address(), Faults.NONE, 42);
    private final DnsClient client = new DnsClient(relay.address());

    RelayTest() {
        upstream.otherwise().answer("a.test. 1 IN A 192.0.2.1");
    }

    @AfterEach
    void stop() {
        relay.close();
        upstream.close();
    }

    private List<Integer> idsOf(int packets) throws IOException {
        for (int id = 0; id < packets; id++) {
            client.sendUdp(Query.of("a.test", "A").id(id).toWire());
        }
        return new ArrayList<>();
    }

    @Test
    void aGoodNetworkChangesNothing() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(client.ask("a.test", "A").answer()).hasSize(1);
        }
        assertThat(relay.counts()).isEqualTo(new Relay.Counts(40, 0, 0, 0, 0));
        final Query query = Query.of("a.test", "A");
        assertThat(client.askOverTcp(query).answer()).hasSize(1);
    }

    @Test
    void aBlackHole() throws Exception {
        relay.faults(Faults.BLACK_HOLE);
        assertThat(client.tryUdp(Query.of("a.test", "A").toWire(), SILENCE)).isEmpty();
        assertThat(upstream.count()).isZero();
        assertThat(relay.counts().dropped()).isEqualTo(1);
        assertThat(client.askOverTcp(Query.of("a.test", "A")).answer()).hasSize(1);
        relay.faults(Faults.NONE);
        assertThat(client.ask("a.test", "A").answer()).hasSize(1);
    }

    @Test
    void doublesAndDelays() throws Exception {
        relay.faults(Faults.NONE.duplicate(1).delay(Duration.ofMillis(5)));
        client.sendUdp(Query.of("a.test", "A").id(77).toWire());
        upstream.awaitCount(2);
        assertThat(upstream.queries())
                .allSatisfy(query -> assertThat(query.message().id()).isEqualTo(77));
    }

    @Test
    void cutsPackets() throws Exception {
        relay.faults(Faults.NONE.cut(1));
        for (int i = 0; i < 20; i++) {
            client.sendUdp(Query.of("a.test", "A").toWire());
        }
        upstream.awaitCount(20);
        final int whole = Query.of("a.test", "A").toWire().length;
        assertThat(upstream.queries())
                .allSatisfy(query -> assertThat(query.octets().length).isLessThan(whole));
        assertThat(relay.counts().cut()).isGreaterThanOrEqualTo(20);
    }

    @Test
    void swapsPackets() throws Exception {
        relay.faults(Faults.NONE.swap(0.5));
        idsOf(PACKETS);
        upstream.awaitCount(PACKETS);
        final List<Integer> order =
                upstream.queries().stream().map(query -> query.message().id()).toList();
        assertThat(order).hasSize(PACKETS).doesNotHaveDuplicates();
        assertThat(order).isNotEqualTo(order.stream().sorted().toList());
        assertThat(relay.counts().swapped()).isPositive();
    }

    @Test
    void losesSome() throws Exception {
        relay.faults(Faults.NONE.drop(0.5));
        int answered = 0;
        for (int i = 0; i < 30; i++) {
            final byte[] query = Query.of("a.test", "A").toWire();
            answered += client.tryUdp(query, Duration.ofMillis(40)).isPresent() ? 1 : 0;
        }
        assertThat(answered).isBetween(1, 25);
        assertThat(relay.counts().dropped()).isBetween(5, 55);
    }

    @Test
    void refusesTcp() {
        relay.refuseTcp(true);
        Assertions.assertThatThrownBy(() -> client.tcp(Query.of("a.test", "A").toWire()))
                .isInstanceOfAny(EOFException.class, SocketException.class);
    }

    @Test
    void relaysToIpv6() throws Exception {
        try (ScriptedUpstream six = ScriptedUpstream.start("::1", 0);
                Relay toSix = Relay.start(six.address(), Faults.NONE, 1)) {
            six.otherwise().answer("a.test. 1 IN A 192.0.2.6");
            final DnsClient through = new DnsClient(toSix.address());
            assertThat(through.ask("a.test", "A").answer()).hasSize(1);
            assertThat(through.askOverTcp(Query.of("a.test", "A")).answer()).hasSize(1);
        }
    }
}
