package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

class DnssecValidatorTest {
    private final InstantSource clock = () -> TestZone.NOW;

    private static TestTree tree(int algorithm, boolean nsec3) {
        final TestTree tree = new TestTree();
        tree.add(TestZone.signed(".", algorithm));
        tree.add(denial(TestZone.signed("test", algorithm), nsec3));
        final TestZone zone = denial(TestZone.signed("example.test", algorithm), nsec3);
        zone.add("www A 192.0.2.1").add("www A 192.0.2.2").add("www TXT \"hello\"");
        zone.add("alias CNAME www").add("away CNAME www.other.test.");
        zone.add("a.b.ent A 192.0.2.3");
        zone.add("*.wild A 192.0.2.4").add("*.wild MX 10 mail");
        zone.add("moved DNAME other.test.").add("here DNAME example.test.");
        tree.add(zone);
        tree.add(denial(TestZone.signed("other.test", algorithm), nsec3).add("www A 192.0.2.9"));
        tree.add(TestZone.unsigned("plain.test").add("www A 192.0.2.10").add("alias CNAME www"));
        return tree;
    }

    private static TestZone denial(TestZone zone, boolean nsec3) {
        return nsec3 ? zone.nsec3(0, "", false) : zone;
    }

    private DnssecValidator validator(TestTree tree) {
        return new DnssecValidator(
                tree.anchors(),
                new NegativeTrustAnchors(clock),
                new DenialStore(),
                ValidationLimits.DEFAULT,
                1,
                clock);
    }

    private Verdict verdict(TestTree tree, String name, int type) {
        final Message response = tree.respond(TestZone.name(name), type);
        if (response == null) {
            throw new IllegalStateException(name);
        }
        final Name zone = Name.of(tree.zoneFor(TestZone.name(name), type).origin.toString());
        return validator(tree).validate(Name.of(name), type, TestTree.view(response), zone, tree);
    }

    private static void secure(Verdict verdict) {
        assertThat(verdict.text()).isEmpty();
        assertThat(verdict.status()).isEqualTo(Status.SECURE);
        assertThat(verdict.error()).isNull();
    }

    private static void bogus(Verdict verdict, @Nullable ExtendedError error) {
        assertThat(verdict.status()).as(verdict.text()).isEqualTo(Status.BOGUS);
        assertThat(verdict.error()).as(verdict.text()).isEqualTo(error);
        assertThat(verdict.text()).isNotEmpty();
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
    void aSignatureOutOfTimeIsToldAsSuch() {
        final TestTree expired = tree(13, false);
        expired.zone("example.test")
                .validity(TestZone.NOW.minusSeconds(7200), TestZone.NOW.minusSeconds(1));
        bogus(verdict(expired, "www.example.test", Type.A), ExtendedError.SIGNATURE_EXPIRED);
    }
}
