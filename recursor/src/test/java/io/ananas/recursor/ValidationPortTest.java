package io.ananas.recursor;

import static io.ananas.message.ExtendedError.DNSSEC_BOGUS;
import static io.ananas.message.ExtendedError.DNSSEC_INDETERMINATE;
import static io.ananas.message.ExtendedError.NO_REACHABLE_AUTHORITY;
import static io.ananas.message.ExtendedError.SIGNATURE_EXPIRED;
import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Reply;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of the validator's verdicts, and what it gets to see. */
class ValidationPortTest {
    private static final String SIGNATURE =
            "%s 60 RRSIG %s 13 %d 60 20300101000000 20200101000000 1 %s AAAA";

    private final Lab lab = new Lab();
    private final List<String> judged = new ArrayList<>();

    private void verdicts(Status forA, Status forB) {
        lab.validator((name, type, response, zone, fetcher) -> {
            judged.add(name + " " + RecordType.text(type) + " of " + zone);
            final boolean b = name.isSubdomainOf(Name.of("b.test"));
            return new Verdict(b ? forB : forA, null, "");
        });
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 CNAME v.b.test.");
        lab.zone("b.test", "192.0.2.12", "v.b.test. 60 A 192.0.2.5");
    }

    @Test
    void allLinksSecureSetAd() {
        verdicts(Status.SECURE, Status.SECURE);
        final DnsMessage message = lab.ask("w.a.test", "A");
        assertThat(message.has(MessageLayout.AD)).isTrue();
        assertThat(message.answer()).hasSize(2);
        assertThat(judged).containsExactly("w.a.test. A of a.test.", "v.b.test. A of b.test.");
        lab.ask("w.a.test", "A");
        assertThat(judged).as("what was judged is not judged again").hasSize(2);
    }

    @Test
    void oneInsecureLinkTakesAdAway() {
        verdicts(Status.SECURE, Status.INSECURE);
        final DnsMessage message = lab.ask("w.a.test", "A");
        assertThat(message.responseCode()).isZero();
        assertThat(message.has(MessageLayout.AD)).isFalse();
    }

    @Test
    void oneBogusLinkFailsAllUnlessCheckingIsDisabled() {
        verdicts(Status.SECURE, Status.BOGUS);
        lab.failure("w.a.test", "A", DNSSEC_BOGUS);
        assertThat(lab.count(Event.BOGUS)).isEqualTo(1);
        final Resolution unchecked =
                lab.recursor().resolve(Name.of("w.a.test"), RecordType.A, true);
        assertThat(unchecked.view().responseCode()).isZero();
        assertThat(unchecked.view().flags() & MessageLayout.CD).isNotZero();
        assertThat(unchecked.view().flags() & MessageLayout.AD).isZero();
        assertThat(lab.resolve("w.a.test", "A").source())
                .isEqualTo(Resolution.Source.FAILED_BEFORE);
    }

    @Test
    void whatWasFoundUncheckedIsCheckedBeforeOthersGetIt() {
        verdicts(Status.SECURE, Status.BOGUS);
        lab.recursor().resolve(Name.of("v.b.test"), RecordType.A, true);
        assertThat(judged).isEmpty();
        lab.failure("v.b.test", "A", DNSSEC_BOGUS);
    }

    @Test
    void theReasonOfTheVerdictIsTold() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.validator((name, type, response, zone, fetcher) ->
                new Verdict(Status.BOGUS, SIGNATURE_EXPIRED, "key 7 of a.test."));
        final Resolution failure = lab.failure("w.a.test", "A", SIGNATURE_EXPIRED);
        assertThat(failure.reasons().getFirst().text()).isEqualTo("key 7 of a.test.");
        assertThat(failure.view().reasons().getFirst().code()).isEqualTo(7);
    }

    @Test
    void whatCannotBeFoundOutFails() {
        verdicts(Status.INDETERMINATE, Status.SECURE);
        lab.failure("w.a.test", "A", DNSSEC_INDETERMINATE);
    }

    @Test
    void anotherServerIsAskedAfterABogusAnswer() {
        lab.tld(
                "a.test. 60 NS ns1.a.test.",
                "a.test. 60 NS ns2.a.test.",
                "ns1.a.test. 60 A 192.0.2.11",
                "ns2.a.test. 60 A 192.0.2.12");
        final AtomicReference<@Nullable InetSocketAddress> first = new AtomicReference<>();
        for (final String address : List.of("192.0.2.11", "192.0.2.12")) {
            lab.server(address)
                    .always(query -> {
                        final InetSocketAddress self = query.client();
                        first.compareAndSet(null, self);
                        final String text = self.equals(first.get()) ? "bad" : "good";
                        return Reply.answer(query.name() + " 60 TXT " + text)
                                .authoritative()
                                .to(query);
                    });
        }
        lab.validator((name, type, response, zone, fetcher) -> {
            final boolean good =
                    new String(response.rdata(0), java.nio.charset.StandardCharsets.US_ASCII)
                            .endsWith("good");
            return new Verdict(good ? Status.SECURE : Status.BOGUS, null, "");
        });
        for (int i = 0; i < 10; i++) {
            assertThat(lab.answer("w%d.a.test".formatted(i), "TXT"))
                    .singleElement()
                    .asString()
                    .contains("good");
        }
        assertThat(lab.server("192.0.2.11").count()).isPositive();
        assertThat(lab.server("192.0.2.12").count()).isPositive();
    }

    @Test
    void theFetcherGetsKeysAndDsRecordsWithinTheBudget() {
        lab.zone(
                "a.test",
                "192.0.2.11",
                "w.a.test. 60 A 192.0.2.5",
                "a.test. 60 DNSKEY 257 3 13 AAAA");
        lab.tld("a.test. 60 DS 1 13 2 " + "AB".repeat(32));
        final List<@Nullable MessageView> fetched = new ArrayList<>();
        lab.validator((name, type, response, zone, fetcher) -> {
            fetched.add(fetcher.fetch(zone, RecordType.DS));
            fetched.add(fetcher.fetch(zone, RecordType.DNSKEY));
            fetched.add(fetcher.fetch(Name.of("nobody.test"), RecordType.DS));
            return new Verdict(Status.SECURE, null, "");
        });
        final Resolution resolution = lab.resolve("w.a.test", "A");
        assertThat(resolution.view().responseCode()).isZero();
        assertThat(fetched).hasSize(3).doesNotContainNull();
        assertThat(fetched.get(0).type(0)).isEqualTo(RecordType.DS);
        assertThat(fetched.get(1).type(0)).isEqualTo(RecordType.DNSKEY);
        assertThat(fetched.get(2).responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(lab.server("192.0.2.11").count("a.test", "DS")).isZero();
        assertThat(lab.internet.log())
                .as("the DS records came with the referral")
                .filteredOn(line -> line.startsWith("a.test. DS"))
                .isEmpty();
        assertThat(resolution.upstreamQueries()).isEqualTo(lab.internet.count() - 1);
    }

    @Test
    void aProofWithoutDsInAReferralIsKeptForTheValidator() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.tld(
                "a.test. 60 NSEC b.test. NS RRSIG NSEC",
                SIGNATURE.formatted("a.test.", "NSEC", 2, "test."));
        final List<@Nullable MessageView> fetched = new ArrayList<>();
        lab.validator((name, type, response, zone, fetcher) -> {
            fetched.add(fetcher.fetch(zone, RecordType.DS));
            return new Verdict(Status.INSECURE, null, "");
        });
        lab.answer("w.a.test", "A");
        assertThat(lab.internet.log()).noneMatch(line -> line.contains(" DS "));
        final MessageView proof = fetched.getFirst();
        assertThat(proof.endRecord(MessageView.ANSWER)).isZero();
        assertThat(proof.type(0)).isEqualTo(RecordType.NSEC);
        assertThat(proof.type(1)).isEqualTo(RecordType.RRSIG);
    }

    @Test
    void theFetcherGetsNullWhereNobodyAnswers() {
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5")
                .on("a.test", "DNSKEY", Reply.code(ResponseCode.SERVFAIL));
        final List<@Nullable MessageView> fetched = new ArrayList<>();
        lab.validator((name, type, response, zone, fetcher) -> {
            fetched.add(fetcher.fetch(zone, RecordType.DNSKEY));
            return new Verdict(Status.INDETERMINATE, NO_REACHABLE_AUTHORITY, "no keys");
        });
        lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(fetched).containsExactly((MessageView) null);
    }

    @Test
    void signaturesAndProofsReachTheValidatorAndTheAnswer() {
        lab.zone(
                "a.test",
                "192.0.2.11",
                "*.a.test. 60 A 192.0.2.5",
                SIGNATURE.formatted("*.a.test.", "A", 2, "a.test."),
                "a.test. 60 NSEC z.a.test. A",
                SIGNATURE.formatted("a.test.", "NSEC", 2, "a.test."));
        lab.server("192.0.2.11")
                .on(
                        "w.a.test",
                        "A",
                        Reply.answer(
                                        "w.a.test. 60 A 192.0.2.5",
                                        SIGNATURE.formatted("w.a.test.", "A", 2, "a.test."))
                                .authoritative()
                                .authority(
                                        "a.test. 60 NSEC z.a.test. A",
                                        SIGNATURE.formatted("a.test.", "NSEC", 2, "a.test.")));
        final List<Integer> types = new ArrayList<>();
        lab.validator((name, type, response, zone, fetcher) -> {
            for (int i = 0; i < response.recordCount(); i++) {
                types.add(response.type(i));
            }
            return new Verdict(Status.SECURE, null, "");
        });
        final DnsMessage message = lab.ask("w.a.test", "A");
        assertThat(types)
                .containsExactly(RecordType.A, RecordType.RRSIG, RecordType.NSEC, RecordType.RRSIG);
        assertThat(message.answer()).hasSize(2);
        assertThat(message.authority()).hasSize(2);
        final DnsMessage denial = lab.ask("w.a.test", "TXT");
        assertThat(denial.authority())
                .extracting(record -> record.type())
                .containsExactly(RecordType.SOA, RecordType.NSEC, RecordType.RRSIG);
    }

    @Test
    void aSecureVerdictBoundsTheTimeAndDropsWhatItDoesNotSpeakFor() {
        lab.options(lab.options().withFullAnswers(true));
        lab.zone("a.test", "192.0.2.11")
                .on(
                        "w.a.test",
                        "A",
                        Reply.answer("w.a.test. 600 A 192.0.2.5", "w.a.test. 600 A 192.0.2.6")
                                .authoritative()
                                .authority("a.test. 600 NS ns.a.test."));
        lab.validator((name, type, response, zone, fetcher) ->
                new Verdict(Status.SECURE, null, "", 30, List.of(2), false));
        final DnsMessage message = lab.ask("w.a.test", "A");
        assertThat(message.has(MessageLayout.AD)).isTrue();
        assertThat(message.answer()).extracting(record -> record.ttl()).containsExactly(30L, 30L);
        assertThat(message.authority()).isEmpty();
        lab.advance(31);
        lab.server("192.0.2.11").clear();
        lab.ask("w.a.test", "A");
        assertThat(lab.server("192.0.2.11").count()).isEqualTo(1);
    }

    @Test
    void aNameErrorThatTheProofTurnsIntoNoDataIsAnsweredSo() {
        lab.zone("a.test", "192.0.2.11");
        lab.validator((name, type, response, zone, fetcher) ->
                new Verdict(Status.SECURE, null, "", 60, List.of(), true));
        assertThat(lab.ask("w.a.test", "A").responseCode()).isZero();
        assertThat(lab.ask("w.a.test", "A").authority()).hasSize(1);
    }

    @Test
    void keysAreFetchedAnewFromAServerThatHasNotGivenThemYet() {
        lab.tld(
                "a.test. 60 NS ns1.a.test.",
                "a.test. 60 NS ns2.a.test.",
                "ns1.a.test. 60 A 192.0.2.11",
                "ns2.a.test. 60 A 192.0.2.12");
        lab.server("192.0.2.11")
                .zone("a.test", "w.a.test. 60 A 192.0.2.5", "a.test. 60 DNSKEY 256 3 13 AAAA");
        lab.server("192.0.2.12")
                .zone("a.test", "w.a.test. 60 A 192.0.2.5", "a.test. 60 DNSKEY 257 3 13 AAAA");
        final List<Integer> seen = new ArrayList<>();
        lab.validator((name, type, response, zone, fetcher) -> {
            final MessageView first = fetcher.fetch(zone, RecordType.DNSKEY);
            final MessageView second = fetcher.refetch(zone, RecordType.DNSKEY);
            final MessageView third = fetcher.refetch(zone, RecordType.DNSKEY);
            assertThat(first).isNotNull();
            assertThat(second).isNotNull();
            assertThat(third).as("there are two servers").isNull();
            seen.add(first == null ? 0 : (int) first.rdata(0)[1]);
            seen.add(second == null ? 0 : (int) second.rdata(0)[1]);
            return new Verdict(Status.SECURE, null, "");
        });
        lab.answer("w.a.test", "A");
        assertThat(seen).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void whatFollowsFromKnownProofsIsNotAsked() {
        final byte[] denial = LocalZones.specialNames().answer(Name.of("x.onion"), RecordType.A);
        final Recursor recursor =
                Recursor.builder(lab.internet::udp)
                        .options(lab.options())
                        .denials((name, type) ->
                                name.isSubdomainOf(Name.of("nx.test")) ? denial : null)
                        .build();
        assertThat(recursor.resolve(Name.of("a.nx.test"), RecordType.A, false).source())
                .isEqualTo(Resolution.Source.SYNTHESISED);
        assertThat(lab.internet.count()).isZero();
        recursor.resolve(Name.of("a.nx.test"), RecordType.A, true);
        assertThat(lab.internet.count()).as("not with checking disabled").isPositive();
    }

    @Test
    void whatFollowsForTheTargetOfAnAliasIsNotAskedEither() {
        lab.zone("a.test", "192.0.2.11", "to.a.test. 300 CNAME a.nx.test.");
        final byte[] denial = LocalZones.specialNames().answer(Name.of("x.onion"), RecordType.A);
        final Recursor recursor =
                Recursor.builder(lab.internet::udp)
                        .options(lab.options())
                        .denials((name, type) ->
                                name.isSubdomainOf(Name.of("nx.test")) ? denial : null)
                        .build();
        final Resolution resolution = recursor.resolve(Name.of("to.a.test"), RecordType.A, false);
        final DnsMessage answer = DnsMessage.parse(resolution.response());
        assertThat(answer.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(answer.answer()).hasSize(1);
        assertThat(answer.extendedErrors()).containsExactly(ExtendedError.SYNTHESIZED.code());
        assertThat(lab.tld().queriesBelow("nx.test")).isEmpty();
    }
}
