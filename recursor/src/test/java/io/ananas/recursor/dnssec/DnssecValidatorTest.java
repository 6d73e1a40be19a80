package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.testkit.MemoryZone;
import io.ananas.testkit.TwinKeys;
import io.ananas.testkit.ZoneKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class DnssecValidatorTest {
    private static TestTree tree(int algorithm, boolean nsec3) {
        final TestTree tree = new TestTree();
        tree.add(MemoryZone.signed(".", algorithm));
        tree.add(denial(MemoryZone.signed("test", algorithm), nsec3));
        final MemoryZone zone = denial(MemoryZone.signed("example.test", algorithm), nsec3);
        zone.add("www A 192.0.2.1").add("www A 192.0.2.2").add("www TXT \"hello\"");
        zone.add("alias CNAME www").add("away CNAME www.other.test.");
        zone.add("a.b.ent A 192.0.2.3");
        zone.add("*.wild A 192.0.2.4").add("*.wild MX 10 mail");
        zone.add("moved DNAME other.test.").add("here DNAME example.test.");
        tree.add(zone);
        tree.add(denial(MemoryZone.signed("other.test", algorithm), nsec3).add("www A 192.0.2.9"));
        tree.add(MemoryZone.unsigned("plain.test").add("www A 192.0.2.10").add("alias CNAME www"));
        return tree;
    }

    private static MemoryZone denial(MemoryZone zone, boolean nsec3) {
        return nsec3 ? zone.nsec3(0, "", false) : zone;
    }

    private static Verdict verdict(TestTree tree, String name, int type) {
        return new Fixture(tree).verdict(name, type);
    }

    private static void secure(Verdict verdict) {
        assertThat(verdict.text()).isEmpty();
        assertThat(verdict.status()).isEqualTo(Status.SECURE);
        assertThat(verdict.error()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 7, 8, 10, 13, 14, 15, 16})
    void everyAlgorithmLeadsFromTheRootToTheData(int algorithm) {
        secure(verdict(tree(algorithm, false), "www.example.test", Type.A));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allKindsOfAnswersAreSecure(boolean nsec3) {
        final TestTree tree = tree(13, nsec3);
        secure(verdict(tree, "www.example.test", Type.TXT));
        secure(verdict(tree, "alias.example.test", Type.A));
        secure(verdict(tree, "alias.example.test", Type.CNAME));
        secure(verdict(tree, "away.example.test", Type.A));
        secure(verdict(tree, "www.here.example.test", Type.A));
        secure(verdict(tree, "www.moved.example.test", Type.A));
        secure(verdict(tree, "www.example.test", Type.MX));
        secure(verdict(tree, "nothing.example.test", Type.A));
        secure(verdict(tree, "deep.below.nothing.example.test", Type.A));
        secure(verdict(tree, "b.ent.example.test", Type.A));
        secure(verdict(tree, "ent.example.test", Type.A));
        secure(verdict(tree, "x.ent.example.test", Type.A));
        secure(verdict(tree, "any.wild.example.test", Type.A));
        secure(verdict(tree, "any.thing.wild.example.test", Type.A));
        secure(verdict(tree, "any.wild.example.test", Type.TXT));
        secure(verdict(tree, "*.wild.example.test", Type.A));
        secure(verdict(tree, "example.test", Type.DNSKEY));
        secure(verdict(tree, "example.test", Type.DS));
        secure(verdict(tree, "www.example.test", Type.DS));
        secure(verdict(tree, "plain.test", Type.DS));
        secure(verdict(tree, "example.test", Type.SOA));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void belowADelegationWithoutDsEverythingIsInsecure(boolean nsec3) {
        final TestTree tree = tree(13, nsec3);
        for (final String name : new String[] {"www", "alias", "nothing"}) {
            final Verdict verdict = verdict(tree, name + ".plain.test", Type.A);
            assertThat(verdict.status()).as(verdict.text()).isEqualTo(Status.INSECURE);
            assertThat(verdict.error()).isNull();
            assertThat(verdict.text()).isEqualTo("plain.test. is delegated without DS");
        }
    }

    @Test
    void theTtlIsCappedByWhatIsLeftOfASignature() {
        final TestTree tree = tree(13, false);
        tree.zone("example.test")
                .validity(MemoryZone.NOW.minusSeconds(100), MemoryZone.NOW.plusSeconds(17));
        assertThat(verdict(tree, "www.example.test", Type.A).maxTtl()).isEqualTo(17);
        assertThat(verdict(tree, "nothing.example.test", Type.A).maxTtl()).isEqualTo(17);
        assertThat(verdict(tree, "www.other.test", Type.A).maxTtl()).isEqualTo(MemoryZone.TTL);
    }

    @Test
    void recordsThatNothingSpeaksForAreNamed() {
        final TestTree tree = tree(13, false);
        tree.change(
                "www.example.test",
                Type.A,
                message -> {
                    message.addRecord(MemoryZone.record("evil.test. A 192.0.2.66"), Section.ANSWER);
                    message.addRecord(
                            MemoryZone.record("example.test. NS ns.evil.test."), Section.AUTHORITY);
                    return message;
                });
        final Verdict verdict = verdict(tree, "www.example.test", Type.A);
        secure(verdict);
        assertThat(verdict.unproven()).containsExactly(3, 4);
    }

    @Test
    void whatIsLearntOfZonesIsAskedForOnceUntilItExpires() {
        final Fixture fixture = new Fixture(tree(13, false));
        secure(fixture.verdict("www.example.test", Type.A));
        assertThat(fixture.tree.asked)
                .containsExactly(
                        ". DNSKEY",
                        "test. DS",
                        "test. DNSKEY",
                        "example.test. DS",
                        "example.test. DNSKEY");
        fixture.tree.asked.clear();
        secure(fixture.verdict("alias.example.test", Type.A));
        assertThat(fixture.tree.asked).isEmpty();
        fixture.now = fixture.now.plusSeconds(MemoryZone.TTL);
        secure(fixture.verdict("www.example.test", Type.A));
        assertThat(fixture.tree.asked).hasSize(5);
        fixture.tree.asked.clear();
        fixture.validator.forget(Name.of("example.test"));
        secure(fixture.verdict("www.example.test", Type.A));
        assertThat(fixture.tree.asked).containsExactly("example.test. DS", "example.test. DNSKEY");
    }

    @Test
    void nameErrorWhereNoDataIsProvenIsPutRight() {
        for (final boolean nsec3 : new boolean[] {false, true}) {
            final TestTree tree = tree(13, nsec3);
            tree.change(
                    "ent.example.test",
                    Type.A,
                    message -> {
                        message.getHeader().setRcode(Rcode.NXDOMAIN);
                        return message;
                    });
            final Verdict verdict = verdict(tree, "ent.example.test", Type.A);
            secure(verdict);
            assertThat(verdict.nodata()).isTrue();
            assertThat(verdict(tree, "nothing.example.test", Type.A).nodata()).isFalse();
        }
    }

    @Test
    void aNegativeTrustAnchorSwitchesValidationOffUntilItExpires() {
        final Fixture fixture = new Fixture(tree(13, false));
        fixture.tree
                .zone("example.test")
                .validity(MemoryZone.NOW.minusSeconds(100), MemoryZone.NOW.minusSeconds(1));
        fixture.negative.add(Name.of("example.test"), MemoryZone.NOW.plusSeconds(60));
        final Verdict off = fixture.verdict("www.example.test", Type.A);
        assertThat(off.status()).isEqualTo(Status.INSECURE);
        assertThat(off.text()).contains("negative trust anchor at example.test.");
        assertThat(fixture.verdict("nothing.example.test", Type.A).status())
                .isEqualTo(Status.INSECURE);
        secure(fixture.verdict("www.other.test", Type.A));
        fixture.now = fixture.now.plusSeconds(60);
        assertThat(fixture.verdict("www.example.test", Type.A).status()).isEqualTo(Status.BOGUS);
        assertThat(fixture.negative.active()).isEmpty();
    }

    @Test
    void withoutTrustAnchorNothingIsValidated() {
        final TestTree tree = tree(13, false);
        final Fixture fixture = new Fixture(tree, TrustAnchors.none());
        assertThat(fixture.verdict("www.example.test", Type.A).status()).isEqualTo(Status.INSECURE);
        assertThat(tree.asked).isEmpty();
    }

    @Test
    void anIslandOfTrustIsReachedFromItsOwnAnchor() {
        final TestTree tree = tree(13, false);
        tree.add(MemoryZone.signed("island.plain.test", 15).add("www A 192.0.2.20"));
        assertThat(new Fixture(tree).verdict("www.island.plain.test", Type.A).status())
                .isEqualTo(Status.INSECURE);
        final TrustAnchors island =
                TrustAnchors.of(List.of(TestTree.ds(tree.zone("island.plain.test"), 4).toString()));
        final Fixture fixture = new Fixture(tree, tree.anchors().and(island));
        secure(fixture.verdict("www.island.plain.test", Type.A));
        assertThat(tree.asked).contains("island.plain.test. DNSKEY");
        assertThat(fixture.verdict("www.plain.test", Type.A).status()).isEqualTo(Status.INSECURE);
        fixture.negative.add(Name.of("plain.test"), java.time.Instant.MAX);
        secure(fixture.verdict("www.island.plain.test", Type.A));
    }

    @Test
    void signaturesAloneAreNotData() {
        final TestTree tree = tree(13, false);
        assertThat(verdict(tree, "www.example.test", Type.RRSIG).status())
                .isEqualTo(Status.INSECURE);
        tree.change(
                "www.example.test",
                Type.A,
                message -> {
                    final List<Record> all = List.copyOf(message.getSection(Section.ANSWER));
                    all.stream()
                            .filter(it -> it.getType() == Type.A)
                            .forEach(it -> message.removeRecord(it, Section.ANSWER));
                    return message;
                });
        final Verdict stripped = verdict(tree, "www.example.test", Type.A);
        assertThat(stripped.status()).isEqualTo(Status.BOGUS);
        assertThat(stripped.error()).isEqualTo(ExtendedError.NSEC_MISSING);
    }

    @Test
    void twoKeysOfOneTagAreBothTried() {
        final TestTree tree = new TestTree();
        tree.add(MemoryZone.signed(".", 13));
        final MemoryZone zone = MemoryZone.signed("test", 8).add("www A 192.0.2.1");
        zone.addRecord(TwinKeys.of(zone.keys.getFirst().dnskey(zone.origin)));
        tree.add(zone);
        secure(verdict(tree, "www.test", Type.A));
    }

    @Test
    void theCaseOfNamesDoesNotMatter() {
        final TestTree tree = tree(13, false);
        tree.change(
                "www.example.test",
                Type.A,
                message -> {
                    for (final Record it : List.copyOf(message.getSection(Section.ANSWER))) {
                        message.removeRecord(it, Section.ANSWER);
                        message.addRecord(
                                TestTree.rename(it, MemoryZone.name("wWw.eXample.TEST")),
                                Section.ANSWER);
                    }
                    return message;
                });
        secure(verdict(tree, "www.example.test", Type.A));
    }

    @Test
    void aSignatureOfAnotherZoneDoesNotHideThatOfItsOwn() {
        final TestTree tree = tree(13, false);
        final MemoryZone parent = tree.zone("test");
        tree.change(
                "www.example.test",
                Type.A,
                message -> {
                    final RRset set = new RRset();
                    final List<Record> all = List.copyOf(message.getSection(Section.ANSWER));
                    all.stream().filter(it -> it.getType() == Type.A).forEach(set::addRR);
                    message.removeAllRecords(Section.ANSWER);
                    message.addRecord(parent.sign(set, ZoneKey.of(13, "stranger")), Section.ANSWER);
                    all.forEach(it -> message.addRecord(it, Section.ANSWER));
                    return message;
                });
        secure(verdict(tree, "www.example.test", Type.A));
    }
}
