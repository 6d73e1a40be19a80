package io.ananas.recursor;

import static io.ananas.message.ExtendedError.NO_REACHABLE_AUTHORITY;
import static io.ananas.message.ExtendedError.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.testkit.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The budgets of a question, each with its reason and counter. */
class LimitsTest {
    private final Lab lab = new Lab();

    @Test
    void upstreamQueries() {
        lab.limits(Limits.DEFAULT.withUpstreamQueries(2));
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5");
        final Resolution failure = lab.failure("w.a.test", "A", OTHER);
        assertThat(failure.upstreamQueries()).isEqualTo(2);
        assertThat(lab.count(Event.LIMIT_UPSTREAM_QUERIES)).isEqualTo(1);
    }

    @Test
    void wallTime() {
        lab.limits(Limits.DEFAULT.withWallTime(Duration.ofSeconds(2)));
        lab.zone("a.test", "192.0.2.11").always(Reply.silence());
        lab.answer("test", "NS");
        final long start = lab.clock.nanoTime();
        final Resolution failure = lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(lab.clock.nanoTime() - start).isLessThanOrEqualTo(2_000_000_000L);
        assertThat(failure.reasons().getFirst().text()).contains("2000 ms");
        assertThat(lab.count(Event.LIMIT_WALL_TIME)).isEqualTo(1);
    }

    @Test
    void serverLookups() {
        lab.limits(Limits.DEFAULT.withServerLookups(2));
        for (int i = 0; i < 10; i++) {
            lab.tld("a.test. 60 NS n%d.victim.test.".formatted(i));
        }
        lab.zone("victim.test", "192.0.2.12");
        final Resolution failure = lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(failure.reasons().getFirst().text()).contains("2 servers");
        assertThat(lab.count(Event.LIMIT_SERVER_LOOKUPS)).isEqualTo(1);
        assertThat(lab.count(Event.SERVER_LOOKUP)).isEqualTo(2);
    }

    @Test
    void aliasSteps() {
        lab.limits(Limits.DEFAULT.withAliasSteps(1));
        lab.zone(
                "a.test",
                "192.0.2.11",
                "w.a.test. 60 CNAME v.a.test.",
                "v.a.test. 60 CNAME u.a.test.",
                "u.a.test. 60 A 192.0.2.5");
        assertThat(lab.answer("v.a.test", "A")).hasSize(2);
        lab.failure("w.a.test", "A", OTHER);
        assertThat(lab.count(Event.LIMIT_ALIAS_STEPS)).isEqualTo(1);
    }

    @Test
    void questionsInHand() throws Exception {
        lab.limits(Limits.DEFAULT.withInFlight(1));
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        lab.zone("a.test", "192.0.2.11", "w.a.test. 60 A 192.0.2.5")
                .on(
                        query -> {
                            asked.countDown();
                            return true;
                        },
                        Reply.answer("w.a.test. 60 A 192.0.2.5").authoritative().after(go));
        lab.recursor();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            final CompletableFuture<Resolution> first =
                    CompletableFuture.supplyAsync(
                            () -> lab.recursor().resolve(Name.of("w.a.test"), RecordType.A, false),
                            threads);
            asked.await();
            lab.failure("v.a.test", "A", OTHER);
            assertThat(lab.count(Event.LIMIT_IN_FLIGHT)).isEqualTo(1);
            go.countDown();
            assertThat(first.get().view().responseCode()).isZero();
        }
        lab.server("192.0.2.11").unscripted();
        assertThat(lab.ask("v.a.test", "A").answer())
                .as("being busy is no failure of the name")
                .isEmpty();
        assertThat(lab.resolve("v.a.test", "A").isFailure()).isFalse();
    }

    @Test
    void limitsMustBePositive() {
        assertThatThrownBy(() -> Limits.DEFAULT.withUpstreamQueries(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("upstreamQueries 0");
    }
}
