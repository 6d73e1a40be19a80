package io.ananas.recursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.message.Upstream;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.PeerProcess;
import io.ananas.testkit.Relay;
import io.ananas.testkit.Relay.Faults;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Against Knot DNS and NSD on loopback, three levels deep. They stand for servers at addresses of
 * 192.0.2.0/24, which the recursor reads in referrals.
 */
class RealServersIT {
    private static final String SOA = "@ 3600 SOA ns hostmaster 1 3600 600 86400 60\n";
    private static final int COLD_NAMES = 2_000;
    private static final int CLIENTS = 20;

    private static final List<PeerProcess> PEERS = new ArrayList<>();
    private static final Map<InetSocketAddress, InetSocketAddress> PLACES =
            new ConcurrentHashMap<>();

    @BeforeAll
    static void start() {
        peer(
                "192.0.2.1",
                PeerProcess.knot()
                        .zone(
                                ".",
                                """
                                $ORIGIN .
                                @ 3600 SOA a.root. hostmaster. 1 3600 600 86400 60
                                @ 3600 NS a.root.
                                a.root. 3600 A 192.0.2.1
                                net. 3600 NS ns.net.
                                ns.net. 3600 A 192.0.2.2
                                org. 3600 NS ns.net.
                                """));
        peer(
                "192.0.2.2",
                PeerProcess.nsd()
                        .zone(
                                "net",
                                "$ORIGIN net.\n"
                                        + SOA
                                        + """
                                        @ 3600 NS ns
                                        ns 3600 A 192.0.2.2
                                        example 3600 NS ns.example
                                        ns.example 3600 A 192.0.2.3
                                        glueless 3600 NS ns.hosting.org.
                                        """)
                        .zone(
                                "org",
                                "$ORIGIN org.\n"
                                        + SOA
                                        + """
                                        @ 3600 NS ns.net.
                                        ns 3600 A 192.0.2.2
                                        hosting 3600 NS ns.hosting
                                        ns.hosting 3600 A 192.0.2.4
                                        """));
        peer(
                "192.0.2.3",
                PeerProcess.knot()
                        .zone(
                                "example.net",
                                "$ORIGIN example.net.\n"
                                        + SOA
                                        + """
                                        @ 3600 NS ns
                                        ns 3600 A 192.0.2.3
                                        www 60 A 192.0.2.80
                                        alias 60 CNAME www.glueless.net.
                                        a.b.c.d 60 TXT deep
                                        old 60 DNAME new
                                        x.new 60 A 192.0.2.81
                                        *.wild 60 A 192.0.2.82
                                        """
                                        + bigText()));
        peer(
                "192.0.2.4",
                PeerProcess.nsd()
                        .zone(
                                "hosting.org",
                                "$ORIGIN hosting.org.\n" + SOA + "@ NS ns\nns 60 A 192.0.2.4\n")
                        .zone(
                                "glueless.net",
                                "$ORIGIN glueless.net.\n"
                                        + SOA
                                        + "@ NS ns.hosting.org.\nns A 192.0.2.4\nwww 60 A 192.0.2.90\n"));
    }

    private static String bigText() {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            text.append("big 60 TXT \"%03d%s\"\n".formatted(i, "x".repeat(100)));
        }
        return text.toString();
    }

    private static void peer(String address, PeerProcess.Builder builder) {
        final PeerProcess peer = builder.start();
        PEERS.add(peer);
        PLACES.put(Lab.socket(address), peer.address());
    }

    @AfterAll
    static void stop() {
        PEERS.forEach(PeerProcess::close);
    }

    private static Recursor recursor(Map<InetSocketAddress, InetSocketAddress> places) {
        final InetSocketAddress nowhere =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
        return Recursor.builder(
                        new UpstreamFactory() {
                            @Override
                            public Upstream udp(InetSocketAddress server) {
                                return new PeerUpstream(
                                        places.getOrDefault(server, nowhere), false);
                            }

                            @Override
                            public Upstream tcp(InetSocketAddress server) {
                                return new PeerUpstream(places.getOrDefault(server, nowhere), true);
                            }
                        })
                .options(RecursorOptions.DEFAULT.withRootHints(Lab.hints()).withFullAnswers(true))
                .build();
    }

    private static DnsMessage ask(Recursor recursor, String name, String type) {
        return DnsMessage.parse(
                recursor.resolve(Name.of(name), RecordType.parse(type), false).response());
    }

    @Test
    void theTreeIsWalked() {
        final Recursor recursor = recursor(PLACES);
        assertThat(Lab.text(ask(recursor, "www.example.net", "A").answer()))
                .containsExactly("www.example.net. A 192.0.2.80");
        assertThat(Lab.text(ask(recursor, "alias.example.net", "A").answer()))
                .containsExactly(
                        "alias.example.net. CNAME www.glueless.net.",
                        "www.glueless.net. A 192.0.2.90");
        assertThat(Lab.text(ask(recursor, "x.old.example.net", "A").answer()))
                .containsExactly(
                        "old.example.net. DNAME new.example.net.",
                        "x.old.example.net. CNAME x.new.example.net.",
                        "x.new.example.net. A 192.0.2.81");
        assertThat(ask(recursor, "a.b.c.d.example.net", "TXT").answer()).hasSize(1);
        assertThat(ask(recursor, "q.wild.example.net", "A").answer()).hasSize(1);
        final DnsMessage nothing = ask(recursor, "b.c.d.example.net", "TXT");
        assertThat(nothing.responseCode()).isZero();
        assertThat(nothing.answer()).isEmpty();
        final DnsMessage error = ask(recursor, "nobody.example.net", "A");
        assertThat(error.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(error.authority()).hasSize(1);
        assertThat(ask(recursor, "nosuchtld", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(ask(recursor, "example.net", "NS").answer()).hasSize(1);
        assertThat(recursor.counters().get(Event.UPSTREAM_LAME)).isZero();
    }

    @Test
    void whatDoesNotFitComesOverTcp() {
        assertThat(ask(recursor(PLACES), "big.example.net", "TXT").answer()).hasSize(30);
    }

    @Test
    void coldNamesResolveOverABadNetwork() throws Exception {
        final Faults faults =
                Faults.NONE
                        .drop(0.1)
                        .duplicate(0.05)
                        .swap(0.05)
                        .cut(0.01)
                        .delay(Duration.ofMillis(5));
        final List<Relay> relays = new ArrayList<>();
        final Map<InetSocketAddress, InetSocketAddress> places = new ConcurrentHashMap<>();
        PLACES.forEach((address, peer) -> {
            final Relay relay = Relay.start(peer, faults, relays.size());
            relays.add(relay);
            places.put(address, relay.address());
        });
        try {
            final Recursor recursor = recursor(places);
            assertThat(failures(recursor)).isLessThanOrEqualTo(COLD_NAMES / 1_000);
            assertThat(recursor.counters().get(Event.UPSTREAM_TIMEOUT))
                    .as("the network is bad")
                    .isGreaterThan(COLD_NAMES / 20L);
        } finally {
            relays.forEach(Relay::close);
        }
    }

    private static int failures(Recursor recursor) throws Exception {
        int failures = 0;
        final List<Future<Resolution>> all = new ArrayList<>();
        try (ExecutorService clients =
                Executors.newFixedThreadPool(CLIENTS, Thread.ofVirtual().factory())) {
            for (int i = 0; i < COLD_NAMES; i++) {
                final Name name = Name.of("n%d.wild.example.net".formatted(i));
                all.add(clients.submit(() -> recursor.resolve(name, RecordType.A, false)));
            }
            for (final Future<Resolution> each : all) {
                if (each.get().isFailure()) {
                    System.out.println(each.get());
                    failures++;
                }
            }
        }
        return failures;
    }
}
