package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.LoopbackInternet;
import io.ananas.testkit.Query;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ReplyMessage;
import io.ananas.testkit.ResourceRecord;
import io.ananas.testkit.ScriptedServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cases of the collection that need recursion; played to a running server, named by their ids. */
@Timeout(60)
class HandedRecursionTest {
    private static final String FAST = "timeout: 2s\n";

    private final World world = new World();

    @AfterEach
    void close() {
        world.close();
    }

    private static ReplyMessage authoritative(String... answer) {
        return Reply.answer(answer).authoritative();
    }

    private static String address(int server) {
        return LoopbackInternet.address(server);
    }

    @Test
    void b011() throws IOException {
        world.internet.zone(
                "a.test", 11, "s.a.test. 60 CNAME s.a.test.", "x.a.test. 60 CNAME y.b.test.");
        world.internet.zone("b.test", 12, "y.b.test. 60 CNAME x.a.test.");
        for (String name : List.of("s.a.test", "x.a.test")) {
            world.internet.clear();
            for (int i = 0; i < 3; i++) {
                final DnsMessage response = world.ask(name, "A");
                assertThat(response.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
                assertThat(response.extendedErrors()).isNotEmpty();
                assertThat(response.answer()).isEmpty();
            }
            for (int server : new int[] {11, 12}) {
                assertThat(world.internet.server(server).count())
                        .as("%s at %d: %s", name, server, world.internet.log())
                        .isLessThanOrEqualTo(2);
            }
        }
    }

    private static String step(int i) {
        return "l%d.deep.%s.test.".formatted(i, i % 2 == 1 ? "a" : "b");
    }

    @Test
    void b013() throws IOException {
        final List<String> a = new ArrayList<>(List.of("end.deep.a.test. 60 A 192.0.2.80"));
        final List<String> b = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            final String next = i == 8 ? "end.deep.a.test." : step(i + 1);
            (i % 2 == 1 ? a : b).add("%s 60 CNAME %s".formatted(step(i), next));
        }
        final ScriptedServer first = world.internet.zone("a.test", 11, a.toArray(String[]::new));
        world.internet.zone("b.test", 12, b.toArray(String[]::new));
        world.resolver("qname-minimisation: strict\n");
        for (int i = 0; i < 2; i++) {
            final List<String> answer = world.answer("l1.deep.a.test", "A");
            assertThat(answer).hasSize(9);
            assertThat(answer.subList(0, 8)).allMatch(record -> record.contains(" CNAME "));
            assertThat(answer.getLast()).isEqualTo("end.deep.a.test. A 192.0.2.80");
        }
        assertThat(world.internet.server(2).queries())
                .as("names are minimised")
                .isNotEmpty()
                .allMatch(query -> query.name().labelCount() <= 2);
        assertThat(first.queries()).anyMatch(query -> query.name().equals(Name.of("deep.a.test")));
    }

    @Test
    void b015() throws IOException {
        final ScriptedServer old =
                world.internet
                        .zone("old.test", 11)
                        .on(
                                query -> query.name().isSubdomainOf(Name.of("old.test")),
                                authoritative("old.test. 3600 DNAME new.test."));
        world.internet.zone(
                "new.test", 12, "foo.new.test. 60 A 192.0.2.6", "bar.new.test. 60 A 192.0.2.7");
        int asked = 0;
        for (String name : List.of("foo", "foo", "bar", "bar")) {
            final String last = name.equals("foo") ? "192.0.2.6" : "192.0.2.7";
            assertThat(world.answer(name + ".old.test", "A"))
                    .containsExactly(
                            "old.test. DNAME new.test.",
                            name + ".old.test. CNAME " + name + ".new.test.",
                            name + ".new.test. A " + last);
            asked = asked == 0 ? old.count() : asked;
        }
        assertThat(old.count()).as("the second name comes from the cached DNAME").isEqualTo(asked);
    }

    private void threeServers(Reply reply) {
        for (int i = 1; i <= 3; i++) {
            world.internet.tld(
                    "dead.test. 86400 NS ns%d.dead.test.".formatted(i),
                    "ns%d.dead.test. 86400 A %s".formatted(i, address(20 + i)));
            world.internet.server(20 + i).zone("dead.test").always(reply);
        }
    }

    private void failsFast(String name, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            final DnsMessage response = world.ask(name, "A");
            assertThat(response.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
            assertThat(response.extendedErrors()).isNotEmpty();
        }
    }

    @Test
    void b051() throws IOException {
        threeServers(Reply.silence());
        world.resolver(FAST);
        failsFast("www.dead.test", 1);
        assertThat(world.ask("www.dead.test", "A").extendedErrors())
                .contains(ExtendedError.NO_REACHABLE_AUTHORITY.code());
        world.internet.clear();
        failsFast("www.dead.test", 100);
        assertThat(world.internet.log()).as("remembered").isEmpty();
        failsFast("other.dead.test", 1);
        failsFast("third.dead.test", 1);
        assertThat(world.internet.server(2).count()).as("the parent is not asked again").isZero();
        assertThat(world.internet.count())
                .as("servers are known to be dead")
                .isLessThanOrEqualTo(3);
    }

    @Test
    void b051RefusedByAll() throws IOException {
        threeServers(Reply.code(ResponseCode.REFUSED));
        world.resolver("qname-minimisation: off\n");
        failsFast("www.dead.test", 100);
        for (int i = 1; i <= 3; i++) {
            assertThat(world.internet.server(20 + i).count()).isOne();
        }
        world.internet.clear();
        failsFast("other.dead.test", 10);
        assertThat(world.internet.server(2).count()).isZero();
        assertThat(world.internet.count()).isLessThanOrEqualTo(3);
    }

    @Test
    void b051TheBackOffGrowsFromOneSecondAndEnds() throws IOException {
        threeServers(Reply.code(ResponseCode.SERVFAIL));
        world.resolver("qname-minimisation: off\n");
        final ScriptedServer one = world.internet.server(21);
        final ScriptedServer two = world.internet.server(22);
        final ScriptedServer three = world.internet.server(23);
        final List<Integer> waits = new ArrayList<>();
        int quiet = 0;
        for (int second = 0; second < 900; second++) {
            final int before = one.count() + two.count() + three.count();
            failsFast("www.dead.test", 1);
            if (one.count() + two.count() + three.count() > before) {
                waits.add(quiet);
                quiet = 0;
            }
            quiet++;
            world.advanceSeconds(1);
        }
        final List<Integer> periods = waits.subList(1, waits.size());
        assertThat(periods).isSorted().startsWith(1).allMatch(p -> p >= 1 && p <= 30);
        assertThat(periods.getLast()).isEqualTo(30);
    }

    @Test
    void b051AnAliasLoop() throws IOException {
        world.internet.zone(
                "a.test", 11, "x.a.test. 60 CNAME y.a.test.", "y.a.test. 60 CNAME x.a.test.");
        failsFast("x.a.test", 1);
        world.internet.clear();
        failsFast("x.a.test", 99);
        assertThat(world.internet.log()).isEmpty();
    }

    @Test
    void b055() throws IOException {
        world.internet.zone("a.test", 11, "a.test. 3600 SOA ns. host. 1 1 1 1 60");
        assertThat(world.ask("nx.a.test", "A").authority())
                .singleElement()
                .matches(soa -> soa.rdataText().contains(" 1 1 1 1 60"));
        world.advanceSeconds(10);
        world.internet
                .server(11)
                .zone(
                        "a.test",
                        "a.test. 3600 SOA ns. host. 2 1 1 1 60",
                        "w.a.test. 30 A 192.0.2.1",
                        "w.a.test. 20 A 192.0.2.2");
        for (int i = 0; i < 2; i++) {
            assertThat(world.answer("a.test", "SOA"))
                    .singleElement()
                    .asString()
                    .startsWith("a.test. SOA ns. host. 2 ");
        }
        assertThat(world.ask("nx2.a.test", "A").authority()).hasSize(1);
        final DnsMessage mixed = world.ask("w.a.test", "A");
        assertThat(mixed.answer()).hasSize(2);
        assertThat(Scene.ttl(mixed)).isEqualTo(20);
        world.internet
                .server(11)
                .zone("a.test", "w.a.test. 30 A 192.0.2.2", "w.a.test. 30 A 192.0.2.3");
        world.advanceSeconds(31);
        for (int i = 0; i < 2; i++) {
            assertThat(world.answer("w.a.test", "A"))
                    .containsExactlyInAnyOrder("w.a.test. A 192.0.2.2", "w.a.test. A 192.0.2.3");
        }
    }

    @Test
    void b059() throws IOException {
        world.internet.zone("example", 3);
        world.internet
                .server(3)
                .zone(
                        "co.example",
                        "good.co.example. 86400 NS ns.good.co.example.",
                        "ns.good.co.example. 86400 A " + address(31),
                        "evil.co.example. 86400 NS ns.evil.co.example.",
                        "ns.evil.co.example. 86400 A " + address(66))
                .zone(
                        "example",
                        "co.example. 86400 NS ns.example.",
                        "ns.example. 86400 A " + address(3));
        world.internet.server(31).zone("good.co.example", "good.co.example. 60 A 192.0.2.100");
        final ScriptedServer evil =
                world.internet
                        .server(66)
                        .zone("evil.co.example")
                        .on(
                                "x.evil.co.example",
                                "A",
                                authoritative("x.evil.co.example. 60 A 192.0.2.67")
                                        .authority("co.example. 86400 NS ns.evil.co.example.")
                                        .additional("ns.example. 86400 A " + address(66)));
        world.resolver("answer: full\n");
        for (int i = 0; i < 2; i++) {
            final DnsMessage message = world.ask("x.evil.co.example", "A");
            assertThat(message.answer()).hasSize(1);
            assertThat(message.authority()).isEmpty();
            assertThat(message.additional()).isEmpty();
        }
        world.internet.clear();
        assertThat(world.answer("good.co.example", "A"))
                .containsExactly("good.co.example. A 192.0.2.100");
        assertThat(evil.count()).isZero();
        assertThat(world.ask("ns.example", "A").answer())
                .extracting(ResourceRecord::rdataText)
                .containsExactly(address(3));
    }

    @Test
    void b061() throws IOException {
        world.internet.zone("a.test", 11, "ns1.a.test. 3600 A " + address(61));
        final String own = "ns1.a.test. A " + address(61);
        assertThat(world.answer("ns1.a.test", "A")).containsExactly(own);
        world.internet.tld("c.test. 86400 NS ns1.a.test.", "ns1.a.test. 86400 A " + address(99));
        world.internet.server(61).zone("c.test", "w.c.test. 60 A 192.0.2.5");
        world.internet.server(99).zone("c.test", "w.c.test. 60 A 192.0.2.6");
        assertThat(world.answer("w.c.test", "A")).containsExactly("w.c.test. A 192.0.2.5");
        assertThat(world.answer("ns1.a.test", "A")).containsExactly(own);
        assertThat(world.internet.server(99).count()).isZero();
    }

    @Test
    void b061GlueIsNeverAnAnswer() throws IOException {
        final ScriptedServer server = world.internet.zone("a.test", 11, "w.a.test. 60 A 192.0.2.5");
        server.on(
                "w.a.test",
                "A",
                authoritative("w.a.test. 60 A 192.0.2.5")
                        .additional("other.a.test. 86400 A 192.0.2.9"));
        world.answer("w.a.test", "A"); // with the glue of ns.a.test from its parent
        server.zone("a.test", "ns.a.test. 60 A " + address(11), "other.a.test. 60 A 192.0.2.78");
        for (int i = 0; i < 2; i++) {
            final DnsMessage response = world.ask("ns.a.test", "A");
            assertThat(Scene.data(response, "A")).containsExactly(address(11));
            assertThat(Scene.ttl(response)).as("the TTL of the zone, not of glue").isEqualTo(60);
            assertThat(world.answer("other.a.test", "A"))
                    .containsExactly("other.a.test. A 192.0.2.78");
        }
        assertThat(server.count("ns.a.test", "A")).isOne();
        assertThat(server.count("other.a.test", "A")).isOne();
    }

    @Test
    void b063() throws IOException {
        for (int i = 1; i <= 6; i++) {
            world.internet.tld(
                    "lame.test. 86400 NS ns%d.lame.test.".formatted(i),
                    "ns%d.lame.test. 86400 A %s".formatted(i, address(30 + i)));
            world.internet.server(30 + i).always(Reply.code(ResponseCode.REFUSED));
        }
        world.resolver("qname-minimisation: off\n");
        final DnsMessage first = world.ask("www.lame.test", "A");
        assertThat(first.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
        assertThat(first.extendedErrors())
                .containsAnyOf(
                        ExtendedError.NO_REACHABLE_AUTHORITY.code(),
                        ExtendedError.NETWORK_ERROR.code());
        failsFast("www.lame.test", 9);
        for (int i = 1; i <= 6; i++) {
            assertThat(world.internet.server(30 + i).count()).isOne();
        }
        world.internet.clear();
        failsFast("www.lame.test", 10);
        failsFast("mail.lame.test", 1);
        assertThat(world.internet.log()).isEmpty();
    }

    @Test
    void b065() throws IOException {
        world.internet.tld("c.test. 4 NS ns.c.test.", "ns.c.test. 4 A " + address(13));
        world.internet
                .server(13)
                .zone("c.test", "c.test. 86400 NS ns.c.test.", "ns.c.test. 86400 A " + address(13))
                .on(
                        query -> query.name().isSubdomainOf(Name.of("w.c.test")),
                        query ->
                                authoritative(query.name() + " 1 A 192.0.2.5")
                                        .authority("c.test. 86400 NS ns.c.test.")
                                        .additional("ns.c.test. 86400 A " + address(13))
                                        .to(query));
        world.with(c -> c.withCaching(c.caching().withRenewals(100)));
        assertThat(world.answer("w.c.test", "A")).hasSize(1);
        assertThat(world.answer("c.test", "NS")).hasSize(1);
        for (int second = 2; second <= 60; second += 2) {
            world.advanceSeconds(2);
            if (second == 2) {
                world.internet.withdraw("c.test");
            }
            for (String name : List.of("w.c.test", "n" + second + ".w.c.test")) {
                final int code = world.ask(name, "A").responseCode();
                if (second > 4) {
                    assertThat(code)
                            .as("%s after %d s", name, second)
                            .isEqualTo(ResponseCode.NXDOMAIN);
                }
            }
        }
    }

    @Test
    void b067() throws IOException {
        final ScriptedServer victim = world.internet.zone("victim.test", 99);
        world.internet
                .zone("evil.test", 66)
                .on("alias.evil.test", authoritative("alias.evil.test. 60 CNAME x.next.evil.test."))
                .on(
                        query -> query.name().labelCount() >= 4,
                        query -> {
                            final Name cut = query.name().suffix(3);
                            final String label = cut.toString().replace('.', '-');
                            final List<String> servers = new ArrayList<>();
                            for (int i = 0; i < 200; i++) {
                                servers.add(
                                        "%s 60 NS fake%d-%s.victim.test.".formatted(cut, i, label));
                            }
                            return ReplyMessage.empty()
                                    .flags(0)
                                    .authority(servers.toArray(String[]::new))
                                    .to(query);
                        });
        world.resolver("qname-minimisation: off\n");
        for (String name : List.of("w.sub.evil.test", "alias.evil.test")) {
            world.internet.clear();
            failsFast(name, 1);
            assertThat(victim.queriesBelow("victim.test").size())
                    .as("%s: %s", name, world.internet.log())
                    .isBetween(1, 12);
            assertThat(world.internet.count()).isLessThanOrEqualTo(64);
            failsFast(name, 10);
            assertThat(world.internet.count()).isLessThanOrEqualTo(64);
        }
    }

    @Test
    void b067AliasesDoNotRenewTheBudget() throws IOException {
        for (int i = 0; i < 15; i++) {
            for (int k = 0; k < 5; k++) {
                world.internet.tld("evil%d.test. 60 NS n%d-%d.victim.test.".formatted(i, i, k));
            }
            if (i < 14) {
                world.internet
                        .server(66)
                        .zone(
                                "evil" + i + ".test",
                                "a%d.evil%d.test. 60 CNAME a%d.evil%d.test."
                                        .formatted(i, i, i + 1, i + 1));
            }
        }
        world.internet
                .zone("victim.test", 99)
                .on(
                        query -> query.name().toString().matches("n\\d+-[0-3].*"),
                        Reply.nameError("victim.test. 60 SOA ns. host. 1 1 1 1 60").authoritative())
                .on(
                        query ->
                                query.type() == RecordType.A
                                        && query.name().toString().matches("n\\d+-4.*"),
                        query -> authoritative(query.name() + " 60 A " + address(66)).to(query));
        failsFast("a0.evil0.test", 1);
        // one budget of 64 for all, priming of the root aside
        assertThat(world.internet.count()).isBetween(50, 66);
    }

    @Test
    void b087() throws IOException {
        world.ask("warm.test", "A");
        world.internet.clear();
        for (String name : List.of("abc.onion", "sub.abc.onion", "aBc.OnIoN", "SUB.ABC.ONION")) {
            for (String type : List.of("A", "AAAA", "TXT", "HTTPS", "TYPE65300")) {
                for (boolean dnssec : new boolean[] {false, true}) {
                    final Query query = Scene.query(name, type);
                    final DnsMessage message =
                            world.client().ask(dnssec ? query.dnssecOk() : query);
                    assertThat(message.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
                    assertThat(message.answer()).isEmpty();
                }
            }
        }
        assertThat(world.internet.log()).isEmpty();
        assertThat(world.server().cache().list(Name.of("onion"), true, 10, 0)).isEmpty();
        assertThat(world.ask("xonion", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(world.internet.server(1).count()).isPositive();
    }

    @Test
    void b091() throws IOException {
        world.internet
                .zone("z.test", 11, "a.b.z.test. 60 A 192.0.2.3")
                .on(
                        "b.z.test",
                        Reply.nameError("z.test. 60 SOA ns. host. 1 1 1 1 60").authoritative());
        world.resolver("qname-minimisation: relaxed\n");
        for (int i = 0; i < 2; i++) {
            assertThat(world.answer("a.b.z.test", "A")).containsExactly("a.b.z.test. A 192.0.2.3");
            assertThat(world.ask("b.z.test", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
            world.server().cache().flush(Name.of("a.b.z.test"), false);
        }
        assertThat(world.internet.server(11).count("b.z.test", "A")).isPositive();
    }

    @Test
    void b091ANameErrorWithNsRecordsIsFinal() throws IOException {
        world.internet
                .zone("z.test", 11)
                .on(
                        query -> query.name().isSubdomainOf(Name.of("nx.z.test")),
                        Reply.nameError("z.test. 60 SOA ns. host. 1 1 1 1 60")
                                .authoritative()
                                .authority("z.test. 60 NS ns.nx.z.test.")
                                .additional("ns.nx.z.test. 60 A " + address(66)));
        final ScriptedServer other = world.internet.server(66);
        for (int i = 0; i < 2; i++) {
            assertThat(world.ask("nx.z.test", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        }
        assertThat(world.internet.server(11).count("nx.z.test", "A")).isOne();
        assertThat(other.count()).isZero();
    }

    /** A flush reaches what recursion remembers besides the cache. */
    @Test
    void flushesReachWhatWasLearnt() throws IOException {
        world.internet.zone("z.test", 11, "www.z.test. 600 A 192.0.2.1");
        world.with(c -> c.withAdmin(new Configuration.Admin(ConfigValues.admin("127.0.0.1:0"))));
        for (String flush : List.of("--negatives", "z.test --subtree", "new.z.test", "--all")) {
            world.internet.server(11).zone("z.test", "www.z.test. 600 A 192.0.2.1");
            world.flush("--all");
            assertThat(world.ask("new.z.test", "A").responseCode())
                    .isEqualTo(ResponseCode.NXDOMAIN);
            world.internet
                    .server(11)
                    .zone("z.test", "new.z.test. 600 A 192.0.2.2", "www.z.test. 600 A 192.0.2.1");
            assertThat(world.ask("new.z.test", "AAAA").responseCode())
                    .as("one name error for all types")
                    .isEqualTo(ResponseCode.NXDOMAIN);
            world.flush(flush.split(" "));
            assertThat(world.answer("new.z.test", "A"))
                    .as(flush)
                    .containsExactly("new.z.test. A 192.0.2.2");
        }
    }
}
