package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.testkit.MemoryZone;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

class DenialStoreTest {
    private final TestTree tree = new TestTree();
    private final Fixture fixture = fixture();

    private Fixture fixture() {
        tree.add(MemoryZone.signed(".", 13)).add(MemoryZone.signed("test", 13));
        tree.add(MemoryZone.signed("example.test", 13));
        tree.add(MemoryZone.signed("sub.example.test", 13).add("www A 192.0.2.7"));
        tree.add(MemoryZone.unsigned("plain.example.test").add("www A 192.0.2.8"));
        tree.zone("example.test")
                .add("b A 192.0.2.1")
                .add("m A 192.0.2.2")
                .add("x.y.ent A 192.0.2.3")
                .add("*.wild A 192.0.2.4")
                .add("redir DNAME other.test.");
        return new Fixture(tree);
    }

    private void learn(String name, int type) {
        final Verdict verdict = fixture.verdict(name, type);
        assertThat(verdict.status()).as(verdict.text()).isEqualTo(Status.SECURE);
    }

    private @Nullable Synthesis find(String name, int type) {
        return fixture.denials.find(Name.of(name), type, fixture.now);
    }

    private Synthesis found(String name, int type) {
        final Synthesis found = find(name, type);
        if (found == null) {
            throw new AssertionError("nothing for " + name + " " + Type.string(type));
        }
        return found;
    }

    private void nothing(String name, int type) {
        assertThat(find(name, type)).isNull();
    }

    private void nsec3(boolean nsec3) {
        if (nsec3) {
            tree.zone("example.test").nsec3(0, "", false);
        }
    }

    @Test
    void aDeniedRangeDeniesEveryNameInIt() {
        nothing("f.example.test", Type.A);
        learn("e.example.test", Type.A);
        assertThat(found("c.example.test", Type.A).responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(found("a.b.c.d.example.test", Type.TXT).responseCode())
                .isEqualTo(ResponseCode.NXDOMAIN);
        nothing("n.example.test", Type.A);
        nothing("b.example.test", Type.A);
        assertThat(found("b.example.test", Type.MX).responseCode()).isEqualTo(ResponseCode.NOERROR);
        nothing("other.test", Type.A);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noDataAtANameAlreadySeen(boolean nsec3) {
        nsec3(nsec3);
        learn("m.example.test", Type.AAAA);
        final Synthesis found = found("M.example.test", Type.TXT);
        assertThat(found.responseCode()).isEqualTo(ResponseCode.NOERROR);
        assertThat(found.hasAnswer()).isFalse();
        assertThat(found.ttl()).isEqualTo(60);
        nothing("m.example.test", Type.A);
        nothing("m.example.test", Type.ANY);
        nothing("m.example.test", Type.RRSIG);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWildcardStandsForOthersOfItsNames(boolean nsec3) {
        nsec3(nsec3);
        learn("q.wild.example.test", Type.A);
        final String other = inTheSameRange("q.wild.example.test", nsec3);
        learn("q.wild.example.test", Type.TXT);
        final Synthesis found = found(other, Type.A);
        assertThat(found.hasAnswer()).isTrue();
        assertSecure(other, Type.A, found);
        assertSecure(other, Type.TXT, found(other, Type.TXT));
    }

    private String inTheSameRange(String name, boolean nsec3) {
        final MemoryZone zone = tree.zone("example.test");
        for (int i = 0; ; i++) {
            final String other = "z" + i + ".wild.example.test";
            if (!nsec3
                    || zone.nsec3Covering(MemoryZone.name(name))
                            .equals(zone.nsec3Covering(MemoryZone.name(other)))) {
                return other;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsFoundValidatesAndAgreesWithTheZone(boolean nsec3) {
        nsec3(nsec3);
        final Random random = new Random(42);
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            final String label = Character.toString('a' + random.nextInt(26));
            final String[] zones = {"", "ent.", "y.ent.", "wild.", "b.", "a.wild.", "redir."};
            names.add(label + "." + zones[random.nextInt(zones.length)] + "example.test");
        }
        int synthesised = 0;
        for (final String name : names) {
            final int type = random.nextBoolean() ? Type.A : Type.TXT;
            final Message truth = tree.respond(MemoryZone.name(name), type);
            final Synthesis found = find(name, type);
            if (found == null) {
                fixture.verdict(name, type);
            } else if (truth != null) {
                synthesised++;
                assertThat(found.responseCode()).as(name).isEqualTo(truth.getRcode());
                assertThat(found.hasAnswer())
                        .as(name)
                        .isEqualTo(!truth.getSection(org.xbill.DNS.Section.ANSWER).isEmpty());
                assertSecure(name, type, found);
            }
        }
        assertThat(synthesised).isGreaterThan(40);
        assertThat(fixture.denials.synthesised()).isEqualTo(synthesised);
    }

    /** The response itself validates, before a validator that knows nothing yet. */
    private void assertSecure(String name, int type, Synthesis found) {
        final byte[] response = found.response(Name.of(name), type);
        final MessageView view = new MessageView();
        assertThat(view.parse(response, response.length)).isEqualTo(Fault.NONE);
        assertThat(view.flags() & MessageLayout.AD).isNotZero();
        assertThat(view.reasons()).extracting(MessageView.Reason::code).containsExactly(29);
        assertThat(ExtendedError.of(29)).isEqualTo(ExtendedError.SYNTHESIZED);
        final Verdict verdict =
                new Fixture(tree)
                        .validator.validate(
                                Name.of(name), type, view, Name.of("example.test"), tree);
        assertThat(verdict.status()).as(name + ": " + verdict.text()).isEqualTo(Status.SECURE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsSaidOfNamesBelowAZoneCutOrADname(boolean nsec3) {
        nsec3(nsec3);
        learn("sub.example.test", Type.DS);
        learn("plain.example.test", Type.DS);
        learn("redir.example.test", Type.A);
        for (int i = 0; i < 40; i++) {
            fixture.verdict("n" + i + ".example.test", Type.A);
        }
        nothing("nope.sub.example.test", Type.A);
        nothing("nope.plain.example.test", Type.A);
        nothing("foo.redir.example.test", Type.A);
        nothing("plain.example.test", Type.A);
        nothing("sub.example.test", Type.A);
        assertThat(found("plain.example.test", Type.DS).responseCode())
                .isEqualTo(ResponseCode.NOERROR);
    }

    @Test
    void optOutIsNeverKept() {
        tree.zone("example.test").nsec3(0, "", true);
        for (int i = 0; i < 20; i++) {
            fixture.verdict("n" + i + ".example.test", Type.A);
            fixture.verdict("b.example.test", Type.MX);
        }
        for (int i = 0; i < 20; i++) {
            nothing("n" + i + ".example.test", Type.A);
        }
        nothing("b.example.test", Type.TXT);
    }

    @Test
    void manyIterationsAreNotRepeatedForEveryQuestion() {
        tree.zone("example.test").nsec3(11, "", false);
        learn("m.example.test", Type.AAAA);
        nothing("m.example.test", Type.AAAA);
    }

    @Test
    void proofsExpireWithTheShortestOfTheirLives() {
        tree.zone("example.test")
                .validity(MemoryZone.NOW.minusSeconds(10), MemoryZone.NOW.plusSeconds(30));
        learn("e.example.test", Type.A);
        assertThat(found("d.example.test", Type.A).ttl()).isEqualTo(30);
        fixture.now = fixture.now.plusSeconds(29);
        assertThat(found("d.example.test", Type.A).ttl()).isEqualTo(1);
        fixture.now = fixture.now.plusSeconds(1);
        nothing("d.example.test", Type.A);
    }

    @Test
    void aNewProofReplacesWhatItContradicts() {
        learn("e.example.test", Type.A);
        assertThat(find("d.example.test", Type.A)).isNotNull();
        tree.zone("example.test").add("d A 192.0.2.9");
        learn("e.example.test", Type.AAAA);
        nothing("d.example.test", Type.A);
        nothing("c.example.test", Type.A);
        assertThat(find("da.example.test", Type.A)).isNotNull();
    }

    @Test
    void bogusProofsAreNotKept() {
        tree.change(
                "e.example.test",
                Type.A,
                message -> {
                    message.removeAllRecords(org.xbill.DNS.Section.ANSWER);
                    return message;
                });
        tree.zone("example.test")
                .validity(MemoryZone.NOW.minusSeconds(10), MemoryZone.NOW.minusSeconds(5));
        assertThat(fixture.verdict("e.example.test", Type.A).status()).isEqualTo(Status.BOGUS);
        nothing("e.example.test", Type.A);
        assertThat(fixture.denials.size()).isZero();
    }

    @Test
    void itStaysWithinItsBounds() {
        final DenialStore small = new DenialStore(64);
        final MemoryZone zone = tree.zone("example.test");
        for (int i = 0; i < 60; i++) {
            zone.add("n%02d A 192.0.2.1".formatted(i));
        }
        final DnssecValidator validator =
                new DnssecValidator(
                        tree.anchors(),
                        fixture.negative,
                        small,
                        ValidationLimits.DEFAULT,
                        false,
                        CryptoLibrary.JDK,
                        1,
                        () -> fixture.now);
        for (int i = 0; i < 60; i++) {
            final String name = "n%02d.example.test".formatted(i);
            final Message response = tree.respond(MemoryZone.name(name), Type.MX);
            if (response != null) {
                validator.validate(
                        Name.of(name),
                        Type.MX,
                        TestTree.view(response),
                        Name.of("example.test"),
                        tree);
            }
            assertThat(small.size()).isLessThanOrEqualTo(64);
        }
        assertThat(small.size()).isPositive();
        validator.forget(Name.of("example.test"));
        assertThat(small.size()).isZero();
    }
}
