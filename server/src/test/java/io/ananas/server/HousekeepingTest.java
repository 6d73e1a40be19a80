package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HousekeepingTest {
    private static final Duration OFTEN = Duration.ofMillis(5);
    private static final int PATIENCE = 30;

    @Test
    void whatFailsIsDoneAgain() throws InterruptedException {
        final CountDownLatch attempts = new CountDownLatch(3);
        try (Housekeeping housekeeping = new Housekeeping()) {
            housekeeping.every(
                    OFTEN,
                    "test",
                    () -> {
                        attempts.countDown();
                        throw new IllegalStateException("made up");
                    });
            assertThat(attempts.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aLongTaskDelaysNoOtherAndIsNotBegunTwice() throws InterruptedException {
        final AtomicInteger begun = new AtomicInteger();
        final CountDownLatch others = new CountDownLatch(10);
        final CountDownLatch release = new CountDownLatch(1);
        try (Housekeeping housekeeping = new Housekeeping()) {
            housekeeping.everyInBackground(
                    OFTEN,
                    "long",
                    () -> {
                        begun.incrementAndGet();
                        await(release);
                    });
            Awaitility.await().until(() -> begun.get() == 1);
            housekeeping.every(OFTEN, "short", others::countDown);
            assertThat(others.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
            assertThat(begun).hasValue(1);
            release.countDown();
            Awaitility.await().until(() -> begun.get() > 1);
        }
    }

    @Test
    void aTimerIsCancelledAndNothingBeginsAfterTheEnd() throws InterruptedException {
        final AtomicInteger done = new AtomicInteger();
        final CountDownLatch last = new CountDownLatch(1);
        final Housekeeping housekeeping = new Housekeeping();
        final Future<?> cancelled =
                housekeeping.after(OFTEN.multipliedBy(20), "test", done::incrementAndGet);
        cancelled.cancel(false);
        final Future<?> _ = housekeeping.after(OFTEN.multipliedBy(30), "test", last::countDown);
        assertThat(last.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
        housekeeping.close();
        assertThat(housekeeping.after(Duration.ZERO, "test", done::incrementAndGet)).isNotDone();
        assertThat(done).hasValue(0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
