package io.ananas.recursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.RecursorOptions.Minimisation;
import io.ananas.testkit.ReceivedQuery;
import io.ananas.testkit.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much of a name servers get to see (RFC 9156). */
class MinimisationTest {
    private static final Reply NAME_ERROR =
            Reply.code(ResponseCode.NXDOMAIN)
                    .authoritative()
                    .authority("z.test. 60 SOA ns. host. 1 1 1 1 60");

    private final Lab lab = new Lab();

    private static List<String> names(List<ReceivedQuery> queries) {
        return queries.stream().map(ReceivedQuery::toString).toList();
    }

    @Test
    void eachServerSeesOneLabelMoreThanItsZone() {
        lab.zone("a.test", "192.0.2.11", "w.x.a.test. 60 TXT hello");
        lab.answer("w.x.a.test", "TXT");
        assertThat(names(lab.root().queries()))
                .containsExactly(". NS over UDP", "test. A over UDP");
        assertThat(names(lab.tld().queries())).containsExactly("a.test. A over UDP");
        assertThat(names(lab.server("192.0.2.11").queries()))
                .containsExactly("x.a.test. A over UDP", "w.x.a.test. TXT over UDP");
    }

    @Test
    void switchedOffEachServerSeesAll() {
        lab.options(lab.options().withMinimisation(Minimisation.OFF));
        lab.zone("a.test", "192.0.2.11", "w.x.a.test. 60 TXT hello");
        lab.answer("w.x.a.test", "TXT");
        assertThat(lab.root().count("w.x.a.test", "TXT")).isEqualTo(1);
        assertThat(lab.tld().count("w.x.a.test", "TXT")).isEqualTo(1);
        assertThat(lab.server("192.0.2.11").count()).isEqualTo(1);
    }

    @Test
    void aNodeOnTheWayIsAskedForOnce() {
        lab.zone("a.test", "192.0.2.11", "w.x.a.test. 60 TXT hello", "v.x.a.test. 60 TXT hello");
        lab.answer("w.x.a.test", "TXT");
        lab.server("192.0.2.11").clear();
        lab.answer("v.x.a.test", "TXT");
        assertThat(lab.server("192.0.2.11").count()).isEqualTo(1);
    }

    @Test
    void strictBelievesANameErrorOnTheWay() {
        lab.options(lab.options().withMinimisation(Minimisation.STRICT));
        lab.zone("z.test", "192.0.2.11", "a.b.z.test. 60 A 192.0.2.3").on("b.z.test", NAME_ERROR);
        assertThat(lab.ask("a.b.z.test", "A").responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(lab.server("192.0.2.11").count("a.b.z.test", "A")).isZero();
    }

    @Test
    void relaxedAsksForTheWholeNameWhereAServerFailsAtAPart() {
        for (final int code : List.of(ResponseCode.REFUSED, ResponseCode.SERVFAIL)) {
            final Lab other = new Lab();
            other.zone("z.test", "192.0.2.11", "a.b.z.test. 60 A 192.0.2.3")
                    .on("b.z.test", Reply.code(code));
            assertThat(other.answer("a.b.z.test", "A")).hasSize(1);
            assertThat(other.count(Event.MINIMISATION_FALLBACK)).isEqualTo(1);
        }
    }

    @Test
    void aNameOfManyLabelsTakesABoundedNumberOfSteps() {
        final String name = "1.2.3.4.5.6.7.8.9.a.b.c.d.e.f.0.1.2.3.4.5.6.7.8.a.test";
        lab.zone("a.test", "192.0.2.11", name + ". 60 TXT hello");
        final Resolution resolution = lab.resolve(name, "TXT");
        assertThat(resolution.view().responseCode()).isZero();
        assertThat(resolution.minimisationSteps()).isLessThanOrEqualTo(12);
    }

    @Test
    void theLimitOfStepsIsKept() {
        lab.limits(Limits.DEFAULT.withMinimisationSteps(3));
        final String name = "1.2.3.4.5.6.7.8.a.test";
        lab.zone("a.test", "192.0.2.11", name + ". 60 TXT hello");
        final Resolution resolution = lab.resolve(name, "TXT");
        assertThat(resolution.view().responseCode()).isZero();
        assertThat(resolution.minimisationSteps()).isLessThanOrEqualTo(3);
        assertThat(lab.count(Event.LIMIT_MINIMISATION_STEPS)).isPositive();
    }

    @Test
    void stepsReachTheWholeNameForAnyNumberOfLabels() {
        for (int labels = 1; labels <= 120; labels++) {
            final Name full = Name.of("x.".repeat(labels));
            final Minimiser minimiser = new Minimiser(full, 10);
            Name known = Name.ROOT;
            int steps = 0;
            while (!known.equals(full)) {
                final Name next = minimiser.next(known);
                assertThat(next.labelCount()).isGreaterThan(known.labelCount());
                assertThat(full.isSubdomainOf(next)).isTrue();
                known = next;
                steps++;
            }
            assertThat(steps).as("%d labels", labels).isLessThanOrEqualTo(11);
        }
    }
}
