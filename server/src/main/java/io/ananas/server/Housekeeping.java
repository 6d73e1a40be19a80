package io.ananas.server;

import io.ananas.cache.CacheClosedException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done now and then, and timers. Thread-safe.
 *
 * <p>One thread keeps the time and does what takes none itself; work that takes long gets a thread
 * of the system, for on a virtual one it would keep misses waiting where there are few cores. What
 * fails is logged, and done again in its turn. After {@link #close} nothing begins any more,
 * without a word.
 */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1,
                    Thread.ofPlatform().name("housekeeping").daemon().factory(),
                    new ThreadPoolExecutor.DiscardPolicy());

    Housekeeping() {
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Does a short task again and again, first when one interval has passed. */
    @SuppressWarnings("FutureReturnValueIgnored") // ends with the timer
    void every(Duration interval, String task, Runnable work) {
        timer.scheduleAtFixedRate(
                () -> attempt(task, work),
                interval.toNanos(),
                interval.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** As {@link #every} for a long task, which is left out while the last one still goes on. */
    void everyInBackground(Duration interval, String task, Runnable work) {
        final AtomicBoolean busy = new AtomicBoolean();
        every(
                interval,
                task,
                () -> {
                    if (busy.compareAndSet(false, true)) {
                        Thread.ofPlatform()
                                .name(task)
                                .daemon()
                                .start(() -> {
                                    attempt(task, work);
                                    busy.set(false);
                                });
                    }
                });
    }

    /** Does a short task once; it can be cancelled until then. */
    Future<?> after(Duration delay, String task, Runnable work) {
        return timer.schedule(() -> attempt(task, work), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void attempt(String task, Runnable work) {
        try {
            work.run();
        } catch (CacheClosedException e) {
            LOG.debug("The end of the server cut short: {}", task);
        } catch (RuntimeException | Error e) {
            LOG.error("Housekeeping failed at \"{}\" for a defect of the server", task, e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
