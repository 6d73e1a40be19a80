package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.testkit.MemoryZone;
import io.ananas.testkit.SignedZones;
import io.ananas.testkit.TwinKeys;
import io.ananas.testkit.ZoneKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DSRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** What hostile zones may cost: counted in operations, never in time. */
class WorkTest {
    private static final int MANY = 500;
    private final TestTree tree = new TestTree();
    private final MemoryZone zone =
            MemoryZone.unsigned("trap.test").key(ZoneKey.shortRsa()).add("www A 192.0.2.1");

    private void build() {
        tree.add(MemoryZone.signed(".", 13)).add(MemoryZone.signed("test", 13)).add(zone);
        tree.add(MemoryZone.signed("other.test", 13).add("www A 192.0.2.2"));
    }

    private DNSKEYRecord key() {
        return zone.keys.getFirst().dnskey(zone.origin);
    }

    private void replaceSignatures(String name, int type) {
        tree.change(
                name,
                type,
                message -> {
                    for (final Record it : List.copyOf(message.getSection(Section.ANSWER))) {
                        if (it instanceof RRSIGRecord good) {
                            message.removeRecord(it, Section.ANSWER);
                            SignedZones.forged(good, MANY)
                                    .forEach(bad -> message.addRecord(bad, Section.ANSWER));
                        }
                    }
                    return message;
                });
    }

    /** KeyTrap, CVE-2023-50387: keys of one tag times signatures. */
    @Test
    void fiveHundredKeysTimesFiveHundredSignatures() {
        build();
        final List<Integer> tags = new ArrayList<>();
        for (int i = 1; i < MANY; i++) {
            final DNSKEYRecord twin = TwinKeys.of(key(), i);
            tags.add(twin.getFootprint());
            zone.addRecord(twin);
        }
        assertThat(tags).containsOnly(key().getFootprint());
        replaceSignatures("www.trap.test", Type.A);
        final Fixture fixture = new Fixture(tree);
        final Verdict verdict = fixture.verdict("www.trap.test", Type.A);
        assertThat(verdict.status()).isEqualTo(Status.BOGUS);
        assertThat(verdict.error()).isEqualTo(ExtendedError.DNSSEC_BOGUS);
        assertThat(verdict.text()).contains("too many signatures or keys of one tag");
        final ValidationStatistics statistics = fixture.validator.statistics();
        assertThat(statistics.failedChecks())
                .isBetween(1L, (long) ValidationLimits.DEFAULT.failuresPerRrset());
        assertThat(statistics.digests()).isLessThanOrEqualTo(40);
        assertThat(fixture.verdict("www.other.test", Type.A).status()).isEqualTo(Status.SECURE);
    }

    @Test
    void fiveHundredSignaturesOverTheKeysThemselves() {
        build();
        replaceSignatures("trap.test", Type.DNSKEY);
        final Fixture fixture = new Fixture(tree);
        assertThat(fixture.verdict("www.trap.test", Type.A).status()).isEqualTo(Status.BOGUS);
        assertThat(fixture.validator.statistics().failedChecks())
                .isLessThanOrEqualTo(ValidationLimits.DEFAULT.failuresPerRrset());
        final long before = fixture.validator.statistics().checks();
        assertThat(fixture.verdict("trap.test", Type.SOA).status()).isEqualTo(Status.BOGUS);
        assertThat(fixture.validator.statistics().checks()).isEqualTo(before);
    }

    @Test
    void manyDsRecordsTimesManyKeys() {
        build();
        final MemoryZone parent = tree.zone("test");
        final RRset set = new RRset();
        for (int i = 1; i <= 100; i++) {
            final byte[] digest = TestTree.ds(zone, 2).getDigest();
            digest[5] ^= (byte) i;
            set.addRR(
                    new DSRecord(
                            zone.origin,
                            DClass.IN,
                            MemoryZone.TTL,
                            key().getFootprint(),
                            8,
                            2,
                            digest));
            zone.addRecord(TwinKeys.of(key(), i));
        }
        tree.change(
                "trap.test",
                Type.DS,
                message -> {
                    List.copyOf(message.getSection(Section.ANSWER))
                            .forEach(it -> message.removeRecord(it, Section.ANSWER));
                    set.rrs().forEach(it -> message.addRecord(it, Section.ANSWER));
                    message.addRecord(parent.sign(set, parent.keys.getFirst()), Section.ANSWER);
                    return message;
                });
        final Fixture fixture = new Fixture(tree);
        final Verdict verdict = fixture.verdict("www.trap.test", Type.A);
        assertThat(verdict.status()).isEqualTo(Status.BOGUS);
        assertThat(verdict.error()).isEqualTo(ExtendedError.DNSKEY_MISSING);
        assertThat(fixture.validator.statistics().digests()).isLessThanOrEqualTo(40);
    }

    /** CVE-2023-50868: the hashes of a closest encloser proof. */
    @Test
    void deepNamesInNsec3() {
        build();
        zone.nsec3(50, "00112233445566778899aabbccddeeff".repeat(4), false);
        final String deep = "a.".repeat(110) + "trap.test";
        final ValidationLimits tight = limits(128, 2_000);
        final Fixture fixture = new Fixture(tree, tree.anchors(), tight);
        final Verdict verdict = fixture.verdict(deep, Type.A);
        assertThat(verdict.status()).isEqualTo(Status.BOGUS);
        assertThat(verdict.text()).contains("gave up after hashing 2000 blocks");
        assertThat(fixture.validator.statistics().hashBlocks()).isLessThanOrEqualTo(2_000);
        assertThat(fixture.validator.statistics().exhausted()).isEqualTo(1);
        assertThat(fixture.verdict("x.trap.test", Type.A).status()).isEqualTo(Status.SECURE);
    }

    @Test
    void theChecksOfAQuestionAreBounded() {
        build();
        final Fixture fixture = new Fixture(tree, tree.anchors(), limits(5, 10_000));
        final Verdict verdict = fixture.verdict("www.trap.test", Type.A);
        assertThat(verdict.status()).isEqualTo(Status.BOGUS);
        assertThat(verdict.text())
                .isEqualTo(
                        "www.trap.test. A: gave up after 5 signature checks, the limit for a question");
        assertThat(fixture.validator.statistics().checks()).isEqualTo(5);
        assertThat(fixture.verdict("www.trap.test", Type.A).status()).isEqualTo(Status.SECURE);
    }

    private static ValidationLimits limits(int checks, int hashBlocks) {
        final ValidationLimits d = ValidationLimits.DEFAULT;
        return new ValidationLimits(
                d.keysPerTag(),
                d.signaturesPerRrset(),
                d.failuresPerRrset(),
                checks,
                d.failuresPerQuestion(),
                d.digestsPerQuestion(),
                hashBlocks,
                d.fetchesPerQuestion(),
                d.insecureIterations(),
                d.bogusIterations(),
                d.denialSets(),
                d.cachedZones(),
                d.bogusSeconds(),
                d.clockSkewSeconds());
    }

    /** A thread that waits for a server holds no place where signatures are checked. */
    @Test
    void aSlowFetchDelaysNobody() throws InterruptedException {
        build();
        final Fixture fixture = new Fixture(tree);
        final CountDownLatch fetching = new CountDownLatch(1);
        final CountDownLatch answer = new CountDownLatch(1);
        final List<Verdict> slow = new ArrayList<>();
        final org.xbill.DNS.Message response =
                tree.respond(MemoryZone.name("www.trap.test"), Type.A);
        if (response == null) {
            throw new IllegalStateException();
        }
        final Thread thread =
                Thread.ofVirtual()
                        .start(() ->
                                slow.add(
                                        fixture.validator.validate(
                                                io.ananas.message.Name.of("www.trap.test"),
                                                Type.A,
                                                TestTree.view(response),
                                                io.ananas.message.Name.of("trap.test"),
                                                (name, type) -> {
                                                    fetching.countDown();
                                                    awaitQuietly(answer);
                                                    return tree.fetch(name, type);
                                                })));
        fetching.await();
        assertThat(fixture.verdict("www.other.test", Type.A).status()).isEqualTo(Status.SECURE);
        answer.countDown();
        thread.join();
        assertThat(slow).hasSize(1);
        assertThat(slow.getFirst().status()).isEqualTo(Status.SECURE);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
