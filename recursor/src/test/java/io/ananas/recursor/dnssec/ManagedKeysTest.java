package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Name;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.testkit.MemoryZone;
import io.ananas.testkit.ZoneKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** The roll-over of the root's key, day by day (RFC 5011). */
class ManagedKeysTest {
    private static final ZoneKey OLD = ZoneKey.of(13, "old root");
    private static final ZoneKey NEW = ZoneKey.of(13, "new root");
    private static final ZoneKey REVOKED = OLD.withFlags(ZoneKey.KSK | Dnskey.REVOKE);

    @TempDir Path directory;
    private Path file = Path.of("unset");
    private final TestTree tree = new TestTree();
    private Instant now = MemoryZone.NOW;
    private TrustAnchors configured = TrustAnchors.none();
    private List<ZoneKey> shown = List.of(OLD);
    private List<ZoneKey> signing = List.of(OLD);

    @BeforeEach
    void root() {
        file = directory.resolve("anchors.state");
        tree.add(MemoryZone.unsigned(".").key(OLD));
        configured = tree.anchors();
        tree.change(
                ".",
                Type.DNSKEY,
                message -> {
                    final MemoryZone root =
                            tree.zone(".").validity(now, now.plus(Duration.ofDays(9)));
                    final RRset set = new RRset();
                    shown.forEach(it -> set.addRR(it.dnskey(root.origin)));
                    message.removeAllRecords(Section.ANSWER);
                    set.rrs().forEach(it -> message.addRecord(it, Section.ANSWER));
                    signing.forEach(it -> message.addRecord(root.sign(set, it), Section.ANSWER));
                    return message;
                });
    }

    private ManagedKeys start() throws IOException {
        return new ManagedKeys(configured, file, () -> now);
    }

    private void show(ZoneKey... keys) {
        shown = List.of(keys);
    }

    private void sign(ZoneKey... keys) {
        signing = List.of(keys);
    }

    private List<String> after(int days, ManagedKeys keys) throws IOException {
        now = now.plus(Duration.ofDays(days));
        keys.refresh(Name.ROOT, tree);
        return keys.state().stream()
                .map(it -> it.replaceAll(".*key (\\d+),.*: (\\w+) .*", "$1 $2"))
                .toList();
    }

    private static String tag(ZoneKey key) {
        return "" + key.dnskey(MemoryZone.name(".")).getFootprint();
    }

    @Test
    void aNewKeyBecomesAnAnchorAfterThirtyDaysAndTheOldOneGoes() throws IOException {
        final ManagedKeys keys = start();
        assertThat(after(0, keys)).containsExactly(tag(OLD) + " VALID");
        show(OLD, NEW);
        assertThat(after(1, keys)).containsExactly(tag(OLD) + " VALID", tag(NEW) + " PENDING");
        assertThat(after(29, keys)).contains(tag(NEW) + " PENDING");
        assertThat(after(1, keys)).contains(tag(NEW) + " VALID");
        show(NEW);
        sign(NEW);
        assertThat(after(1, keys)).containsExactly(tag(OLD) + " MISSING", tag(NEW) + " VALID");
        show(REVOKED, NEW);
        sign(NEW, REVOKED);
        assertThat(after(1, keys)).containsExactly(tag(OLD) + " REVOKED", tag(NEW) + " VALID");
        show(NEW);
        sign(NEW);
        assertThat(after(29, keys)).contains(tag(OLD) + " REVOKED");
        assertThat(after(1, keys)).contains(tag(OLD) + " REMOVED");
        show(OLD, NEW);
        assertThat(after(40, keys)).contains(tag(OLD) + " REMOVED");
        sign(OLD);
        assertThat(validates(keys)).isEqualTo(Status.BOGUS);
    }

    private Status validates(ManagedKeys keys) {
        final Fixture fixture = new Fixture(tree, keys);
        fixture.now = now;
        return fixture.verdict(".", Type.DNSKEY).status();
    }

    @Test
    void aPendingKeyIsNoAnchorAndIsForgottenWhenItGoes() throws IOException {
        final ManagedKeys keys = start();
        show(OLD, NEW);
        after(0, keys);
        assertThat(after(20, keys)).contains(tag(NEW) + " PENDING");
        show(OLD);
        assertThat(after(1, keys)).containsExactly(tag(OLD) + " VALID");
        show(OLD, NEW);
        assertThat(after(1, keys)).contains(tag(NEW) + " PENDING");
        assertThat(after(20, keys)).contains(tag(NEW) + " PENDING");
        sign(NEW);
        assertThat(validates(keys)).isEqualTo(Status.BOGUS);
        assertThat(after(20, keys))
                .as("nothing counts that no anchor has signed")
                .contains(tag(NEW) + " PENDING");
        sign(OLD);
        assertThat(validates(keys)).isEqualTo(Status.SECURE);
    }

    @Test
    void aRevocationThatTheKeyItselfHasNotSignedIsNone() throws IOException {
        final ManagedKeys keys = start();
        show(OLD, NEW);
        after(0, keys);
        after(31, keys);
        show(REVOKED, NEW);
        sign(NEW);
        assertThat(after(1, keys)).contains(tag(OLD) + " MISSING");
    }

    @Test
    void theStateSurvivesARestart() throws IOException {
        show(OLD, NEW);
        after(0, start());
        assertThat(after(29, start())).contains(tag(NEW) + " PENDING");
        assertThat(after(1, start())).contains(tag(NEW) + " VALID");
        show(NEW);
        sign(NEW);
        final ManagedKeys keys = start();
        assertThat(validates(keys)).isEqualTo(Status.SECURE);
        assertThat(Files.readString(file)).contains("VALID 2031-06-05T07:08:09Z");
    }

    @Test
    void anAnchorFoundRevokedAtFirstSightIsNone() throws IOException {
        final TrustAnchors both =
                configured.and(
                        TrustAnchors.of(List.of(NEW.dnskey(MemoryZone.name(".")).toString())));
        configured = both;
        show(REVOKED, NEW);
        sign(NEW, REVOKED);
        final ManagedKeys keys = start();
        assertThat(after(0, keys)).contains(tag(OLD) + " REVOKED", tag(NEW) + " VALID");
        show(OLD, NEW);
        sign(OLD);
        assertThat(validates(keys)).isEqualTo(Status.BOGUS);
    }

    @Test
    void whenAllAreRevokedNothingIsValidated() throws IOException {
        final ManagedKeys keys = start();
        after(0, keys);
        show(REVOKED, NEW);
        sign(REVOKED, OLD);
        after(1, keys);
        assertThat(keys.closestAnchor(Name.of("www.test"))).isEqualTo(Name.ROOT);
        show(REVOKED, OLD);
        after(1, keys);
        assertThat(keys.closestAnchor(Name.of("www.test"))).isNull();
        assertThat(validates(keys)).isEqualTo(Status.INSECURE);
    }

    @Test
    void theNextTimeToAskFollowsTtlAndSignature() throws IOException {
        final ManagedKeys keys = start();
        assertThat(keys.refresh(Name.ROOT, tree)).isEqualTo(now.plus(Duration.ofHours(1)));
        tree.silence(".", Type.DNSKEY);
        assertThat(keys.refresh(Name.ROOT, tree)).isEqualTo(now.plus(Duration.ofHours(1)));
        assertThat(keys.zones()).containsExactly(Name.ROOT);
    }

    @Test
    void aFileThatIsNoneIsRefusedWithItsLine() throws IOException {
        Files.writeString(file, "; fine\n. 257 3 13 nonsense VALID\n");
        assertThatThrownBy(this::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("anchors.state, line 2")
                .hasMessageContaining("PENDING");
        final DNSKEYRecord key = OLD.dnskey(MemoryZone.name("."));
        assertThat(key.getFootprint()).isPositive();
    }
}
