package io.ananas.recursor;

import static io.ananas.message.ExtendedError.BLOCKED;
import static io.ananas.message.ExtendedError.NO_REACHABLE_AUTHORITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stub and forward zones. */
class ConfiguredZonesTest {
    private final Lab lab = new Lab();

    private static ConfiguredZone forward(String name, String server, boolean fallback) {
        return new ConfiguredZone(Name.of(name), true, List.of(Lab.socket(server)), fallback);
    }

    private static ConfiguredZone stub(String name, String server) {
        return ConfiguredZone.stub(Name.of(name), List.of(Lab.socket(server)));
    }

    private void zones(ConfiguredZone... zones) {
        lab.options(lab.options().withZones(List.of(zones)));
    }

    @Test
    void aForwarderIsAskedToResolveTheWholeName() {
        zones(forward("corp.test", "10.0.0.1", false));
        lab.server("10.0.0.1").on("a.b.corp.test", Reply.answer("a.b.corp.test. 60 A 192.0.2.5"));
        assertThat(lab.answer("a.b.corp.test", "A")).hasSize(1);
        assertThat(lab.internet.count()).isEqualTo(1);
        assertThat(lab.server("10.0.0.1").queries().getFirst().message().has(MessageLayout.RD))
                .isTrue();
    }

    @Test
    void aStubIsAskedWithoutRecursionAndItsReferralsAreFollowed() {
        zones(stub("corp.test", "10.0.0.1"));
        lab.server("10.0.0.1")
                .zone(
                        "corp.test",
                        "sub.corp.test. 60 NS ns.sub.corp.test.",
                        "ns.sub.corp.test. 60 A 10.0.0.2");
        lab.server("10.0.0.2").zone("sub.corp.test", "w.sub.corp.test. 60 A 192.0.2.5");
        assertThat(lab.answer("w.sub.corp.test", "A")).hasSize(1);
        assertThat(lab.root().count() + lab.tld().count()).isZero();
        assertThat(lab.server("10.0.0.1").queries().getFirst().message().has(MessageLayout.RD))
                .isFalse();
    }

    @Test
    void theLongestNameCounts() {
        zones(
                forward(".", "10.0.0.1", false),
                forward("a.test", "10.0.0.2", false),
                stub("b.a.test", "10.0.0.3"));
        lab.server("10.0.0.1")
                .always(query -> Reply.answer(query.name() + " 60 A 192.0.2.1").to(query));
        lab.server("10.0.0.2")
                .always(query -> Reply.answer(query.name() + " 60 A 192.0.2.2").to(query));
        lab.server("10.0.0.3").zone("b.a.test", "*.b.a.test. 60 A 192.0.2.3");
        assertThat(lab.answer("x.test", "A").getFirst()).endsWith("192.0.2.1");
        assertThat(lab.answer("x.a.test", "A").getFirst()).endsWith("192.0.2.2");
        assertThat(lab.answer("x.b.a.test", "A").getFirst()).endsWith("192.0.2.3");
    }

    @Test
    void aForwardZoneBelowAnotherTakesItsOwnPartOfAChain() {
        zones(forward(".", "10.0.0.1", false), forward("a.test", "10.0.0.2", false));
        lab.server("10.0.0.1")
                .always(Reply.answer("w.test. 60 CNAME v.a.test.", "v.a.test. 60 A 192.0.2.66"));
        lab.server("10.0.0.2").always(Reply.answer("v.a.test. 60 A 192.0.2.5"));
        assertThat(lab.answer("w.test", "A"))
                .containsExactly("w.test. CNAME v.a.test.", "v.a.test. A 192.0.2.5");
    }

    @Test
    void fallbackResolvesFromTheRootWhereForwardersFail() {
        zones(forward("a.test", "10.0.0.1", true));
        lab.server("10.0.0.1").always(Reply.code(ResponseCode.SERVFAIL));
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
    }

    @Test
    void withoutFallbackTheFailureStays() {
        zones(forward("a.test", "10.0.0.1", false));
        lab.server("10.0.0.1").always(Reply.silence());
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(lab.root().count()).isZero();
    }

    @Test
    void theReasonThatAForwarderGivesIsPassedOn() {
        zones(forward("a.test", "10.0.0.1", false));
        lab.server("10.0.0.1")
                .always(Reply.code(ResponseCode.SERVFAIL).reason(BLOCKED, "by the law"));
        assertThat(lab.failure("w.a.test", "A", BLOCKED).reasons().getFirst().text())
                .contains("by the law");
    }

    @Test
    void aZoneConfiguredTwiceIsRefused() {
        zones(stub("a.test", "10.0.0.1"), forward("A.test", "10.0.0.2", false));
        assertThatThrownBy(lab::recursor)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("configured twice");
    }
}
