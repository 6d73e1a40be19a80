package io.ananas.server;

import io.ananas.cache.AnswerCache;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import io.ananas.message.ResponseCode;
import io.ananas.message.Responses;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what the cache cannot, from forwarders or by recursion.
 *
 * <p>Equal questions share one {@link Flight}: the first starts a virtual thread that asks
 * upstream, the others wait with it. When the answer is there it goes into the cache, and then each
 * client gets its own response at an {@link AnswerDesk}. What failed is remembered for a moment.
 * The number of clients that may wait is bounded; beyond it {@link #resolve} refuses.
 */
final class Forwarder implements Resolver {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);

    private final AnswerSource source;
    private final AnswerCache cache;
    private final InstantSource clock;
    private final int maxWaiting;
    private final FailureMemory failures;
    private final ConcurrentMap<QuestionKey, Flight> flights = new ConcurrentHashMap<>();
    private final Queue<AnswerDesk> desks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger flying = new AtomicInteger();
    private final LongAdder shared = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /**
     * @param maxWaiting clients that may wait for an answer at a time
     */
    Forwarder(AnswerSource source, AnswerCache cache, InstantSource clock, int maxWaiting) {
        this.source = source;
        this.cache = cache;
        this.clock = clock;
        this.maxWaiting = maxWaiting;
        failures = new FailureMemory(clock);
    }

    @Override
    public boolean resolve(QueryView query, QueryBatch batch, int i) {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        final QuestionKey question = QuestionKey.of(query);
        final QueryBatch.Pending client = batch.detach(i);
        final UpstreamFailure known = failures.find(question);
        if (known != null) {
            replyFailure(client, new UpstreamFailure(ExtendedError.CACHED_ERROR, known.text()));
        } else {
            board(question, client);
        }
        return true;
    }

    private void board(QuestionKey question, QueryBatch.Pending client) {
        while (true) {
            final Flight known = flights.get(question);
            if (known != null) {
                if (known.join(client)) {
                    shared.increment();
                    return;
                }
                flights.remove(question, known);
                continue;
            }
            final Flight flight = new Flight(question, client);
            if (flights.putIfAbsent(question, flight) == null) {
                Thread.ofVirtual().name("resolve").start(() -> fly(flight));
                return;
            }
        }
    }

    private void fly(Flight flight) {
        flying.incrementAndGet();
        try {
            switch (source.ask(flight.question())) {
                case ForwardResult.Answered(MessageView response) -> answer(flight, response);
                case ForwardResult.Failed(UpstreamFailure failure) -> fail(flight, failure);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("{} could not be resolved for a defect of the server", flight.question(), e);
            fail(flight, new UpstreamFailure(ExtendedError.OTHER, "internal error"));
        } finally {
            flying.decrementAndGet();
        }
    }

    private void answer(Flight flight, MessageView response) {
        final int now = (int) (clock.millis() / 1_000);
        final boolean cached = cache.insert(response, now).isCached();
        failures.forget(flight.question());
        final AnswerDesk known = desks.poll();
        final AnswerDesk desk = known == null ? new AnswerDesk(cache.newReader()) : known;
        for (QueryBatch.Pending client : land(flight)) {
            waiting.decrementAndGet();
            desk.answer(client, response, cached, now);
        }
        desks.add(desk);
    }

    private void fail(Flight flight, UpstreamFailure failure) {
        failed.increment();
        failures.remember(flight.question(), failure);
        for (QueryBatch.Pending client : land(flight)) {
            replyFailure(client, failure);
        }
    }

    private List<QueryBatch.Pending> land(Flight flight) {
        final List<QueryBatch.Pending> clients = flight.land();
        flights.remove(flight.question(), flight);
        return clients;
    }

    private void replyFailure(QueryBatch.Pending client, UpstreamFailure failure) {
        waiting.decrementAndGet();
        final byte[] response =
                Responses.error(
                        client.query(),
                        MessageLayout.RA,
                        ResponseCode.SERVFAIL,
                        failure.error(),
                        failure.text());
        if (response != null) {
            client.reply(response, response.length);
        }
    }

    /** Clients that wait now. */
    int waiting() {
        return waiting.get();
    }

    /** Questions that could wait for one already in flight. */
    long shared() {
        return shared.sum();
    }

    /** Questions that no upstream could answer. */
    long failed() {
        return failed.sum();
    }

    /** Waits until nobody waits and the last answer is written, at most {@code limit}. */
    boolean drain(Duration limit) throws InterruptedException {
        final long end = System.nanoTime() + limit.toNanos();
        while (isBusy() && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        return !isBusy();
    }

    private boolean isBusy() {
        return waiting.get() > 0 || flying.get() > 0;
    }
}
