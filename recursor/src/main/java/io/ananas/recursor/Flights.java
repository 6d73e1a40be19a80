package io.ananas.recursor;

import io.ananas.recursor.ResolutionFailure.LimitReached;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Links that are being resolved, so that others who need the same one wait for it and do not ask
 * again: above all keys, DS records and addresses of servers.
 *
 * <p>Who waits may be waited for. If the owner of a flight waits, over however many others, for a
 * flight of the one who now would join, all would wait until their time is over; so before joining
 * that chain is walked, and who would close a circle resolves the link itself. Thread-safe.
 */
final class Flights {
    /** The work of the owner of a flight. */
    @FunctionalInterface
    interface Work {
        Link run() throws ResolutionFailure;
    }

    /** A link on its way. */
    static final class Flight {
        private final Task owner;
        private final CompletableFuture<Link> result = new CompletableFuture<>();

        private Flight(Task owner) {
            this.owner = owner;
        }
    }

    private final Map<QuestionKey, Flight> flights = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Events events;

    Flights(Events events) {
        this.events = events;
    }

    /** The link that {@code work} finds, or that somebody else is finding already. */
    Link join(QuestionKey key, Task task, Work work) throws ResolutionFailure {
        final Flight own = new Flight(task);
        final Flight other = board(key, own, task);
        if (other == null) {
            return fly(key, own, work);
        }
        return task.waitsFor() == null ? work.run() : await(key, other, task, work);
    }

    /** The flight that is under way already; null if {@code own} is the one now. */
    private @Nullable Flight board(QuestionKey key, Flight own, Task task) {
        lock.lock();
        try {
            final Flight other = flights.putIfAbsent(key, own);
            if (other != null && !closesCircle(other, task)) {
                task.waitFor(other);
            }
            return other;
        } finally {
            lock.unlock();
        }
    }

    private static boolean closesCircle(Flight flight, Task task) {
        @Nullable Flight next = flight;
        while (next != null) {
            if (next.owner == task) {
                return true;
            }
            next = next.owner.waitsFor();
        }
        return false;
    }

    private Link fly(QuestionKey key, Flight own, Work work) throws ResolutionFailure {
        try {
            final Link link = work.run();
            land(key, own);
            own.result.complete(link);
            return link;
        } catch (ResolutionFailure | RuntimeException | Error e) {
            land(key, own);
            own.result.completeExceptionally(e);
            throw e;
        }
    }

    private void land(QuestionKey key, Flight own) {
        lock.lock();
        try {
            flights.remove(key, own);
        } finally {
            lock.unlock();
        }
    }

    private Link await(QuestionKey key, Flight other, Task task, Work work)
            throws ResolutionFailure {
        events.add(Event.SHARED_LINK);
        try {
            return other.result.get(task.budget().remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw task.budget().reached(Limit.WALL_TIME, "gave up waiting for %s".formatted(key));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw task.budget().reached(Limit.WALL_TIME, "interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ResolutionFailure failure
                    && !(failure instanceof LimitReached)) {
                throw failure;
            }
            stopWaiting(task);
            return work.run();
        } finally {
            stopWaiting(task);
        }
    }

    private void stopWaiting(Task task) {
        lock.lock();
        try {
            task.waitFor(null);
        } finally {
            lock.unlock();
        }
    }
}
