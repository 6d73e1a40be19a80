package io.ananas.recursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.ResolutionFailure.LimitReached;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Links that several questions need at the same time. */
class FlightsTest {
    private static final QuestionKey A = new QuestionKey(Name.of("ns.a.test"), RecordType.A);
    private static final QuestionKey B = new QuestionKey(Name.of("ns.b.test"), RecordType.A);

    private final Events events = new Events();
    private final Flights flights = new Flights(events);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.close();
    }

    private Task task() {
        final Limits limits = Limits.DEFAULT.withWallTime(Duration.ofMinutes(2));
        return new Task(new Budget(limits, events, System::nanoTime));
    }

    private static Link link(QuestionKey key) {
        return new Link(
                key.name(),
                key.type(),
                Link.Kind.NO_DATA,
                ResponseCode.NOERROR,
                key.name(),
                Name.ROOT,
                List.of(),
                List.of(),
                List.of(),
                0,
                0,
                null,
                null);
    }

    private CompletableFuture<Link> join(QuestionKey key, Flights.Work work) {
        final Task task = task();
        return join(key, task, work);
    }

    private CompletableFuture<Link> join(QuestionKey key, Task task, Flights.Work work) {
        final CompletableFuture<Link> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(flights.join(key, task, work));
            } catch (ResolutionFailure | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private long shared() {
        return events.figures().getOrDefault(Event.SHARED_LINK, -1L);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whoComesLaterGetsTheSameLink() throws Exception {
        final CountDownLatch go = new CountDownLatch(1);
        final CountDownLatch flying = new CountDownLatch(1);
        final AtomicInteger worked = new AtomicInteger();
        final Flights.Work work =
                () -> {
                    worked.incrementAndGet();
                    flying.countDown();
                    await(go);
                    return link(A);
                };
        final CompletableFuture<Link> first = join(A, work);
        await(flying);
        final CompletableFuture<Link> second = join(A, work);
        Awaitility.await().until(() -> shared() == 1);
        go.countDown();
        assertThat(second.get()).isSameAs(first.get());
        assertThat(worked).hasValue(1);
    }

    @Test
    void aCircleOfTwoIsNotWaitedFor() throws Exception {
        final CountDownLatch bothFly = new CountDownLatch(2);
        final Task taskA = task();
        final Task taskB = task();
        final AtomicInteger alone = new AtomicInteger();
        final CompletableFuture<Link> a = join(A, taskA, () -> needing(B, taskA, bothFly, alone));
        final CompletableFuture<Link> b = join(B, taskB, () -> needing(A, taskB, bothFly, alone));
        assertThat(a.get(1, TimeUnit.MINUTES)).isNotNull();
        assertThat(b.get(1, TimeUnit.MINUTES)).isNotNull();
        assertThat(alone).as("one of the two resolved it itself").hasValue(1);
        assertThat(shared()).isEqualTo(1);
    }

    private Link needing(QuestionKey other, Task task, CountDownLatch bothFly, AtomicInteger alone)
            throws ResolutionFailure {
        bothFly.countDown();
        await(bothFly);
        return flights.join(
                other,
                task,
                () -> {
                    alone.incrementAndGet();
                    return link(other);
                });
    }

    @Test
    void aFailureIsSharedButTheEndOfSomebodysBudgetIsNot() {
        final CountDownLatch go = new CountDownLatch(1);
        final CountDownLatch flying = new CountDownLatch(2);
        final CompletableFuture<Link> failing =
                join(
                        A,
                        () -> {
                            flying.countDown();
                            await(go);
                            throw new ResolutionFailure(ExtendedError.NETWORK_ERROR, "none");
                        });
        final CompletableFuture<Link> spent =
                join(
                        B,
                        () -> {
                            flying.countDown();
                            await(go);
                            throw new LimitReached(Limit.UPSTREAM_QUERIES, "spent");
                        });
        await(flying);
        final CompletableFuture<Link> withA = join(A, () -> link(A));
        final CompletableFuture<Link> withB = join(B, () -> link(B));
        Awaitility.await().until(() -> shared() == 2);
        go.countDown();
        assertThatThrownBy(failing::get).hasMessageContaining("none");
        assertThatThrownBy(withA::get).hasMessageContaining("none");
        assertThatThrownBy(spent::get).hasMessageContaining("spent");
        assertThat(withB.join().name()).isEqualTo(B.name());
    }
}
