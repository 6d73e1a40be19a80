package io.ananas.recursor;

import static io.ananas.message.ExtendedError.NO_REACHABLE_AUTHORITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.RecursorOptions.Minimisation;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From the root downwards: priming, glue and its lack, loops, lame servers, address families. */
class DelegationTest {
    private final Lab lab = new Lab();

    @Test
    void theRootServersAreAskedForThemselvesOnce() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5", "v.a.test. 60 A 192.0.2.6");
        lab.answer("w.a.test", "A");
        lab.answer("v.a.test", "A");
        assertThat(lab.root().count(".", "NS")).isEqualTo(1);
        assertThat(lab.count(Event.PRIMING)).isEqualTo(1);
    }

    @Test
    void primingTakesServersThatTheHintsDoNotKnow() {
        lab.root(". 518400 NS b.root.", "b.root. 518400 A 192.0.2.4");
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.server("192.0.2.4").zone(".", "test. 60 NS ns.test.", "ns.test. 60 A 192.0.2.2");
        lab.root().on(query -> !query.name().isRoot(), Reply.silence());
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
    }

    @Test
    void hintsServeWherePrimingFails() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.root().on(".", "NS", Reply.code(ResponseCode.REFUSED));
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
        assertThat(lab.answer("a.test", "NS")).hasSize(1);
        assertThat(lab.count(Event.PRIMING)).isEqualTo(1);
    }

    @Test
    void aKnownDelegationIsNotAskedForAgainUntilItEnds() {
        lab.options(lab.options().withMaxTtl(604_800));
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.answer("w.a.test", "A");
        lab.internet.clear();
        lab.advance(100);
        lab.answer("w.a.test", "A");
        assertThat(lab.root().count() + lab.tld().count()).isZero();
        lab.advance(86_400);
        lab.answer("w.a.test", "A");
        assertThat(lab.tld().count()).isPositive();
        assertThat(lab.root().count()).isZero();
    }

    @Test
    void serversWithoutGlueAreLookedUp() {
        lab.zone("provider.test", "192.0.2.21", "dns.provider.test. 60 A 192.0.2.22");
        lab.tld("a.test. 60 NS dns.provider.test.");
        lab.server("192.0.2.22").zone("a.test", "w.a.test. 60 A 192.0.2.5");
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
        assertThat(lab.count(Event.SERVER_LOOKUP)).isEqualTo(1);
    }

    @Test
    void glueOutsideTheZoneOfItsServerIsNotTaken() {
        lab.root("other. 60 NS ns.other.", "ns.other. 60 A 192.0.2.30");
        lab.server("192.0.2.30")
                .zone("other", "ns.other. 60 A 192.0.2.30", "dns.other. 60 A 192.0.2.31");
        lab.tld()
                .on(
                        query -> query.name().isSubdomainOf(Name.of("a.test")),
                        Reply.answer()
                                .flags(0)
                                .authority("a.test. 60 NS dns.other.")
                                .additional("dns.other. 60 A 192.0.2.66"));
        lab.server("192.0.2.66").zone("a.test", "w.a.test. 60 A 192.0.2.66");
        lab.server("192.0.2.31").zone("a.test", "w.a.test. 60 A 192.0.2.5");
        assertThat(lab.answer("w.a.test", "A")).containsExactly("w.a.test. A 192.0.2.5");
        assertThat(lab.server("192.0.2.66").count()).isZero();
    }

    @Test
    void siblingsThatNeedEachOtherWork() {
        lab.tld(
                "a.test. 60 NS ns.b.test.",
                "b.test. 60 NS ns.a.test.",
                "b.test. 60 NS ns2.b.test.",
                "ns2.b.test. 60 A 192.0.2.12");
        lab.server("192.0.2.12")
                .zone("b.test", "ns.b.test. 60 A 192.0.2.11", "ns2.b.test. 60 A 192.0.2.12");
        lab.server("192.0.2.11")
                .zone("a.test", "ns.a.test. 60 A 192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
    }

    @Test
    void zonesServedByEachOtherEndAtOnce() {
        lab.tld("a.test. 60 NS ns.b.test.", "b.test. 60 NS ns.a.test.");
        final Resolution failure = lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(failure.upstreamQueries()).isLessThanOrEqualTo(4);
    }

    @Test
    void aLongRowOfZonesServedByTheNextEnds() {
        for (int i = 0; i < 30; i++) {
            lab.tld("z%d.test. 60 NS ns.z%d.test.".formatted(i, i + 1));
        }
        final Resolution failure = lab.failure("w.z0.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(failure.upstreamQueries()).isLessThanOrEqualTo(20);
        assertThat(lab.count(Event.LIMIT_DEPTH)).isPositive();
    }

    @Test
    void aLameServerIsPassedOverAndNotAskedForTheZoneAgain() {
        lab.tld(
                "a.test. 86400 NS ns1.a.test.",
                "a.test. 86400 NS ns2.a.test.",
                "ns1.a.test. 86400 A 192.0.2.11",
                "ns2.a.test. 86400 A 192.0.2.12");
        lab.server("192.0.2.11").always(Reply.code(ResponseCode.REFUSED));
        lab.server("192.0.2.12").zone("a.test", "*.a.test. 60 A 192.0.2.5");
        for (int i = 0; i < 20; i++) {
            assertThat(lab.answer("w%d.a.test".formatted(i), "A")).hasSize(1);
        }
        assertThat(lab.server("192.0.2.11").count()).isLessThanOrEqualTo(3);
    }

    @Test
    void anUpwardReferralIsLame() {
        lab.zone("a.test", "192.0.2.11")
                .always(Reply.answer().flags(0).authority("test. 60 NS ns.test."));
        assertThat(lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY).reasons().getFirst().text())
                .contains("refers to a zone that is not below a.test.");
    }

    @Test
    void aServerThatOnlyResolvesIsLame() {
        lab.zone("a.test", "192.0.2.11").always(Reply.answer());
        lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(lab.count(Event.UPSTREAM_LAME)).isPositive();
    }

    @Test
    void serversThatOnlyTheZoneItselfNamesHelpWhenThoseOfTheParentFail() {
        lab.tld("a.test. 86400 NS ns1.a.test.", "ns1.a.test. 86400 A 192.0.2.11");
        final String[] records = {
            "a.test. 86400 NS ns1.a.test.",
            "a.test. 86400 NS ns2.a.test.",
            "ns1.a.test. 86400 A 192.0.2.11",
            "ns2.a.test. 86400 A 192.0.2.12",
            "*.a.test. 1 A 192.0.2.5"
        };
        lab.server("192.0.2.11").zone("a.test", records);
        lab.server("192.0.2.12").zone("a.test", records);
        assertThat(lab.answer("a.test", "NS")).hasSize(2);
        lab.server("192.0.2.11").always(Reply.silence());
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
    }

    @Test
    void eachAddressFamilyCanBeSwitchedOff() {
        lab.tld(
                "a.test. 86400 NS ns.a.test.",
                "ns.a.test. 86400 A 192.0.2.11",
                "ns.a.test. 86400 AAAA 2001:db8::11");
        for (final String address : List.of("192.0.2.11", "2001:db8::11")) {
            lab.server(address).zone("a.test", "*.a.test. 1 A 192.0.2.5");
        }
        lab.options(lab.options().withIpv6(false));
        for (int i = 0; i < 50; i++) {
            lab.answer("w%d.a.test".formatted(i), "A");
        }
        assertThat(lab.server("2001:db8::11").count()).isZero();
        lab.internet.clear();
        lab.tld("test. 86400 NS ns6.test.", "ns6.test. 86400 AAAA 2001:db8::2");
        lab.options(
                lab.options()
                        .withIpv6(true)
                        .withIpv4(false)
                        .withRootHints(
                                RootHints.of(
                                        Map.of(
                                                Name.of("six.root"),
                                                List.of(Lab.socket("2001:db8::1"))))));
        lab.server("2001:db8::1")
                .zone(
                        ".",
                        ". 60 NS six.root.",
                        "six.root. 60 AAAA 2001:db8::1",
                        "test. 60 NS ns6.test.",
                        "ns6.test. 60 AAAA 2001:db8::2");
        lab.server("2001:db8::2")
                .zone("test", "a.test. 60 NS ns.a.test.", "ns.a.test. 60 AAAA 2001:db8::11");
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
        assertThat(lab.internet.log()).allMatch(line -> line.contains("2001:db8:"));
    }

    @Test
    void aReferralToAPrivateAddressIsFollowedOnlyIfToldSo() {
        lab.zone("a.test", "127.0.0.11", "w.a.test. 60 A 192.0.2.5");
        lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(lab.server("127.0.0.11").count()).isZero();
        lab.options(lab.options().withQueryLocalNetworks(true));
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
    }

    @Test
    void belowLocalRootHintsPrivateAddressesAreAskedAsAMatterOfCourse() {
        lab.zone("a.test", "127.0.0.11", "w.a.test. 60 A 192.0.2.5");
        lab.options(
                lab.options()
                        .withRootHints(
                                RootHints.of(
                                        Map.of(
                                                Name.of("a.root"),
                                                List.of(
                                                        Lab.socket(Lab.ROOT),
                                                        Lab.socket("127.0.0.1"))))));
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
    }

    @Test
    void theAnswerIsMinimalOrFullAsTold() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5")
                .on(
                        "w.a.test",
                        "A",
                        Reply.answer("w.a.test. 60 A 192.0.2.5")
                                .authoritative()
                                .authority("a.test. 60 NS ns.a.test.")
                                .additional("ns.a.test. 60 A 192.0.2.11"));
        final DnsMessage minimal = lab.ask("w.a.test", "A");
        assertThat(minimal.authority()).isEmpty();
        assertThat(minimal.additional()).isEmpty();
        lab.options(lab.options().withFullAnswers(true));
        final DnsMessage full = lab.ask("w.a.test", "A");
        assertThat(Lab.text(full.authority())).containsExactly("a.test. NS ns.a.test.");
        assertThat(Lab.text(full.additional())).containsExactly("ns.a.test. A 192.0.2.11");
    }

    @Test
    void dsRecordsAreAskedOfTheParent() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.tld("a.test. 60 DS 1 13 2 " + "AB".repeat(32));
        lab.answer("w.a.test", "A");
        lab.internet.clear();
        assertThat(lab.answer("a.test", "DS")).hasSize(1);
        assertThat(lab.internet.count()).as("it came with the referral").isZero();
        lab.options(lab.options().withMinimisation(Minimisation.OFF));
        assertThat(lab.answer("a.test", "DS")).hasSize(1);
        assertThat(lab.server("192.0.2.11").count()).isZero();
    }

    @Test
    void longChainsOfAliasesEndWithElevenStepsAtLeast() {
        final String[] aliases = new String[21];
        for (int i = 0; i < 20; i++) {
            aliases[i] = "c%d.a.test. 60 CNAME c%d.a.test.".formatted(i, i + 1);
        }
        aliases[20] = "c20.a.test. 60 A 192.0.2.5";
        lab.zone("a.test", "192.0.2.11", aliases);
        assertThat(lab.answer("c4.a.test", "A")).hasSize(17);
        final Resolution failure =
                lab.failure("c3.a.test", "A", io.ananas.message.ExtendedError.OTHER);
        assertThat(failure.reasons().getFirst().text()).contains("16 aliases");
        assertThat(lab.count(Event.LIMIT_ALIAS_STEPS)).isEqualTo(1);
    }

    @Test
    void aDnameThatMakesANameTooLongIsYxdomain() {
        final String label = "x".repeat(63);
        final String target = "%1$s.%1$s.%1$s.test.".formatted(label);
        lab.zone("a.test", "192.0.2.11", "d.a.test. 60 DNAME " + target);
        final DnsMessage message = lab.ask(label + ".y.d.a.test", "A");
        assertThat(message.responseCode()).isEqualTo(ResponseCode.YXDOMAIN);
        assertThat(Lab.text(message.answer())).containsExactly("d.a.test. DNAME " + target);
    }

    @Test
    void aTargetThatIsKnownIsNotAskedAgain() {
        lab.zone(
                "a.test",
                "192.0.2.11",
                "w.a.test. 60 CNAME t.b.test.",
                "v.a.test. 60 CNAME t.b.test.");
        lab.zone("b.test", "192.0.2.12", "t.b.test. 60 A 192.0.2.5");
        lab.answer("w.a.test", "A");
        lab.server("192.0.2.12").clear();
        assertThat(lab.answer("v.a.test", "A")).hasSize(2);
        assertThat(lab.server("192.0.2.12").count()).isZero();
    }

    @Test
    void refreshAsksAgainAndReplacesWhatWasKnown() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.answer("w.a.test", "A");
        lab.server("192.0.2.11")
                .zone("a.test", "w.a.test. 60 CNAME v.a.test.", "v.a.test. 60 A 192.0.2.6");
        assertThat(lab.answer("w.a.test", "A")).containsExactly("w.a.test. A 192.0.2.5");
        lab.recursor().refresh(Name.of("w.a.test"), 1, false);
        assertThat(lab.answer("w.a.test", "A")).hasSize(2);
        lab.server("192.0.2.11").zone("a.test");
        lab.recursor().refresh(Name.of("w.a.test"), 1, false);
        assertThat(lab.ask("w.a.test", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
    }

    @Test
    void forgettingANameForgetsItsDelegationToo() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.answer("w.a.test", "A");
        lab.internet.clear();
        lab.recursor().forget(Name.of("a.test"));
        lab.answer("w.a.test", "A");
        assertThat(lab.tld().count()).isPositive();
        assertThat(lab.root().count()).isZero();
    }

    @Test
    void aTtlOfZeroServesTheQuestionInProgressOnly() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 0 CNAME v.a.test.", "v.a.test. 0 A 192.0.2.5");
        assertThat(lab.answer("w.a.test", "A")).hasSize(2);
        assertThat(lab.server("192.0.2.11").count()).isEqualTo(1);
        assertThat(lab.answer("w.a.test", "A")).hasSize(2);
        assertThat(lab.server("192.0.2.11").count()).isEqualTo(2);
    }
}
