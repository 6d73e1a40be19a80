package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.Event;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.Query;
import io.ananas.testkit.Relay;
import io.ananas.testkit.SignedTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recursion and validation from socket to socket, over real authoritative servers. */
@Timeout(180)
class RecursionIT {
    private static final int COLD_NAMES = 2_000;
    private static final int CLIENTS = 40;

    private static SignedTree tree;
    private static Server server;
    private static DnsClient client;

    @BeforeAll
    static void start() throws IOException, ConfigException {
        tree = SignedTree.start(10);
        server = TreeServer.start(tree);
        client = TestServer.client(server);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (tree != null) {
            tree.close();
        }
    }

    private static DnsMessage ask(String name, String type) throws IOException {
        return client.ask(Query.of(name, type).dnssecOk());
    }

    private static boolean isAuthentic(DnsMessage message) {
        return message.has(MessageLayout.AD);
    }

    private static long count(DnsMessage message, int section, int type) {
        return message.section(section).stream().filter(r -> r.type() == type).count();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "www.sec.com",
                "www.ed.net",
                "www.rsa.org",
                "www.deep.rsa.org",
                "any.wild.sec.com",
                "any.wild.ed.net",
                "any.wild.rsa.org",
                "any.aliases.ed.net",
                "tosigned.rsa.org",
                "x.old.deep.rsa.org",
                "www.hole.com"
            })
    void securelySignedIsAuthentic(String name) throws IOException {
        final DnsMessage answer = ask(name, "A");
        assertThat(answer.responseCode()).isZero();
        assertThat(isAuthentic(answer)).isTrue();
        assertThat(count(answer, MessageView.ANSWER, RecordType.RRSIG)).isPositive();
        assertThat(count(answer, MessageView.ANSWER, RecordType.A)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "www.plain.com",
                "www.plain.net",
                "www.plain.org",
                "www.island.org",
                "toplain.sec.com"
            })
    void unsignedIsAnsweredWithoutAd(String name) throws IOException {
        final DnsMessage answer = ask(name, "A");
        assertThat(answer.responseCode()).isZero();
        assertThat(isAuthentic(answer)).isFalse();
        assertThat(count(answer, MessageView.ANSWER, RecordType.A)).isEqualTo(2);
    }

    /** Handed case B039 among them: what is fetched with CD is not given to others. */
    @ParameterizedTest
    @CsvSource({
        "www.expired.net, 7",
        "www.future.com, 8",
        "www.wrongds.org, 9",
        "www.nosigs.net, 9",
        "www.forged.org, 6",
        "tobogus.sec.com, 6",
        "nothing.hole.com, 10"
    })
    void bogusFailsWithItsReasonAndIsThereForWhoChecksHimself(String name, int error)
            throws IOException {
        final DnsMessage failure = ask(name, "A");
        assertThat(failure.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
        assertThat(failure.extendedErrors()).contains(error);
        final DnsMessage unchecked = client.ask(Query.of(name, "A").dnssecOk().checkingDisabled());
        assertThat(unchecked.responseCode()).isIn(ResponseCode.NOERROR, ResponseCode.NXDOMAIN);
        assertThat(isAuthentic(unchecked)).isFalse();
        assertThat(ask(name, "A").responseCode())
                .as("unchecked answers are for CD alone")
                .isEqualTo(ResponseCode.SERVFAIL);
        assertThat(Objects.requireNonNull(server.recursion()).count(of(error))).isPositive();
    }

    private static ExtendedError of(int code) {
        return Objects.requireNonNull(ExtendedError.of(code));
    }

    @ParameterizedTest
    @CsvSource({
        "nothing.sec.com, NSEC",
        "nothing.rsa.org, NSEC",
        "nothing.ed.net, NSEC3",
        "nothing.deep.rsa.org, NSEC3",
        "nothing.org, NSEC",
        "nothing.net, NSEC3",
        "nothing, NSEC"
    })
    void nameErrorsAreProven(String name, String by) throws IOException {
        final DnsMessage answer = ask(name, "A");
        assertThat(answer.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(isAuthentic(answer)).isTrue();
        assertThat(count(answer, MessageView.AUTHORITY, RecordType.parse(by))).isPositive();
        assertThat(count(answer, MessageView.AUTHORITY, RecordType.SOA)).isOne();
    }

    @Test
    void anOptedOutSpanProvesNothing() throws IOException {
        final DnsMessage answer = ask("nothing.com", "A");
        assertThat(answer.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(isAuthentic(answer)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b.ent.sec.com", "b.ent.ed.net", "b.ent.deep.rsa.org", "txt.rsa.org"})
    void missingTypesAreProven(String name) throws IOException {
        final DnsMessage answer = ask(name, "A");
        assertThat(answer.responseCode()).isZero();
        assertThat(answer.answer()).isEmpty();
        assertThat(isAuthentic(answer)).isTrue();
    }

    /** RFC 6840, sections 5.7 and 5.8; RFC 4035, section 3.2; handed case B041. */
    @Test
    void adAndSignaturesAreForWhoAsks() throws IOException {
        for (int round = 0; round < 2; round++) {
            final Query plain = Query.of("mail.ed.net", "A");
            final DnsMessage silent = client.ask(plain);
            assertThat(isAuthentic(silent)).isFalse();
            assertThat(silent.answer()).hasSize(1);
            final DnsMessage told = client.ask(plain.flags(plain.flags() | MessageLayout.AD));
            assertThat(isAuthentic(told)).isTrue();
            assertThat(told.answer()).hasSize(1);
            final DnsMessage whole = client.ask(plain.dnssecOk());
            assertThat(isAuthentic(whole)).isTrue();
            assertThat(whole.answer()).hasSize(2);
        }
    }

    /** RFC 8198; handed case B091 b: and all below a name that is proven not to be there. */
    @Test
    void knownProofsAnswerFurtherNames() throws IOException {
        ask("q1.sec.com", "A");
        final Recursion recursion = Objects.requireNonNull(server.recursion());
        final Long before = recursion.recursor().counters().get(Event.UPSTREAM_QUERY);
        for (String name : List.of("q2.sec.com", "q3.sec.com", "x.q1.sec.com", "a.b.q1.sec.com")) {
            final DnsMessage answer = ask(name, "A");
            assertThat(answer.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
            assertThat(isAuthentic(answer)).isTrue();
        }
        assertThat(recursion.recursor().counters().get(Event.UPSTREAM_QUERY)).isEqualTo(before);
    }

    @Test
    void namesThatAreDeclaredInsecureAreNotValidated() throws Exception {
        final Configuration configuration =
                TreeServer.configuration(
                        tree.configuration() + "  insecure: [forged.org, expired.net]\n");
        try (Server other = TestServer.start(configuration)) {
            for (String name : List.of("www.forged.org", "www.expired.net")) {
                final DnsMessage answer =
                        TestServer.client(other).ask(Query.of(name, "A").dnssecOk());
                assertThat(answer.responseCode()).isZero();
                assertThat(isAuthentic(answer)).isFalse();
            }
            assertThat(
                            TestServer.client(other)
                                    .ask(Query.of("www.wrongds.org", "A"))
                                    .responseCode())
                    .isEqualTo(ResponseCode.SERVFAIL);
        }
    }

    /** RFC 7646, section 2: a negative trust anchor ends by itself. */
    @Test
    void namesAreInsecureForAWhileOnly() throws Exception {
        final ManualClock clock = new ManualClock(Instant.now());
        final Configuration configuration =
                TreeServer.configuration(
                        tree.configuration()
                                + "  insecure: [{name: forged.org, until: \"%s\"}]\n"
                                        .formatted(clock.instant().plusSeconds(3_600)));
        final Configuration fresh = configuration.withCache(configuration.cache().withStale(0, 30));
        try (Server other = Server.start(fresh, clock)) {
            final DnsClient there = TestServer.client(other);
            final Query query = Query.of("www.forged.org", "A").dnssecOk();
            assertThat(there.ask(query).responseCode()).isZero();
            clock.advance(Duration.ofMinutes(61));
            final DnsMessage failure = there.ask(query);
            assertThat(failure.responseCode())
                    .as(failure.toString())
                    .isEqualTo(ResponseCode.SERVFAIL);
            assertThat(failure.extendedErrors()).contains(ExtendedError.DNSSEC_BOGUS.code());
        }
    }

    /** RFC 4035, section 3.2.3: AD speaks for the authority section too. */
    @Test
    void wholeAnswersKeepWhatTheZoneHasSigned() throws Exception {
        final Configuration configuration =
                TreeServer.configuration(tree.configuration() + "  answer: full\n");
        try (Server other = TestServer.start(configuration)) {
            final DnsMessage answer =
                    TestServer.client(other).ask(Query.of("www.deep.rsa.org", "A").dnssecOk());
            assertThat(isAuthentic(answer)).isTrue();
            assertThat(count(answer, MessageView.AUTHORITY, RecordType.NS)).isPositive();
            assertThat(count(answer, MessageView.AUTHORITY, RecordType.RRSIG)).isPositive();
        }
    }

    @Test
    void coldNamesResolveOverABadNetwork() throws Exception {
        final int each = COLD_NAMES / 4;
        try (SignedTree lossy = SignedTree.start(each, Relay.Faults.NONE.drop(0.1));
                Server other = TreeServer.start(lossy)) {
            final DnsClient patient = TestServer.client(other);
            final List<Future<DnsMessage>> all = new ArrayList<>();
            try (ExecutorService clients =
                    Executors.newFixedThreadPool(CLIENTS, Thread.ofVirtual().factory())) {
                for (int i = 0; i < each; i++) {
                    for (String zone : List.of("sec.com", "ed.net", "rsa.org", "plain.com")) {
                        final Query query = Query.of("n%d.%s".formatted(i, zone), "A").dnssecOk();
                        all.add(clients.submit(() -> patient.ask(query)));
                    }
                }
            }
            final List<DnsMessage> failures = new ArrayList<>();
            for (Future<DnsMessage> one : all) {
                if (one.get().answer().isEmpty()) {
                    failures.add(one.get());
                }
            }
            assertThat(failures).hasSizeLessThanOrEqualTo(COLD_NAMES / 1_000);
            assertThat(
                            Objects.requireNonNull(other.recursion())
                                    .recursor()
                                    .counters()
                                    .get(Event.UPSTREAM_TIMEOUT))
                    .as("the network is bad")
                    .isGreaterThan(COLD_NAMES / 20L);
        }
    }

    @Test
    void asAProcessWithFilesForRootAndAnchor(@TempDir Path directory) throws Exception {
        final Path hints = directory.resolve("named.root");
        Files.writeString(
                hints,
                ". 300 NS ns.root-servers.test.\nns.root-servers.test. 300 A %s\n"
                        .formatted(tree.root().getAddress().getHostAddress()));
        final Path anchor = directory.resolve("anchor");
        Files.writeString(anchor, tree.anchor() + "\n");
        final Path config = directory.resolve("ananas.yaml");
        Files.writeString(config, "resolver: {port: %d, ipv6: false}\n".formatted(tree.port()));
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Main.class.getName(), "serve", "--config", config.toString()));
        command.addAll(List.of("--root-hints", hints.toString()));
        command.addAll(List.of("--trust-anchor", anchor.toString()));
        command.addAll(List.of("--listen", "127.0.0.1:0", "--cache-size", "16MiB"));
        final Process process =
                new ProcessBuilder(command)
                        .redirectError(directory.resolve("errors").toFile())
                        .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            final List<String> banner = new ArrayList<>();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                banner.add(line);
                if (line.contains("try:")) {
                    break;
                }
            }
            assertThat(banner)
                    .as(Files.readString(directory.resolve("errors")))
                    .contains(
                            "ananas: recursing from the root (1 root servers), validating by the"
                                    + " trust anchor of .");
            final String address = banner.getFirst().replaceAll(".*127.0.0.1:(\\d+).*", "$1");
            final DnsMessage answer =
                    new DnsClient(
                                    new InetSocketAddress(
                                            InetAddress.ofLiteral("127.0.0.1"),
                                            Integer.parseInt(address)),
                                    Duration.ofSeconds(10))
                            .ask(Query.of("www.deep.rsa.org", "A").dnssecOk());
            assertThat(isAuthentic(answer)).isTrue();
            process.destroy();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
