package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageLayout;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.PeerProcess;
import io.ananas.testkit.Query;
import io.ananas.testkit.ResourceRecord;
import io.ananas.testkit.SignedTree;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Questions for 5,000 names to this server and to Unbound, over the same signed tree: response
 * code, AD and answer must be the same, but for what {@code docs/differences.md} explains.
 */
@Timeout(300)
class DifferentialIT {
    private static final int NAMES_ASKED = 5_000;
    private static final int CLIENTS = 16;
    private static final int HOSTS = 200;
    private static final Path EXPLANATIONS = Path.of("../docs/differences.md");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<String> NAMES =
            List.of(
                    "",
                    "www.",
                    "mail.",
                    "txt.",
                    "fixed.wild.",
                    "wild.",
                    "ent.",
                    "b.ent.",
                    "a.b.ent.",
                    "alias.",
                    "alias2.",
                    "toplain.",
                    "tosigned.",
                    "tobogus.",
                    "tonothing.",
                    "tonothing2.",
                    "circle.",
                    "old.",
                    "x.old.",
                    "y.old.",
                    "x.new.",
                    "www.away.",
                    "toplain.away.",
                    "_443._tcp.www.",
                    "_tcp.www.",
                    "ns.");
    private static final List<String> TYPES =
            List.of(
                    "A", "A", "A", "AAAA", "TXT", "MX", "SOA", "NS", "DNSKEY", "DS", "CNAME",
                    "TLSA");

    /**
     * Asked first and one after the other: each kind of {@link Explained} comes of them, whatever
     * the seed. Unbound follows an alias for a question of its type if it knows the DNAME already.
     */
    private static final List<Query> FIRST =
            List.of(
                    Query.of("nobody.iter.net", "A").dnssecOk(),
                    Query.of("first.old.sec.com", "CNAME").dnssecOk(),
                    Query.of("first.old.plain.net", "A").dnssecOk(),
                    Query.of("second.old.plain.net", "CNAME").dnssecOk());

    /** A difference that is as it should be; the names stand in {@code docs/differences.md}. */
    enum Explained {
        NSEC3_ITERATIONS,
        CNAME_OF_DNAME,
        CNAME_FOLLOWED;

        static @Nullable Explained of(Query query, Outcome ours, Outcome theirs) {
            final boolean iterations =
                    query.question().name().toString().contains("iter.net")
                            && ours.responseCode == theirs.responseCode
                            && ours.answer.equals(theirs.answer)
                            && !ours.authentic
                            && theirs.authentic;
            final boolean synthesised =
                    query.question().type() == RecordType.CNAME
                            && theirs.responseCode == ResponseCode.SERVFAIL
                            && ours.responseCode == ResponseCode.NOERROR
                            && ours.answer.stream().anyMatch(r -> r.contains(" in dname "));
            final boolean followed =
                    query.question().type() == RecordType.CNAME
                            && ours.responseCode == ResponseCode.NOERROR
                            && !ours.answer.isEmpty()
                            && theirs.answer.containsAll(ours.answer);
            if (iterations) {
                return NSEC3_ITERATIONS;
            }
            return synthesised ? CNAME_OF_DNAME : followed ? CNAME_FOLLOWED : null;
        }
    }

    record Outcome(int responseCode, boolean authentic, TreeSet<String> answer) {
        static Outcome of(DnsMessage message) {
            return new Outcome(
                    message.responseCode(),
                    message.has(MessageLayout.AD),
                    message.answer().stream()
                            .map(Outcome::text)
                            .collect(Collectors.toCollection(TreeSet::new)));
        }

        private static String text(ResourceRecord record) {
            return record.withTtl(0).toString().toLowerCase(Locale.ROOT);
        }

        @Override
        public String toString() {
            return "%s%s %s"
                    .formatted(ResponseCode.text(responseCode), authentic ? " AD" : "", answer);
        }
    }

    private record Difference(Query query, Outcome ours, Outcome theirs) {
        @Override
        public String toString() {
            return "%n%s%n  ours:    %s%n  unbound: %s".formatted(query.question(), ours, theirs);
        }
    }

    @Test
    void oursAndUnboundsAnswersAreTheSame() throws Exception {
        final long seed = Long.getLong("seed", 20_261_130L);
        try (SignedTree tree = SignedTree.start(HOSTS);
                PeerProcess unbound = tree.unbound().start();
                Server server = TreeServer.start(tree)) {
            final DnsClient ours = new DnsClient(server.addresses().getFirst(), PATIENCE);
            final DnsClient theirs = new DnsClient(unbound.address(), PATIENCE);
            final List<Difference> differences = new ArrayList<>();
            final TreeSet<Explained> explained = new TreeSet<>();
            int authentic = 0;
            int failed = 0;
            final List<Difference> pairs = new ArrayList<>();
            for (Query query : FIRST) {
                pairs.add(ask(ours, theirs, query));
            }
            pairs.addAll(ask(ours, theirs, questions(tree, new Random(seed))));
            for (Difference pair : pairs) {
                authentic += pair.theirs.authentic ? 1 : 0;
                failed += pair.theirs.responseCode == ResponseCode.SERVFAIL ? 1 : 0;
                if (!pair.ours.equals(pair.theirs)) {
                    final Explained why = Explained.of(pair.query, pair.ours, pair.theirs);
                    if (why == null) {
                        differences.add(pair);
                    } else {
                        explained.add(why);
                    }
                }
            }
            assertThat(differences).as("seed %d", seed).isEmpty();
            assertThat(authentic).as("secure answers").isGreaterThan(pairs.size() / 4);
            assertThat(failed).as("failures").isGreaterThan(pairs.size() / 20);
            final String page = Files.readString(EXPLANATIONS);
            for (Explained why : Explained.values()) {
                assertThat(page).contains("`" + why.name() + "`");
            }
            assertThat(explained).containsExactly(Explained.values());
        }
    }

    private static List<Difference> ask(DnsClient ours, DnsClient theirs, List<Query> questions)
            throws Exception {
        final List<Future<Difference>> all = new ArrayList<>();
        try (ExecutorService clients =
                Executors.newFixedThreadPool(CLIENTS, Thread.ofVirtual().factory())) {
            for (Query query : questions) {
                all.add(clients.submit(() -> ask(ours, theirs, query)));
            }
            final List<Difference> pairs = new ArrayList<>();
            for (Future<Difference> each : all) {
                pairs.add(each.get());
            }
            return pairs;
        }
    }

    private static Difference ask(DnsClient ours, DnsClient theirs, Query query)
            throws IOException {
        return new Difference(query, Outcome.of(ask(ours, query)), Outcome.of(ask(theirs, query)));
    }

    /** Once more where a packet was lost or the answer is slow, as a client does. */
    private static DnsMessage ask(DnsClient client, Query query) throws IOException {
        DnsMessage answer;
        try {
            answer = client.ask(query);
        } catch (SocketTimeoutException e) {
            answer = client.ask(query);
        }
        return answer.has(MessageLayout.TC) ? client.askOverTcp(query) : answer;
    }

    private static List<Query> questions(SignedTree tree, Random random) {
        final List<String> zones = List.copyOf(tree.zones().keySet());
        final List<Query> questions = new ArrayList<>();
        final Set<String> names = new HashSet<>();
        while (names.size() < NAMES_ASKED) {
            final String zone = zones.get(random.nextInt(zones.size()));
            final String name = name(random) + (zone.equals(".") ? "" : zone);
            names.add(name);
            final String type = TYPES.get(random.nextInt(TYPES.size()));
            final Query query = Query.of(name.isEmpty() ? "." : name, type);
            questions.add(
                    random.nextBoolean()
                            ? query.dnssecOk()
                            : query.flags(query.flags() | MessageLayout.AD));
        }
        return questions;
    }

    private static String name(Random random) {
        final String label = Integer.toString(random.nextInt(1_000_000), 36);
        return switch (random.nextInt(8)) {
            case 0 -> "n%d.".formatted(random.nextInt(HOSTS));
            case 1 -> label + ".wild.";
            case 2 -> label + ".";
            case 3 -> label + ".aliases.";
            case 4 -> label + ".www.";
            default -> NAMES.get(random.nextInt(NAMES.size()));
        };
    }
}
