package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.testkit.MemoryZone;
import io.ananas.testkit.ZoneKey;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DSRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Every way in which a zone, its parent or somebody between can break the chain. */
class BrokenZonesTest {
    private final TestTree tree = new TestTree();
    private final MemoryZone zone = MemoryZone.signed("example.test", 13);

    private void build(boolean nsec3) {
        if (nsec3) {
            zone.nsec3(0, "", false);
        }
        tree.add(MemoryZone.signed(".", 13)).add(MemoryZone.signed("test", 8)).add(zone);
        zone.add("www A 192.0.2.1").add("alias CNAME www").add("*.wild A 192.0.2.4");
        zone.add("a.b.ent A 192.0.2.3").add("moved DNAME other.test.");
        tree.add(MemoryZone.unsigned("plain.test").add("www A 192.0.2.10"));
    }

    private Verdict verdict(String name, int type) {
        return new Fixture(tree).verdict(name, type);
    }

    private void bogus(String name, int type, ExtendedError error, String... words) {
        final Verdict verdict = verdict(name, type);
        assertThat(verdict.status()).as(verdict.toString()).isEqualTo(Status.BOGUS);
        assertThat(verdict.error()).as(verdict.toString()).isEqualTo(error);
        assertThat(List.of(words)).allSatisfy(it -> assertThat(verdict.text()).contains(it));
        assertThat(verdict.text()).isNotEmpty();
    }

    private void insecure(String name, int type, @Nullable ExtendedError error, String... words) {
        final Verdict verdict = verdict(name, type);
        assertThat(verdict.status()).as(verdict.toString()).isEqualTo(Status.INSECURE);
        assertThat(verdict.error()).as(verdict.toString()).isEqualTo(error);
        assertThat(List.of(words)).allSatisfy(it -> assertThat(verdict.text()).contains(it));
        assertThat(verdict.text()).isNotEmpty();
    }

    private static Message remove(Message message, Predicate<Record> what) {
        for (int section = Section.ANSWER; section <= Section.AUTHORITY; section++) {
            for (final Record it : List.copyOf(message.getSection(section))) {
                if (what.test(it)) {
                    message.removeRecord(it, section);
                }
            }
        }
        return message;
    }

    private static UnaryOperator<Message> without(Predicate<Record> what) {
        return message -> remove(message, what);
    }

    private static UnaryOperator<Message> withoutSignatures() {
        return without(it -> it.getType() == Type.RRSIG);
    }

    /** Puts another RRset, signed by {@code signer}, in the place of the one of its type. */
    private static UnaryOperator<Message> replace(RRset set, MemoryZone signer, ZoneKey key) {
        return message -> {
            remove(message, it -> it.getType() == set.getType() || it.getType() == Type.RRSIG);
            set.rrs().forEach(it -> message.addRecord(it, Section.ANSWER));
            message.addRecord(signer.sign(set, key), Section.ANSWER);
            return message;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"www.example.test", "alias.example.test", "nothing.example.test"})
    void expired(String name) {
        build(false);
        zone.validity(MemoryZone.NOW.minusSeconds(7200), MemoryZone.NOW.minusSeconds(1));
        bogus(name, Type.A, ExtendedError.SIGNATURE_EXPIRED, "2031-05-06T07:08:08Z", "expired");
    }

    @Test
    void expiredOnlyInTheAnswer() {
        build(false);
        final RRset set = set("www.example.test. A 192.0.2.1");
        final MemoryZone old = MemoryZone.signed("example.test", 13);
        old.validity(MemoryZone.NOW.minusSeconds(7200), MemoryZone.NOW.minusSeconds(1));
        tree.change("www.example.test", Type.A, replace(set, old, zone.keys.getFirst()));
        bogus("www.example.test", Type.A, ExtendedError.SIGNATURE_EXPIRED, "www.example.test. A");
    }

    @Test
    void notYetValid() {
        build(false);
        zone.validity(MemoryZone.NOW.plusSeconds(1), MemoryZone.NOW.plusSeconds(7200));
        bogus(
                "www.example.test",
                Type.A,
                ExtendedError.SIGNATURE_NOT_YET_VALID,
                "begins 2031-05-06T07:08:10Z");
    }

    @Test
    void expiredBeforeValid() {
        build(false);
        zone.validity(MemoryZone.NOW.plusSeconds(10), MemoryZone.NOW.minusSeconds(10));
        bogus("www.example.test", Type.A, ExtendedError.SIGNATURE_EXPIRED_BEFORE_VALID);
    }

    /** Times of 32 bits come round in 2106 (RFC 4034, section 3.1.5). */
    @Test
    void signaturesHoldAcrossTheEndOfTheirClock() {
        build(false);
        final Instant wrap = Instant.ofEpochSecond(1L << 32);
        for (final String origin : new String[] {".", "test", "example.test"}) {
            tree.zone(origin).validity(wrap.minusSeconds(100), Instant.ofEpochSecond(100));
        }
        final Fixture fixture = new Fixture(tree);
        for (final long second : new long[] {-50, 0, 50, 99}) {
            fixture.now = wrap.plusSeconds(second);
            final Verdict verdict = fixture.verdict("www.example.test", Type.A);
            assertThat(verdict.status()).as(verdict.text()).isEqualTo(Status.SECURE);
            assertThat(verdict.maxTtl()).isEqualTo(100 - second);
        }
        fixture.now = wrap.plusSeconds(101);
        final Verdict late = fixture.verdict("www.example.test", Type.A);
        assertThat(late.error()).isEqualTo(ExtendedError.SIGNATURE_EXPIRED);
        assertThat(late.text()).contains(wrap.plusSeconds(100).toString());
        fixture.now = wrap.minusSeconds(101);
        fixture.validator.forget(io.ananas.message.Name.ROOT);
        assertThat(fixture.verdict("www.example.test", Type.A).error())
                .isEqualTo(ExtendedError.SIGNATURE_NOT_YET_VALID);
    }

    @Test
    void aSkewOfTheClockCanBePermitted() {
        build(false);
        zone.validity(MemoryZone.NOW.minusSeconds(7200), MemoryZone.NOW.minusSeconds(60));
        final ValidationLimits d = ValidationLimits.DEFAULT;
        final ValidationLimits skewed =
                new ValidationLimits(
                        d.keysPerTag(),
                        d.signaturesPerRrset(),
                        d.failuresPerRrset(),
                        d.checksPerQuestion(),
                        d.failuresPerQuestion(),
                        d.digestsPerQuestion(),
                        d.hashBlocksPerQuestion(),
                        d.fetchesPerQuestion(),
                        d.insecureIterations(),
                        d.bogusIterations(),
                        d.denialSets(),
                        d.cachedZones(),
                        d.bogusSeconds(),
                        60);
        final Verdict verdict =
                new Fixture(tree, tree.anchors(), skewed).verdict("www.example.test", Type.A);
        assertThat(verdict.status()).isEqualTo(Status.SECURE);
        assertThat(verdict.maxTtl()).isZero();
    }

    @Test
    void signedWithAKeyThatTheZoneDoesNotHave() {
        build(false);
        final ZoneKey other = ZoneKey.of(13, "another");
        tree.change(
                "www.example.test",
                Type.A,
                replace(set("www.example.test. A 192.0.2.66"), zone, other));
        bogus(
                "www.example.test",
                Type.A,
                ExtendedError.DNSKEY_MISSING,
                "by key " + other.dnskey(zone.origin).getFootprint());
    }

    @Test
    void dataChangedUnderTheSignature() {
        build(false);
        tree.change(
                "www.example.test",
                Type.A,
                message -> {
                    remove(message, it -> it.getType() == Type.A);
                    message.addRecord(
                            MemoryZone.record("www.example.test. A 192.0.2.66"), Section.ANSWER);
                    return message;
                });
        bogus("www.example.test", Type.A, ExtendedError.DNSSEC_BOGUS, "does not hold");
    }

    @Test
    void aRecordAddedUnderTheSignature() {
        build(false);
        tree.change(
                "www.example.test",
                Type.A,
                message -> {
                    message.addRecord(
                            MemoryZone.record("www.example.test. A 192.0.2.66"), Section.ANSWER);
                    return message;
                });
        bogus("www.example.test", Type.A, ExtendedError.DNSSEC_BOGUS);
    }

    @ParameterizedTest
    @CsvSource({
        "www.example.test, RRSIGS_MISSING",
        "alias.example.test, RRSIGS_MISSING",
        "any.wild.example.test, RRSIGS_MISSING",
        "nothing.example.test, RRSIGS_MISSING",
        "ent.example.test, RRSIGS_MISSING"
    })
    void signaturesStripped(String name, ExtendedError error) {
        build(false);
        tree.change(name, Type.A, withoutSignatures());
        bogus(name, Type.A, error, "example.test.");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void proofStripped(boolean nsec3) {
        build(nsec3);
        for (final String name : new String[] {"nothing", "ent", "www.any.wild"}) {
            final String full = name + ".example.test";
            tree.change(full, Type.A, without(it -> isDenial(it)));
            bogus(full, Type.A, ExtendedError.NSEC_MISSING);
        }
    }

    private static boolean isDenial(Record record) {
        final int type = record.getType() == Type.RRSIG ? record.getRRsetType() : record.getType();
        return type == Type.NSEC || type == Type.NSEC3;
    }

    @Test
    void everythingStripped() {
        build(false);
        tree.change("www.example.test", Type.A, without(it -> true));
        bogus("www.example.test", Type.A, ExtendedError.NSEC_MISSING, "denied without proof");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDenialOfAnotherNameProvesNothing(boolean nsec3) {
        build(nsec3);
        tree.change(
                "www.example.test",
                Type.A,
                message -> {
                    message.getHeader().setRcode(Rcode.NXDOMAIN);
                    return instead(message, "aaa.example.test", Type.A);
                });
        bogus("www.example.test", Type.A, ExtendedError.NSEC_MISSING);
    }

    /** What there is about another name or type, in the place of all that was there. */
    private Message instead(Message message, String name, int type) {
        remove(message, it -> true);
        final Message other = tree.respond(MemoryZone.name(name), type);
        if (other != null) {
            other.getSection(Section.ANSWER).forEach(it -> message.addRecord(it, Section.ANSWER));
            other.getSection(Section.AUTHORITY)
                    .forEach(it -> message.addRecord(it, Section.AUTHORITY));
        }
        return message;
    }

    @Test
    void noDataForATypeThatIsThere() {
        build(false);
        tree.change(
                "www.example.test",
                Type.A,
                message -> instead(message, "www.example.test", Type.MX));
        bogus("www.example.test", Type.A, ExtendedError.NSEC_MISSING);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWildcardMustNotStandForANameThatExists(boolean nsec3) {
        build(nsec3);
        zone.add("real.wild A 192.0.2.5");
        tree.change(
                "real.wild.example.test",
                Type.A,
                message -> {
                    instead(message, "any.wild.example.test", Type.A);
                    for (final Record it : List.copyOf(message.getSection(Section.ANSWER))) {
                        message.removeRecord(it, Section.ANSWER);
                        message.addRecord(
                                TestTree.rename(it, MemoryZone.name("real.wild.example.test")),
                                Section.ANSWER);
                    }
                    return message;
                });
        bogus("real.wild.example.test", Type.A, ExtendedError.NSEC_MISSING, "wildcard");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWildcardAnswerNeedsItsProof(boolean nsec3) {
        build(nsec3);
        tree.change("any.wild.example.test", Type.A, without(it -> isDenial(it)));
        bogus("any.wild.example.test", Type.A, ExtendedError.NSEC_MISSING, "no closer name");
    }

    @Test
    void theDsRecordIsOfAnotherKey() {
        build(false);
        final MemoryZone other = MemoryZone.signed("example.test", 15);
        tree.change(
                "example.test",
                Type.DS,
                replace(new RRset(TestTree.ds(other, 2)), parent(), parent().keys.getFirst()));
        bogus(
                "www.example.test",
                Type.A,
                ExtendedError.DNSKEY_MISSING,
                "no DNSKEY of example.test. matches",
                "" + TestTree.ds(other, 2).getFootprint());
    }

    private MemoryZone parent() {
        return tree.zone("test");
    }

    @Test
    void theDigestIsWrong() {
        build(false);
        final DSRecord right = TestTree.ds(zone, 2);
        final byte[] digest = right.getDigest();
        digest[0] ^= 1;
        ds(2, right.getFootprint(), 13, digest);
        bogus("www.example.test", Type.A, ExtendedError.DNSKEY_MISSING);
    }

    private void ds(int digestType, int tag, int algorithm, byte[] digest) {
        final DSRecord ds =
                new DSRecord(
                        zone.origin, DClass.IN, MemoryZone.TTL, tag, algorithm, digestType, digest);
        tree.change(
                "example.test",
                Type.DS,
                replace(new RRset(ds), parent(), parent().keys.getFirst()));
    }

    @Test
    void unknownDigestsAndAlgorithmsAreInsecure() {
        build(false);
        ds(200, TestTree.ds(zone, 2).getFootprint(), 13, new byte[32]);
        insecure("www.example.test", Type.A, ExtendedError.UNSUPPORTED_DS_DIGEST_TYPE, " 200 ");
        ds(2, TestTree.ds(zone, 2).getFootprint(), 12, new byte[32]);
        insecure("www.example.test", Type.A, ExtendedError.UNSUPPORTED_DNSKEY_ALGORITHM);
        insecure("nothing.example.test", Type.A, ExtendedError.UNSUPPORTED_DNSKEY_ALGORITHM);
    }

    @Test
    void digestsOfSha1CountOnlyAlone() {
        build(false);
        tree.change(
                "example.test",
                Type.DS,
                replace(new RRset(TestTree.ds(zone, 1)), parent(), parent().keys.getFirst()));
        assertThat(verdict("www.example.test", Type.A).status()).isEqualTo(Status.SECURE);
        final RRset both = new RRset(TestTree.ds(zone, 1));
        final DSRecord wrong = TestTree.ds(zone, 2);
        final byte[] digest = wrong.getDigest();
        digest[3] ^= 1;
        both.addRR(
                new DSRecord(
                        zone.origin,
                        DClass.IN,
                        MemoryZone.TTL,
                        wrong.getFootprint(),
                        13,
                        2,
                        digest));
        tree.change("example.test", Type.DS, replace(both, parent(), parent().keys.getFirst()));
        bogus("www.example.test", Type.A, ExtendedError.DNSKEY_MISSING);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMissingDsNeedsProof(boolean nsec3) {
        build(nsec3);
        tree.change("example.test", Type.DS, without(it -> true));
        bogus("www.example.test", Type.A, ExtendedError.NSEC_MISSING, "test.", "neither");
        tree.change("plain.test", Type.DS, without(it -> isDenial(it)));
        bogus("www.plain.test", Type.A, ExtendedError.NSEC_MISSING, "plain.test.");
    }

    @Test
    void theDsIsNotSignedByTheParent() {
        build(false);
        tree.change("example.test", Type.DS, withoutSignatures());
        bogus("www.example.test", Type.A, ExtendedError.RRSIGS_MISSING, "example.test. DS");
        tree.change(
                "example.test",
                Type.DS,
                replace(
                        new RRset(TestTree.ds(zone, 2)),
                        MemoryZone.signed("example.test", 13),
                        zone.keys.getFirst()));
        bogus("www.example.test", Type.A, ExtendedError.DNSSEC_BOGUS, "expected its zone test.");
    }

    @Test
    void theKeysAreGoneOrNotSigned() {
        build(false);
        tree.change("example.test", Type.DNSKEY, withoutSignatures());
        bogus("www.example.test", Type.A, ExtendedError.RRSIGS_MISSING, "example.test. DNSKEY");
        tree.change("example.test", Type.DNSKEY, without(it -> true));
        bogus("www.example.test", Type.A, ExtendedError.DNSKEY_MISSING, "no DNSKEY RRset");
    }

    @Test
    void noServerGivesTheKeys() {
        build(false);
        tree.silence("example.test", Type.DNSKEY);
        final Verdict verdict = verdict("www.example.test", Type.A);
        assertThat(verdict.status()).isEqualTo(Status.INDETERMINATE);
        assertThat(verdict.error()).isEqualTo(ExtendedError.DNSSEC_INDETERMINATE);
        assertThat(verdict.text()).contains("DNSKEY", "example.test.");
    }

    @ParameterizedTest
    @CsvSource({"1, 3, NO_ZONE_KEY_BIT_SET", "257, 4, DNSKEY_MISSING", "385, 3, DNSKEY_MISSING"})
    void aKeyThatMayNotSignZones(int flags, int protocol, ExtendedError error) {
        build(false);
        final DNSKEYRecord key = zone.keys.getFirst().dnskey(zone.origin);
        final DNSKEYRecord unfit =
                new DNSKEYRecord(zone.origin, DClass.IN, 300, flags, protocol, 13, key.getKey());
        final DSRecord ds = new DSRecord(zone.origin, DClass.IN, MemoryZone.TTL, 2, unfit);
        tree.change(
                "example.test",
                Type.DS,
                replace(new RRset(ds), parent(), parent().keys.getFirst()));
        tree.change(
                "example.test", Type.DNSKEY, replace(new RRset(unfit), zone, zone.keys.getFirst()));
        bogus("www.example.test", Type.A, error);
    }

    @Test
    void signedByANameThatIsNoZone() {
        build(false);
        final MemoryZone fake = MemoryZone.signed("www.example.test", 13);
        tree.change(
                "www.example.test",
                Type.A,
                replace(set("www.example.test. A 192.0.2.66"), fake, fake.keys.getFirst()));
        bogus("www.example.test", Type.A, ExtendedError.DNSSEC_BOGUS, "which is no zone");
    }

    @Test
    void signedByAStranger() {
        build(false);
        final MemoryZone stranger = MemoryZone.signed("other.test", 13);
        tree.add(stranger);
        final RRset set = set("www.other.test. A 192.0.2.66");
        tree.change(
                "www.example.test",
                Type.A,
                message -> {
                    remove(message, it -> true);
                    set.rrs().forEach(it -> add(message, it));
                    add(message, stranger.sign(set, stranger.keys.getFirst()));
                    return message;
                });
        bogus("www.example.test", Type.A, ExtendedError.RRSIGS_MISSING);
    }

    private static void add(Message message, Record record) {
        message.addRecord(
                TestTree.rename(record, MemoryZone.name("www.example.test")), Section.ANSWER);
    }

    @Test
    void aCnameThatDoesNotFollowFromItsDname() {
        build(false);
        tree.change(
                "www.moved.example.test",
                Type.A,
                message -> {
                    remove(message, it -> it.getType() == Type.CNAME);
                    message.addRecord(
                            MemoryZone.record("www.moved.example.test. CNAME evil.test."),
                            Section.ANSWER);
                    return message;
                });
        bogus(
                "www.moved.example.test",
                Type.A,
                ExtendedError.DNSSEC_BOGUS,
                "does not follow from moved.example.test. DNAME");
    }

    @Test
    void aBogusLinkIsFetchedFromAnotherServerBeforeItCounts() {
        build(false);
        tree.change("example.test", Type.DNSKEY, withoutSignatures());
        tree.change("example.test", Type.DS, withoutSignatures());
        tree.second(true);
        assertThat(verdict("www.example.test", Type.A).status()).isEqualTo(Status.SECURE);
        assertThat(tree.asked).contains("example.test. DS again", "example.test. DNSKEY again");
    }

    @Test
    void aBogusZoneIsRememberedForAWhile() {
        build(false);
        tree.change("example.test", Type.DNSKEY, withoutSignatures());
        final Fixture fixture = new Fixture(tree);
        assertThat(fixture.verdict("www.example.test", Type.A).status()).isEqualTo(Status.BOGUS);
        final long checks = fixture.validator.statistics().checks();
        tree.asked.clear();
        final Verdict again = fixture.verdict("www.example.test", Type.A);
        assertThat(again.error()).isEqualTo(ExtendedError.RRSIGS_MISSING);
        assertThat(tree.asked).isEmpty();
        assertThat(fixture.validator.statistics().checks()).isEqualTo(checks);
        fixture.now = fixture.now.plusSeconds(ValidationLimits.DEFAULT.bogusSeconds());
        fixture.verdict("www.example.test", Type.A);
        assertThat(tree.asked).contains("example.test. DNSKEY");
    }

    @ParameterizedTest
    @CsvSource({"51, INSECURE", "500, INSECURE", "501, BOGUS"})
    void tooManyIterations(int iterations, Status status) {
        build(false);
        zone.nsec3(iterations, "ab", false);
        for (final String name : new String[] {"nothing", "ent", "any.wild"}) {
            final Verdict verdict = verdict(name + ".example.test", Type.A);
            assertThat(verdict.status()).isEqualTo(status);
            assertThat(verdict.error()).isEqualTo(ExtendedError.UNSUPPORTED_NSEC3_ITERATIONS);
            assertThat(verdict.text()).contains(iterations + " NSEC3 iterations");
        }
        assertThat(verdict("www.example.test", Type.A).status()).isEqualTo(Status.SECURE);
    }

    @Test
    void fiftyIterationsAreStillFine() {
        build(false);
        zone.nsec3(50, "ab", false);
        assertThat(verdict("nothing.example.test", Type.A).status()).isEqualTo(Status.SECURE);
    }

    @Test
    void optOutIsInsecureWhereItMatters() {
        build(false);
        parent().nsec3(1, "ab", true);
        insecure("www.plain.test", Type.A, null, "plain.test.");
        insecure("plain.test", Type.DS, null, "opt-out");
        insecure("nothing.test", Type.A, null, "opt-out");
        assertThat(verdict("www.example.test", Type.A).status()).isEqualTo(Status.SECURE);
        assertThat(verdict("test", Type.A).status()).isEqualTo(Status.SECURE);
    }

    private static RRset set(String line) {
        return new RRset(MemoryZone.record(line));
    }
}
