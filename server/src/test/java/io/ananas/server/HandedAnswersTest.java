package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.cache.CacheOptions;
import io.ananas.message.ExtendedError;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ReplyMessage;
import io.ananas.testkit.ResourceRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cases of the collection about what an answer is and how long it lives; named by their ids. */
@Timeout(60)
class HandedAnswersTest {
    private static final String SOA =
            " IN SOA ns.example.test. admin.example.test. 1 3600 600 86400 ";

    private static UnaryOperator<Configuration> cache(UnaryOperator<CacheOptions> change) {
        return c -> c.withCache(change.apply(c.cache()));
    }

    @Test
    void b001() throws IOException {
        try (Scene scene =
                Scene.open(cache(o -> o.withTtl(600, 86_400).withNegativeTtl(0, 3_600)))) {
            scene.upstream
                    .when("nx.example.test", "A")
                    .reply(Reply.nameError("example.test. 3600" + SOA + "1").authoritative());
            final DnsMessage first = scene.ask("nx.example.test", "A");
            assertThat(first.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
            assertThat(first.authority().getFirst().ttl()).isOne();
            scene.advance(Duration.ofMillis(500));
            assertThat(scene.ask("nx.example.test", "A").authority().getFirst().ttl()).isOne();
            assertThat(scene.upstream.count()).isOne();
            scene.advance(Duration.ofMillis(1_500));
            scene.ask("nx.example.test", "A");
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
    }

    @Test
    void b001ASeparateMinimumOfDenialsHolds() throws IOException {
        try (Scene scene = Scene.open(cache(o -> o.withNegativeTtl(20, 3_600)))) {
            scene.upstream
                    .when("nx.example.test", "A")
                    .reply(Reply.nameError("example.test. 3600" + SOA + "1"));
            final DnsMessage first = scene.ask("nx.example.test", "A");
            assertThat(first.authority().getFirst().ttl()).isEqualTo(20);
        }
    }

    @Test
    void b003() throws IOException {
        final String alias = "alias.example.test. 300 IN CNAME tgt.example.test.";
        try (Scene scene = Scene.open()) {
            scene.upstream.when("alias.example.test", "A").answer(alias);
            scene.upstream
                    .when("tgt.example.test", "A")
                    .answer("tgt.example.test. 60 IN A 192.0.2.7");
            for (int i = 0; i < 2; i++) {
                final DnsMessage response = scene.ask("alias.example.test", "A");
                assertThat(response.answer()).hasSize(2);
                assertThat(Scene.data(response, "A")).containsExactly("192.0.2.7");
            }
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("alias.example.test", "A")
                    .reply(Reply.answer(alias).authority("example.test. 3600" + SOA + "20"));
            final DnsMessage fresh = scene.ask("alias.example.test", "A");
            assertThat(fresh.answer()).hasSize(1);
            assertThat(fresh.answer().getFirst().ttl()).isEqualTo(300);
            assertThat(fresh.authority().getFirst().ttl()).isEqualTo(20);
            scene.advanceSeconds(19);
            assertThat(scene.ask("alias.example.test", "A").answer()).hasSize(1);
            assertThat(scene.upstream.count()).isOne();
            scene.advanceSeconds(2);
            scene.ask("alias.example.test", "A");
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
    }

    @Test
    void b003AnAliasToNowhereIsNotKept() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("alias.example.test", "A")
                    .answer("alias.example.test. 300 IN CNAME tgt.example.test.");
            scene.upstream
                    .when("tgt.example.test", "A")
                    .reply(ReplyMessage.empty())
                    .answer("tgt.example.test. 60 IN A 192.0.2.7");
            assertThat(scene.ask("alias.example.test", "A").answer()).hasSize(1);
            assertThat(scene.ask("alias.example.test", "A").answer()).hasSize(2);
        }
    }

    @Test
    void b005() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("www.a.test", "A")
                    .reply(
                            Reply.answer("www.a.test. 10 IN CNAME h.b.test.")
                                    .code(ResponseCode.NXDOMAIN)
                                    .authority(
                                            "a.test. 3600 IN SOA ns.a.test. x.a.test. 1 1 1 1 60"));
            scene.upstream.when("h.b.test", "A").answer("h.b.test. 600 IN A 192.0.2.44");
            for (int i = 0; i < 2; i++) {
                final DnsMessage response = scene.ask("www.a.test", "A");
                assertThat(response.responseCode()).isEqualTo(ResponseCode.NOERROR);
                assertThat(response.answer()).hasSize(2);
                assertThat(Scene.data(response, "A")).containsExactly("192.0.2.44");
                assertThat(response.authority()).isEmpty();
            }
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
    }

    @Test
    void b007() throws IOException {
        try (Scene scene = Scene.open(cache(o -> o.withTtl(60, 86_400)))) {
            scene.upstream
                    .when("z.example.test", "A")
                    .answer("z.example.test. 0 IN A 192.0.2.1")
                    .answer("z.example.test. 0 IN A 192.0.2.2");
            for (int i = 1; i <= 2; i++) {
                final DnsMessage response = scene.ask("z.example.test", "A");
                assertThat(Scene.data(response, "A")).containsExactly("192.0.2." + i);
                assertThat(Scene.ttl(response)).isZero();
                scene.advanceSeconds(1);
            }
        }
    }

    @Test
    void b009() throws IOException {
        try (Scene scene = Scene.open(cache(o -> o.withTtl(0, 604_800)))) {
            final long[] ttls = {0x7fff_ffffL, 0x8000_0000L, 0xffff_ffffL};
            for (int i = 0; i < ttls.length; i++) {
                final String name = "t" + i + ".example.test";
                scene.upstream
                        .when(name, "A")
                        .reply(Reply.answer(name + ". 1 IN A 192.0.2.1").ttl(ttls[i]));
                assertThat(Scene.ttl(scene.ask(name, "A"))).isEqualTo(604_800);
                assertThat(
                                scene.server
                                        .cache()
                                        .list(
                                                io.ananas.message.Name.of(name),
                                                false,
                                                10,
                                                (int) scene.clock.instant().getEpochSecond())
                                        .getFirst()
                                        .remaining())
                        .isEqualTo(604_800);
                scene.advanceSeconds(10);
                assertThat(Scene.ttl(scene.ask(name, "A"))).isEqualTo(604_790);
            }
            assertThat(scene.upstream.count()).isEqualTo(3);
        }
    }

    @Test
    void b011() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream.when("s.a.test", "A").answer("s.a.test. 300 IN CNAME s.a.test.");
            scene.upstream.when("x.a.test", "A").answer("x.a.test. 300 IN CNAME y.b.test.");
            scene.upstream.when("y.b.test", "A").answer("y.b.test. 300 IN CNAME x.a.test.");
            for (int i = 0; i < 3; i++) {
                for (String name : new String[] {"s.a.test", "x.a.test"}) {
                    final DnsMessage response = scene.ask(name, "A");
                    assertThat(response.responseCode()).isEqualTo(ResponseCode.SERVFAIL);
                    assertThat(response.extendedErrors())
                            .contains(ExtendedError.INVALID_DATA.code());
                    assertThat(response.answer()).isEmpty();
                }
            }
            assertThat(scene.upstream.count()).isEqualTo(3);
        }
    }

    @Test
    void b013() throws IOException {
        final List<String> records = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            records.add("h%d.a.test. 300 IN CNAME h%d.a.test.".formatted(i, i + 1));
        }
        records.add("h8.a.test. 300 IN A 192.0.2.80");
        try (Scene scene = Scene.open()) {
            scene.upstream.when("h0.a.test", "A").answer(records.toArray(String[]::new));
            for (int i = 0; i < 8; i++) { // and the same a step at a time
                scene.upstream
                        .when("k" + i + ".a.test", "A")
                        .answer("k%d.a.test. 300 IN CNAME k%d.a.test.".formatted(i, i + 1));
            }
            scene.upstream.when("k8.a.test", "A").answer("k8.a.test. 300 IN A 192.0.2.80");
            for (int i = 0; i < 2; i++) {
                assertThat(scene.ask("h0.a.test", "A").answer()).hasSize(9);
                assertThat(scene.ask("k0.a.test", "A").answer()).hasSize(9);
            }
            assertThat(scene.upstream.count()).isEqualTo(10);
        }
    }

    @Test
    void b015() throws IOException {
        final String dname = "old.test. 3600 IN DNAME new.test.";
        final String signature =
                "old.test. 3600 IN RRSIG DNAME 8 2 3600 20380101000000 20260101000000 1 old.test. AAAA";
        try (Scene scene = Scene.open()) {
            scene.upstream.when("foo.old.test", "A").answer(dname, signature);
            scene.upstream.when("foo.new.test", "A").answer("foo.new.test. 300 IN A 192.0.2.6");
            scene.upstream.when("a.bar.new.test", "A").answer("a.bar.new.test. 9 IN A 192.0.2.7");
            for (int i = 0; i < 2; i++) {
                final DnsMessage response = scene.ask("foo.old.test", "A");
                assertThat(response.answer()).hasSize(3);
                assertThat(Scene.data(response, "CNAME")).containsExactly("foo.new.test.");
                assertThat(Scene.data(response, "A")).containsExactly("192.0.2.6");
            }
            assertThat(scene.upstream.count()).isEqualTo(2);
            scene.advanceSeconds(600);
            for (int i = 0; i < 2; i++) { // from the DNAME that is known
                final DnsMessage response =
                        scene.client.ask(Scene.query("a.bar.old.test", "A").dnssecOk());
                assertThat(Scene.data(response, "DNAME")).containsExactly("new.test.");
                assertThat(Scene.data(response, "RRSIG")).hasSize(1);
                assertThat(Scene.data(response, "CNAME")).containsExactly("a.bar.new.test.");
                assertThat(Scene.data(response, "A")).containsExactly("192.0.2.7");
                assertThat(response.answer().getFirst().ttl()).isEqualTo(3_000);
            }
            assertThat(scene.upstream.count()).isEqualTo(3);
            assertThat(Scene.data(scene.ask("old.test", "DNAME"), "DNAME"))
                    .containsExactly("new.test.");
            assertThat(scene.upstream.count()).isEqualTo(3);
        }
    }

    @Test
    void b017() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("www.example.test", "A")
                    .answer("www.example.test. 300 IN A 192.0.2.1");
            for (String name : new String[] {"www.example.test", "wWw.ExAmPlE.tEsT"}) {
                final DnsMessage response = scene.ask(name, "A");
                assertThat(String.valueOf(response.question())).startsWith(name);
                assertThat(response.answer().getFirst().owner().toString()).isEqualTo(name + ".");
            }
            assertThat(scene.upstream.count()).isOne();
            assertThat(scene.server.cache().stats().entries()).isOne();
        }
    }

    @Test
    void b029() throws IOException {
        final String record = "u.example.test. 300 IN TYPE65300 \\# 4 c00c0001";
        try (Scene scene = Scene.open()) {
            scene.upstream.when("u.example.test", "TYPE65300").answer(record);
            scene.upstream
                    .when("mixed.example.test", "A")
                    .reply(
                            Reply.answer("mixed.example.test. 300 IN A 192.0.2.1")
                                    .additional(record));
            for (int i = 0; i < 2; i++) {
                assertThat(scene.ask("u.example.test", "TYPE65300").answer())
                        .isEqualTo(ResourceRecord.parse(record));
                final DnsMessage mixed = scene.ask("mixed.example.test", "A");
                assertThat(mixed.answer()).hasSize(1);
                assertThat(mixed.additional()).isEqualTo(ResourceRecord.parse(record));
                assertThat(mixed.additional().getFirst().rdataText())
                        .isEqualToIgnoringCase("\\# 4 c00c0001");
            }
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
    }

    /** Hot and cold, over UDP and TCP, whatever upstream would say: the one policy. */
    @Test
    void b031() throws IOException {
        final Reply[] upstreams = {
            Reply.answer("example.test. 300 IN A 192.0.2.1", "example.test. 300 IN MX 1 a.test."),
            Reply.answer("example.test. 300 IN HINFO \"RFC8482\" \"\""),
            Reply.code(ResponseCode.NOTIMP),
            Reply.code(ResponseCode.SERVFAIL)
        };
        for (Reply any : upstreams) {
            try (Scene scene = Scene.open()) {
                scene.upstream.when("example.test", "ANY").reply(any);
                scene.upstream.when("example.test", "A").answer("example.test. 300 IN A 192.0.2.1");
                scene.upstream
                        .when("example.test", "HINFO")
                        .answer("example.test. 300 IN HINFO \"real\" \"machine\"");
                for (int i = 0; i < 2; i++) { // cold, and after A and HINFO were cached
                    for (DnsMessage response :
                            List.of(
                                    scene.ask("example.test", "ANY"),
                                    scene.client.ask(Query.of("example.test", "ANY")),
                                    scene.client.askOverTcp(Scene.query("example.test", "ANY")))) {
                        assertThat(response.responseCode()).isZero();
                        assertThat(response.answer()).hasSize(1);
                        assertThat(response.answer().getFirst().rdataText()).contains("RFC8482");
                    }
                    scene.ask("example.test", "A");
                    assertThat(Scene.data(scene.ask("example.test", "HINFO"), "HINFO"))
                            .as("the answer to ANY is none to HINFO")
                            .singleElement()
                            .asString()
                            .contains("real");
                }
                assertThat(scene.upstream.count("example.test", "ANY")).isZero();
                assertThat(scene.upstream.count()).isEqualTo(2);
            }
        }
    }

    @Test
    void b031NotImplementedIsPassedOnOnce() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream.when("example.test", "TYPE262").reply(Reply.code(ResponseCode.NOTIMP));
            final DnsMessage response = scene.ask("example.test", "TYPE262");
            assertThat(response.responseCode()).isEqualTo(ResponseCode.NOTIMP);
            assertThat(scene.upstream.count()).isOne();
        }
    }

    @Test
    void b043() throws IOException {
        final String signature =
                "secure.test. 300 IN RRSIG A 8 2 300 20380101000000 20260101000000 1 secure.test. AAAA";
        final String address = "secure.test. 300 IN A 192.0.2.1";
        try (Scene scene = Scene.open()) {
            scene.upstream.when("secure.test", "RRSIG").answer(signature);
            scene.upstream.when("secure.test", "A").answer(address, signature);
            scene.upstream.when("broken.test", "A").answer(signature.replace("secure", "broken"));
            assertThat(scene.ask("secure.test", "RRSIG").answer()).hasSize(1);
            final DnsMessage data = scene.client.ask(Scene.query("secure.test", "A").dnssecOk());
            assertThat(data.answer()).hasSize(2);
            assertThat(data.answer().getFirst().type()).isOne();
            assertThat(scene.ask("broken.test", "A").responseCode())
                    .isEqualTo(ResponseCode.SERVFAIL);
            assertThat(scene.ask("secure.test", "RRSIG").answer()).hasSize(1);
        }
    }

    @Test
    void b055() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("nx.example.test", "A")
                    .reply(Reply.nameError("example.test. 3600" + SOA + "60"));
            scene.upstream
                    .when("example.test", "SOA")
                    .answer("example.test. 3600" + SOA.replace(" 1 ", " 2 ") + "60");
            scene.upstream
                    .when("set.example.test", "A")
                    .answer(
                            "set.example.test. 60 IN A 192.0.2.1",
                            "set.example.test. 20 IN A 192.0.2.2",
                            "set.example.test. 60 IN A 192.0.2.1")
                    .answer(
                            "set.example.test. 60 IN A 192.0.2.2",
                            "set.example.test. 60 IN A 192.0.2.3");
            scene.ask("nx.example.test", "A");
            scene.advanceSeconds(10);
            for (int i = 0; i < 2; i++) {
                final List<String> soa = Scene.data(scene.ask("example.test", "SOA"), "SOA");
                assertThat(soa).hasSize(1);
                assertThat(soa.getFirst()).contains(" 2 ");
                final DnsMessage set = scene.ask("set.example.test", "A");
                assertThat(Scene.data(set, "A"))
                        .containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
                assertThat(Scene.ttl(set)).isEqualTo(20);
            }
            scene.advanceSeconds(21);
            assertThat(Scene.data(scene.ask("set.example.test", "A"), "A"))
                    .containsExactlyInAnyOrder("192.0.2.2", "192.0.2.3");
        }
    }

    @Test
    void b057() throws IOException {
        final String signature =
                "host.test. 300 IN RRSIG A 8 2 300 20380101000000 20260101000000 1 host.test. AAAA";
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("alias.test", "A")
                    .answer(
                            signature, // in disorder from upstream
                            "host.test. 300 IN A 192.0.2.1",
                            "host.test. 300 IN A 192.0.2.2",
                            "alias.test. 300 IN CNAME host.test.",
                            "host.test. 300 IN A 192.0.2.3");
            final List<String> firsts = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                final DnsMessage response =
                        scene.client.ask(Scene.query("alias.test", "A").dnssecOk());
                final List<Integer> types =
                        response.answer().stream().map(ResourceRecord::type).toList();
                assertThat(types).containsExactly(5, 1, 1, 1, 46);
                assertThat(Scene.data(response, "A"))
                        .containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2", "192.0.2.3");
                firsts.add(Scene.data(response, "A").getFirst());
            }
            assertThat(firsts).contains("192.0.2.1", "192.0.2.2", "192.0.2.3");
        }
    }

    @Test
    void b071() throws IOException {
        for (int count : new int[] {100, 270, 1_000, 4_000}) {
            final List<String> records = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                final String text = count == 4_000 ? "%x" : "a string with a number: %08d";
                records.add(("big.test. 300 IN TXT \"" + text + "\"").formatted(i));
            }
            sameHitAndMiss(records, count);
        }
        final List<String> full = new ArrayList<>();
        for (int i = 0; i < 241; i++) { // 64 kB less a little
            full.add("big.test. 300 IN TXT \"%0250d\"".formatted(i));
        }
        sameHitAndMiss(full, 241);
    }

    private static void sameHitAndMiss(List<String> records, int count) throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream.when("big.test", "TXT").answer(records.toArray(String[]::new));
            final DnsMessage cut = scene.ask("big.test", "TXT");
            assertThat(cut.has(io.ananas.message.MessageLayout.TC)).isTrue();
            final DnsMessage fresh = scene.client.askOverTcp(Scene.query("big.test", "TXT"));
            final DnsMessage again = scene.client.askOverTcp(Scene.query("big.test", "TXT"));
            assertThat(fresh.answer()).hasSize(count);
            assertThat(again.answer()).isEqualTo(fresh.answer());
            assertThat(scene.upstream.queries().stream().filter(q -> !q.overTcp())).hasSize(1);
        }
    }
}
