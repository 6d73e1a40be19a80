package io.ananas.recursor;

import static io.ananas.message.ExtendedError.CACHED_ERROR;
import static io.ananas.message.ExtendedError.NO_REACHABLE_AUTHORITY;
import static io.ananas.message.ExtendedError.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.RecursorOptions.Minimisation;
import io.ananas.recursor.Resolution.Reason;
import io.ananas.recursor.Resolution.Source;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ReplyMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Situations that users of resolvers reported, by the id of the case. */
class HandedCasesTest {
    private final Lab lab = new Lab();

    private static ReplyMessage authoritative(String... answer) {
        return Reply.answer(answer).authoritative();
    }

    private Lab forwarding(String address) {
        return lab.options(
                lab.options()
                        .withZones(
                                List.of(
                                        ConfiguredZone.forward(
                                                Name.ROOT, List.of(Lab.socket(address))))));
    }

    @Test
    void b003AForwarderThatStopsAtTheAliasIsAskedForTheTarget() {
        forwarding("192.0.2.9");
        lab.server("192.0.2.9")
                .on("tgt.example.test", "A", Reply.answer("tgt.example.test. 60 A 192.0.2.7"))
                .on(
                        "alias.example.test",
                        "A",
                        Reply.answer("alias.example.test. 300 CNAME tgt.example.test."));
        assertThat(lab.answer("alias.example.test", "A"))
                .containsExactly(
                        "alias.example.test. CNAME tgt.example.test.",
                        "tgt.example.test. A 192.0.2.7");
    }

    @Test
    void b003AnSoaBehindTheAliasDeniesTheTargetAndLeavesTheAliasItsOwnTime() {
        forwarding("192.0.2.9");
        lab.server("192.0.2.9")
                .on(
                        "alias.example.test",
                        "A",
                        Reply.answer("alias.example.test. 300 CNAME tgt.example.test.")
                                .authority("example.test. 3600 SOA ns. host. 1 1 1 1 20"))
                .on("tgt.example.test", "A", Reply.answer("tgt.example.test. 60 A 192.0.2.7"));
        final DnsMessage first = lab.ask("alias.example.test", "A");
        assertThat(first.responseCode()).isZero();
        assertThat(first.answer()).hasSize(1);
        assertThat(first.authority().getFirst().ttl()).isEqualTo(20);
        assertThat(lab.ask("tgt.example.test", "A").answer()).isEmpty();
        assertThat(lab.internet.count()).isEqualTo(1);
        lab.advance(21);
        assertThat(lab.answer("alias.example.test", "A"))
                .as("the alias is known, its target is asked anew")
                .hasSize(2);
        assertThat(lab.server("192.0.2.9").count("alias.example.test", "A")).isEqualTo(1);
    }

    @Test
    void b005ANameErrorForATargetInAnotherZoneIsNotBelieved() {
        lab.zone("b.test", "192.0.2.12", "h.b.test. 600 A 192.0.2.44");
        lab.zone("a.test", "192.0.2.11")
                .on(
                        "www.a.test",
                        "A",
                        authoritative("www.a.test. 10 CNAME h.b.test.")
                                .code(ResponseCode.NXDOMAIN)
                                .authority("a.test. 60 SOA ns. host. 1 1 1 1 60"));
        final DnsMessage message = lab.ask("www.a.test", "A");
        assertThat(message.responseCode()).isZero();
        assertThat(Lab.text(message.answer()))
                .containsExactly("www.a.test. CNAME h.b.test.", "h.b.test. A 192.0.2.44");
        assertThat(message.authority()).isEmpty();
        assertThat(lab.ask("www.a.test", "AAAA").responseCode())
                .as("nothing negative is kept of a name that exists")
                .isZero();
    }

    @Test
    void b011AnAliasOfItselfFailsAtOnce() {
        lab.zone("a.test", "192.0.2.11", "s.a.test. 60 CNAME s.a.test.");
        final Resolution first = lab.failure("s.a.test", "A", OTHER);
        assertThat(first.view().recordCount()).isZero();
        assertThat(lab.server("192.0.2.11").count()).isLessThanOrEqualTo(2);
        lab.internet.clear();
        assertThat(lab.resolve("s.a.test", "A").source()).isEqualTo(Source.FAILED_BEFORE);
        assertThat(lab.internet.count()).isZero();
    }

    @Test
    void b011ALoopOverTwoZonesFailsAtTheFirstRepeat() {
        lab.zone("a.test", "192.0.2.11", "x.a.test. 60 CNAME y.b.test.");
        lab.zone("b.test", "192.0.2.12", "y.b.test. 60 CNAME x.a.test.");
        final Resolution failure = lab.failure("x.a.test", "A", OTHER);
        assertThat(failure.reasons().getFirst().text()).contains("leads back to x.a.test.");
        assertThat(lab.server("192.0.2.11").count()).isLessThanOrEqualTo(2);
        assertThat(lab.server("192.0.2.12").count()).isLessThanOrEqualTo(2);
        assertThat(lab.count(Event.ALIAS_LOOP)).isEqualTo(1);
        assertThat(lab.resolve("x.a.test", "A").source()).isEqualTo(Source.FAILED_BEFORE);
    }

    @Test
    void b013EightAliasesOverTwoZonesWithMinimisation() {
        final List<String> a = new ArrayList<>();
        final List<String> b = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            final String next = i == 8 ? "end.a.test." : name(i + 1);
            (i % 2 == 1 ? a : b).add("%s 60 CNAME %s".formatted(name(i), next));
        }
        a.add("end.a.test. 60 A 192.0.2.80");
        lab.zone("a.test", "192.0.2.11", a.toArray(String[]::new));
        lab.zone("b.test", "192.0.2.12", b.toArray(String[]::new));
        final List<String> answer = lab.answer("l1.deep.a.test", "A");
        assertThat(answer).hasSize(9);
        assertThat(answer.getLast()).isEqualTo("end.a.test. A 192.0.2.80");
    }

    private static String name(int i) {
        return "l%d.deep.%s.test.".formatted(i, i % 2 == 1 ? "a" : "b");
    }

    @Test
    void b015ADnameAloneIsCompletedAndServesOtherNames() {
        lab.zone("old.test", "192.0.2.11")
                .on(
                        query -> query.name().isSubdomainOf(Name.of("old.test")),
                        authoritative("old.test. 3600 DNAME new.test."));
        lab.zone(
                "new.test",
                "192.0.2.12",
                "foo.new.test. 60 A 192.0.2.6",
                "bar.new.test. 60 A 192.0.2.7");
        assertThat(lab.answer("foo.old.test", "A"))
                .containsExactly(
                        "old.test. DNAME new.test.",
                        "foo.old.test. CNAME foo.new.test.",
                        "foo.new.test. A 192.0.2.6");
        final int asked = lab.server("192.0.2.11").count();
        assertThat(lab.answer("bar.old.test", "A"))
                .containsExactly(
                        "old.test. DNAME new.test.",
                        "bar.old.test. CNAME bar.new.test.",
                        "bar.new.test. A 192.0.2.7");
        assertThat(lab.server("192.0.2.11").count()).isEqualTo(asked);
    }

    @Test
    void b043SignaturesAskedForDoNotStandForTheRecords() {
        final String signature =
                "a.test. 60 RRSIG A 13 2 60 20300101000000 20200101000000 1 a.test. AAAA";
        lab.zone("a.test", "192.0.2.11", "a.test. 60 A 192.0.2.5", signature);
        assertThat(lab.answer("a.test", "RRSIG")).singleElement().asString().contains("RRSIG A");
        final DnsMessage address = lab.ask("a.test", "A");
        assertThat(address.answer())
                .extracting(record -> record.type())
                .containsExactly(RecordType.A, RecordType.RRSIG);
    }

    @Test
    void b043SignaturesWithoutRecordsAreNoDenial() {
        final String signature =
                "a.test. 60 RRSIG A 13 2 60 20300101000000 20200101000000 1 a.test. AAAA";
        lab.zone("a.test", "192.0.2.11").on("a.test", "A", authoritative(signature));
        lab.tld("a.test. 86400 NS ns2.a.test.", "ns2.a.test. 86400 A 192.0.2.12");
        lab.server("192.0.2.12").zone("a.test", "a.test. 60 A 192.0.2.5");
        assertThat(lab.answer("a.test", "A")).containsExactly("a.test. A 192.0.2.5");
        lab.server("192.0.2.12").always(authoritative(signature));
        lab.advance(61);
        assertThat(lab.failure("a.test", "A", NO_REACHABLE_AUTHORITY).view().recordCount())
                .isZero();
    }

    @Test
    void b051AZoneWhoseServersAreSilentIsTriedOnceAndThenLeftAlone() {
        threeServers();
        for (int i = 1; i <= 3; i++) {
            lab.server("192.0.2.2" + i).always(Reply.silence());
        }
        lab.failure("www.dead.test", "A", NO_REACHABLE_AUTHORITY);
        lab.internet.clear();
        for (int i = 0; i < 100; i++) {
            final Resolution again = lab.failure("www.dead.test", "A", NO_REACHABLE_AUTHORITY);
            assertThat(again.reasons()).extracting(Reason::error).contains(CACHED_ERROR);
        }
        assertThat(lab.internet.count()).isZero();
        lab.failure("other.dead.test", "A", NO_REACHABLE_AUTHORITY);
        lab.failure("third.dead.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(lab.internet.log()).as("servers are known to be dead").isEmpty();
        lab.advance(2);
        lab.failure("fourth.dead.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(lab.internet.count()).as("one try for each").isLessThanOrEqualTo(3);
        assertThat(lab.tld().count()).as("the parent is not asked again").isZero();
    }

    @Test
    void b051BackOffGrowsAndEndsAtThirtySeconds() {
        lab.zone("a.test", "192.0.2.11").always(Reply.code(ResponseCode.SERVFAIL));
        lab.failure("x.a.test", "A", NO_REACHABLE_AUTHORITY);
        int attempts = 0;
        int seconds = 0;
        int longest = 0;
        int quiet = 0;
        while (seconds < 3_600) {
            lab.advance(1);
            seconds++;
            quiet++;
            if (lab.resolve("x.a.test", "A").source() == Source.FAILED) {
                attempts++;
                longest = Math.max(longest, quiet);
                quiet = 0;
            }
        }
        assertThat(attempts).isBetween(100, 130);
        assertThat(longest).isBetween(30, 31);
        lab.server("192.0.2.11").unscripted().zone("a.test", "x.a.test. 60 A 192.0.2.8");
        lab.advance(301);
        assertThat(lab.answer("x.a.test", "A")).hasSize(1);
    }

    private void threeServers() {
        for (int i = 1; i <= 3; i++) {
            lab.tld(
                    "dead.test. 86400 NS ns%d.dead.test.".formatted(i),
                    "ns%d.dead.test. 86400 A 192.0.2.2%d".formatted(i, i));
        }
    }

    @Test
    void b055ANewerSetReplacesTheOlderWhole() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 30 A 192.0.2.1", "w.a.test. 30 A 192.0.2.2");
        assertThat(lab.answer("w.a.test", "A")).hasSize(2);
        lab.server("192.0.2.11")
                .zone("a.test", "w.a.test. 30 A 192.0.2.2", "w.a.test. 30 A 192.0.2.3");
        lab.advance(31);
        assertThat(lab.answer("w.a.test", "A"))
                .containsExactlyInAnyOrder("w.a.test. A 192.0.2.2", "w.a.test. A 192.0.2.3");
    }

    @Test
    void b055AnSoaOfADenialDoesNotAnswerForTheSoa() {
        lab.zone("a.test", "192.0.2.11", "a.test. 3600 SOA ns. host. 1 1 1 1 60");
        assertThat(lab.ask("nx.a.test", "A").authority()).hasSize(1);
        lab.server("192.0.2.11").zone("a.test", "a.test. 3600 SOA ns. host. 2 1 1 1 60");
        assertThat(lab.answer("a.test", "SOA"))
                .singleElement()
                .asString()
                .startsWith("a.test. SOA ns. host. 2 ");
    }

    @Test
    void b055MixedTtlsOfASetBecomeTheLowest() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 300 A 192.0.2.1", "w.a.test. 40 A 192.0.2.2");
        assertThat(lab.ask("w.a.test", "A").answer())
                .extracting(record -> record.ttl())
                .containsExactly(40L, 40L);
    }

    @Test
    void b059RecordsOfAParentZoneAreDropped() {
        lab.options(lab.options().withFullAnswers(true));
        lab.root("example. 86400 NS ns.example.", "ns.example. 86400 A 192.0.2.3");
        lab.server("192.0.2.3")
                .zone(
                        "co.example",
                        "good.co.example. 86400 NS ns.good.co.example.",
                        "ns.good.co.example. 86400 A 192.0.2.31",
                        "evil.co.example. 86400 NS ns.evil.co.example.",
                        "ns.evil.co.example. 86400 A 192.0.2.66")
                .zone(
                        "example",
                        "co.example. 86400 NS ns.example.",
                        "ns.example. 86400 A 192.0.2.3");
        lab.server("192.0.2.31").zone("good.co.example", "good.co.example. 60 A 192.0.2.100");
        lab.server("192.0.2.66")
                .zone("evil.co.example")
                .on(
                        "x.evil.co.example",
                        "A",
                        authoritative("x.evil.co.example. 60 A 192.0.2.67")
                                .authority("co.example. 86400 NS ns.evil.co.example.")
                                .additional("ns.example. 86400 A 192.0.2.66"));
        final DnsMessage message = lab.ask("x.evil.co.example", "A");
        assertThat(message.answer()).hasSize(1);
        assertThat(message.authority()).isEmpty();
        assertThat(message.additional()).isEmpty();
        lab.internet.clear();
        assertThat(lab.answer("good.co.example", "A"))
                .containsExactly("good.co.example. A 192.0.2.100");
        assertThat(lab.server("192.0.2.66").count()).isZero();
    }

    @Test
    void b061GlueDoesNotReplaceWhatTheZoneSays() {
        lab.zone("a.test", "192.0.2.11", "ns1.a.test. 3600 A 192.0.2.61");
        assertThat(lab.answer("ns1.a.test", "A")).containsExactly("ns1.a.test. A 192.0.2.61");
        lab.tld("c.test. 86400 NS ns1.a.test.", "ns1.a.test. 86400 A 192.0.2.99");
        lab.server("192.0.2.61").zone("c.test", "w.c.test. 60 A 192.0.2.5");
        lab.server("192.0.2.99").zone("c.test", "w.c.test. 60 A 192.0.2.6");
        assertThat(lab.answer("w.c.test", "A")).containsExactly("w.c.test. A 192.0.2.5");
        assertThat(lab.answer("ns1.a.test", "A")).containsExactly("ns1.a.test. A 192.0.2.61");
        assertThat(lab.server("192.0.2.99").count()).isZero();
    }

    @Test
    void b061GlueIsNeverAnAnswer() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.answer("w.a.test", "A");
        lab.server("192.0.2.11").zone("a.test", "ns.a.test. 60 A 192.0.2.11");
        assertThat(lab.answer("ns.a.test", "A")).hasSize(1);
        assertThat(lab.server("192.0.2.11").count("ns.a.test", "A")).isEqualTo(1);
    }

    @Test
    void b063ServersThatRefuseAreAskedOnceEach() {
        for (int i = 1; i <= 6; i++) {
            lab.tld(
                    "lame.test. 86400 NS ns%d.lame.test.".formatted(i),
                    "ns%d.lame.test. 86400 A 192.0.2.3%d".formatted(i, i));
            lab.server("192.0.2.3" + i).always(Reply.code(ResponseCode.REFUSED));
        }
        lab.options(lab.options().withMinimisation(Minimisation.OFF));
        final Resolution failure = lab.failure("www.lame.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(failure.reasons().getFirst().text()).contains("REFUSED");
        for (int i = 1; i <= 6; i++) {
            assertThat(lab.server("192.0.2.3" + i).count()).isEqualTo(1);
        }
        lab.internet.clear();
        for (int i = 0; i < 10; i++) {
            lab.failure("www.lame.test", "A", NO_REACHABLE_AUTHORITY);
        }
        lab.failure("mail.lame.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(lab.internet.log()).isEmpty();
    }

    @Test
    void b065AWithdrawnZoneEndsWithTheParentsLifetime() {
        lab.tld("c.test. 4 NS ns.c.test.", "ns.c.test. 4 A 192.0.2.13");
        lab.server("192.0.2.13")
                .zone(
                        "c.test",
                        "c.test. 86400 NS ns.c.test.",
                        "ns.c.test. 86400 A 192.0.2.13",
                        "*.c.test. 1 A 192.0.2.5");
        lab.server("192.0.2.13")
                .on(
                        query -> query.name().isSubdomainOf(Name.of("w.c.test")),
                        query ->
                                authoritative(query.name() + " 1 A 192.0.2.5")
                                        .authority("c.test. 86400 NS ns.c.test.")
                                        .additional("ns.c.test. 86400 A 192.0.2.13")
                                        .to(query));
        assertThat(lab.answer("n0.w.c.test", "A")).hasSize(1);
        lab.advance(2);
        lab.withdraw("c.test");
        assertThat(lab.answer("n2.w.c.test", "A")).hasSize(1);
        for (int t = 6; t < 60; t += 2) {
            lab.advance(t == 6 ? 4 : 2);
            assertThat(lab.ask("n%d.w.c.test".formatted(t), "A").responseCode())
                    .as("after %d s", t)
                    .isEqualTo(ResponseCode.NXDOMAIN);
        }
    }

    @Test
    void b067ReferralsToManyNamesInAnotherZoneCostLittle() {
        final var victim = lab.zone("victim.test", "192.0.2.99");
        lab.zone("evil.test", "192.0.2.66", "end.evil.test. 60 A 192.0.2.1")
                .on(
                        query -> query.name().labelCount() >= 4,
                        query -> {
                            final List<String> ns = new ArrayList<>();
                            final Name cut = query.name().suffix(3);
                            for (int i = 0; i < 200; i++) {
                                ns.add(
                                        "%s 60 NS fake%d-%s.victim.test."
                                                .formatted(
                                                        cut, i, cut.toString().replace('.', '-')));
                            }
                            return ReplyMessage.empty()
                                    .flags(0)
                                    .authority(ns.toArray(String[]::new))
                                    .truncated()
                                    .to(query);
                        });
        lab.options(lab.options().withMinimisation(Minimisation.OFF));
        final Resolution failure = lab.failure("w.sub.evil.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(victim.queriesBelow("victim.test").size()).isBetween(1, 12);
        assertThat(failure.upstreamQueries()).isLessThanOrEqualTo(64);
        assertThat(lab.count(Event.LIMIT_SERVER_LOOKUPS)).isEqualTo(1);
    }

    @Test
    void b067AliasesDoNotRenewTheBudget() {
        final List<String> aliases = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            aliases.add("a%d.evil%d.test. 60 CNAME a%d.evil%d.test.".formatted(i, i, i + 1, i + 1));
        }
        for (int i = 0; i < 15; i++) {
            for (int k = 0; k < 5; k++) {
                lab.tld("evil%d.test. 60 NS n%d-%d.victim.test.".formatted(i, i, k));
            }
            if (i < 14) {
                lab.server("192.0.2.66").zone("evil" + i + ".test", aliases.get(i));
            }
        }
        lab.zone("victim.test", "192.0.2.99")
                .on(
                        query -> query.name().toString().matches("n\\d+-[0-3].*"),
                        Reply.code(ResponseCode.NXDOMAIN)
                                .authoritative()
                                .authority("victim.test. 60 SOA ns. host. 1 1 1 1 60"))
                .on(
                        query ->
                                query.type() == RecordType.A
                                        && query.name().toString().matches("n\\d+-4.*"),
                        query -> authoritative(query.name() + " 60 A 192.0.2.66").to(query));
        final Resolution failure = lab.failure("a0.evil0.test", "A", OTHER);
        assertThat(failure.upstreamQueries()).isEqualTo(64);
        assertThat(failure.reasons().getFirst().text()).contains("64 queries");
        assertThat(lab.count(Event.LIMIT_UPSTREAM_QUERIES)).isPositive();
    }

    @Test
    void b089ThePrivateReverseZonesAreAnsweredHereUnlessForwarded() {
        final ConfiguredZone forward =
                ConfiguredZone.forward(
                        Name.of("168.192.in-addr.arpa"), List.of(Lab.socket("192.0.2.53")));
        lab.options(
                lab.options()
                        .withZones(List.of(forward))
                        .withLocalZones(
                                new LocalZones.Builder()
                                        .specialNames()
                                        .without(List.of(forward))
                                        .build()));
        lab.server("192.0.2.53")
                .on(
                        "5.1.168.192.in-addr.arpa",
                        Reply.answer("5.1.168.192.in-addr.arpa. 60 PTR h.lan."));
        for (final String name :
                List.of(
                        "1.0.64.100.in-addr.arpa",
                        "254.255.127.100.in-addr.arpa",
                        "1.0.0.10.in-addr.arpa",
                        "5.4.3.31.172.in-addr.arpa",
                        "1.8.e.f.ip6.arpa",
                        "1.d.f.ip6.arpa")) {
            final DnsMessage message = lab.ask(name, "PTR");
            assertThat(message.responseCode()).as(name).isEqualTo(ResponseCode.NXDOMAIN);
            assertThat(message.has(MessageLayout.AA)).isTrue();
            assertThat(message.authority().getFirst().type()).isEqualTo(RecordType.SOA);
        }
        assertThat(lab.internet.count()).isZero();
        assertThat(lab.answer("5.1.168.192.in-addr.arpa", "PTR")).hasSize(1);
        lab.ask("1.0.0.32.172.in-addr.arpa", "PTR");
        assertThat(lab.root().count()).as("172.32/11 is public").isPositive();
    }

    @Test
    void b087OnionNamesNeverLeave() {
        lab.options(lab.options().withLocalZones(LocalZones.specialNames()));
        for (final String name : List.of("abc.onion", "sub.abc.ONION", "onion")) {
            for (final String type : List.of("A", "AAAA", "TXT")) {
                final DnsMessage message = lab.ask(name, type);
                assertThat(message.responseCode())
                        .isEqualTo(
                                name.equals("onion")
                                        ? ResponseCode.NOERROR
                                        : ResponseCode.NXDOMAIN);
                assertThat(message.answer()).isEmpty();
            }
        }
        assertThat(lab.internet.count()).isZero();
        lab.ask("xonion", "A");
        assertThat(lab.internet.count()).isPositive();
    }

    @Test
    void b091ANameErrorForAnEmptyNodeDoesNotHideNamesBelow() {
        lab.zone("z.test", "192.0.2.11", "a.b.z.test. 60 A 192.0.2.3")
                .on(
                        "b.z.test",
                        Reply.code(ResponseCode.NXDOMAIN)
                                .authoritative()
                                .authority("z.test. 60 SOA ns. host. 1 1 1 1 60"));
        assertThat(lab.answer("a.b.z.test", "A")).containsExactly("a.b.z.test. A 192.0.2.3");
        assertThat(lab.count(Event.MINIMISATION_FALLBACK)).isEqualTo(1);
        lab.ask("b.z.test", "A");
        assertThat(lab.answer("a.b.z.test", "A"))
                .as("an unsigned name error says nothing of names below")
                .hasSize(1);
    }

    @Test
    void b091AValidatedNameErrorCoversNamesBelow() {
        lab.zone("s.test", "192.0.2.11");
        final AtomicReference<AnswerValidator.Status> status =
                new AtomicReference<>(AnswerValidator.Status.SECURE);
        lab.validator((name, type, response, zone, fetcher) ->
                new AnswerValidator.Verdict(status.get(), null, ""));
        assertThat(lab.ask("q.s.test", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        lab.internet.clear();
        final DnsMessage below = lab.ask("x.q.s.test", "AAAA");
        assertThat(below.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(below.has(MessageLayout.AD)).isTrue();
        assertThat(lab.internet.count()).isZero();
    }

    @Test
    void b091ANameErrorWithNsRecordsIsFinal() {
        lab.zone("z.test", "192.0.2.11")
                .on(
                        query -> query.name().isSubdomainOf(Name.of("nx.z.test")),
                        Reply.code(ResponseCode.NXDOMAIN)
                                .authoritative()
                                .authority(
                                        "nx.z.test. 60 NS ns.nx.z.test.",
                                        "z.test. 60 SOA ns. host. 1 1 1 1 60")
                                .additional("ns.nx.z.test. 60 A 192.0.2.66"));
        final DnsMessage message = lab.ask("nx.z.test", "A");
        assertThat(message.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(lab.server("192.0.2.66").count()).isZero();
    }
}
