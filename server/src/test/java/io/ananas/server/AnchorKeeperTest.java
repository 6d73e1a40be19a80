package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.MessageLayout;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.Query;
import io.ananas.testkit.ReceivedQuery;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.DSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRset;

/** Trust anchors that follow their roll-over (RFC 5011), through a server and its clock. */
@Timeout(60)
class AnchorKeeperTest {
    private static final int SIGNING = DNSKEYRecord.Flags.ZONE_KEY | DNSKEYRecord.Flags.SEP_KEY;

    private final ManualClock clock = new ManualClock();
    private final Key old = Key.fresh();
    private final Key fresh = Key.fresh();
    @TempDir private Path directory = Path.of("unset");
    private Path file = Path.of("unset");
    private ScriptedUpstream root = ScriptedUpstream.start();
    private @Nullable Server server;
    private volatile List<Key> shown = List.of(old);
    private volatile List<Key> signing = List.of(old);

    private record Key(DNSKEYRecord record, PrivateKey secret) {
        static Key fresh() {
            try {
                final KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
                return new Key(
                        new DNSKEYRecord(
                                Name.root,
                                DClass.IN,
                                7_200,
                                SIGNING,
                                DNSKEYRecord.Protocol.DNSSEC,
                                DNSSEC.Algorithm.ED25519,
                                pair.getPublic()),
                        pair.getPrivate());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        Key revoked() {
            return new Key(
                    new DNSKEYRecord(
                            Name.root,
                            DClass.IN,
                            7_200,
                            SIGNING | DNSKEYRecord.Flags.REVOKE,
                            DNSKEYRecord.Protocol.DNSSEC,
                            DNSSEC.Algorithm.ED25519,
                            record.getKey()),
                    secret);
        }
    }

    @BeforeEach
    void script() {
        file = directory.resolve("anchors");
        root.when(".", "DNSKEY").reply(this::keys);
        root.otherwise().reply(Reply.code(ResponseCode.REFUSED));
    }

    @AfterEach
    void close() {
        stop();
        root.close();
    }

    private byte @Nullable [] keys(ReceivedQuery query) throws InterruptedException {
        final RRset set = new RRset();
        shown.forEach(key -> set.addRR(key.record));
        final List<String> lines = new ArrayList<>();
        set.rrs().forEach(record -> lines.add(record.toString()));
        for (Key key : signing) {
            try {
                lines.add(
                        DNSSEC.sign(
                                        set,
                                        key.record,
                                        key.secret,
                                        clock.instant().minusSeconds(3_600),
                                        clock.instant().plus(Duration.ofDays(9)))
                                .toString());
            } catch (DNSSEC.DNSSECException e) {
                throw new IllegalStateException(e);
            }
        }
        return Reply.answer(lines.toArray(String[]::new)).to(query);
    }

    private void start() throws Exception {
        stop();
        final DSRecord ds = new DSRecord(Name.root, DClass.IN, 0, DNSSEC.Digest.SHA256, old.record);
        final Configuration configuration =
                TreeServer.configuration(
                        """
                        resolver:
                          root-hints: [ns.root.test %s@%d]
                          trust-anchors: [". DS %s"]
                          trust-anchor-state: %s
                          qname-minimisation: off
                        """
                                .formatted(
                                        root.address().getAddress().getHostAddress(),
                                        root.port(),
                                        ds.rdataToString(),
                                        file));
        server = Server.start(configuration, clock);
    }

    private Server running() {
        return Objects.requireNonNull(server);
    }

    private void stop() {
        if (server != null) {
            server.close();
        }
    }

    private void after(Duration time) {
        clock.advance(time);
        Objects.requireNonNull(running().recursion()).keepAnchors();
    }

    /** Waits until the file says so: keys by their tags and states. */
    private void awaitState(String... expected) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(state()).containsExactlyInAnyOrder(expected));
    }

    private List<String> state() throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .filter(line -> !line.startsWith(";"))
                        .map(AnchorKeeperTest::tagAndState)
                        .toList()
                : List.of();
    }

    private static String tagAndState(String line) {
        final String[] fields = line.split(" ", -1);
        return "%s %s".formatted(fields[4], fields[5]);
    }

    private static String in(Key key, String state) {
        return "%s %s".formatted(Base64.getEncoder().encodeToString(key.record.getKey()), state);
    }

    private boolean keysAreAuthentic() throws IOException {
        final DnsMessage answer =
                TestServer.client(running()).ask(Query.of(".", "DNSKEY").dnssecOk());
        return answer.has(MessageLayout.AD);
    }

    @Test
    void aKeyIsFollowedThroughItsWholeLife() throws Exception {
        start();
        after(Duration.ofSeconds(1));
        awaitState(in(old, "VALID"));
        shown = List.of(old, fresh);
        after(Duration.ofHours(2));
        awaitState(in(old, "VALID"), in(fresh, "PENDING"));
        after(Duration.ofDays(29));
        start();
        assertThat(keysAreAuthentic()).isTrue();
        after(Duration.ofDays(1));
        awaitState(in(old, "VALID"), in(fresh, "VALID"));
        shown = List.of(fresh);
        signing = List.of(fresh);
        after(Duration.ofDays(1));
        awaitState(in(old, "MISSING"), in(fresh, "VALID"));
        assertThat(keysAreAuthentic()).as("by the new key alone").isTrue();
        shown = List.of(old.revoked(), fresh);
        signing = List.of(old.revoked(), fresh);
        after(Duration.ofDays(1));
        awaitState(in(old, "REVOKED"), in(fresh, "VALID"));
        shown = List.of(fresh);
        signing = List.of(fresh);
        after(Duration.ofDays(31));
        awaitState(in(old, "REMOVED"), in(fresh, "VALID"));
        start();
        shown = List.of(old);
        signing = List.of(old);
        clock.advance(Duration.ofDays(2));
        assertThat(TestServer.client(running()).ask(Query.of(".", "DNSKEY")).responseCode())
                .as("revoked is for ever, whatever the configuration says")
                .isEqualTo(ResponseCode.SERVFAIL);
    }

    @Test
    void whatCannotBeWrittenIsKeptAndWrittenLater() throws Exception {
        file = directory.resolve("absent").resolve("anchors");
        start();
        after(Duration.ofSeconds(1));
        root.awaitCount(1);
        assertThat(keysAreAuthentic()).isTrue();
        Files.createDirectory(directory.resolve("absent"));
        Awaitility.await()
                .untilAsserted(() -> {
                    after(Duration.ofHours(1));
                    assertThat(state()).containsExactly(in(old, "VALID"));
                });
    }

    @Test
    void aDamagedFileIsReportedWithItsLineAndAWayOut() throws IOException {
        Files.writeString(file, "; fine\n. 257 3 15 nonsense VALID\n");
        assertThatThrownBy(this::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("anchors, line 2")
                .hasMessageContaining("remove");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThatThrownBy(this::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("anchors")
                .hasMessageContaining("remove");
    }
}
