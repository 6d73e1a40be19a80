package io.ananas.server;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import io.ananas.message.ResponseCode;
import io.ananas.message.Responses;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what the cache cannot, from forwarders or by recursion.
 *
 * <p>Equal questions share one {@link Flight}: the first starts a virtual thread that asks
 * upstream, the others wait with it. When the answer is there it goes into the cache, and then each
 * client gets its own response at an {@link AnswerDesk}. A failure goes there too, and is answered
 * by lookups until the question may be asked again. The number of clients that may wait is bounded;
 * beyond it {@link #resolve} refuses.
 *
 * <p><b>Stale answers</b> (RFC 8767, section 5). Where an expired answer is at hand, clients wait
 * for a fresh one for the client response time only, then they get the old one while the flight
 * goes on; and they get it at once when the flight fails.
 *
 * <p><b>Renewal.</b> A flight without clients fetches a popular answer anew before it expires: the
 * same question as that of the entry, at most one at a time, within a rate over all names, and not
 * again before a failure may be tried again.
 */
final class Forwarder implements Resolver {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
    private static final UpstreamFailure DEFECT =
            new UpstreamFailure(ExtendedError.OTHER, "internal error");

    /**
     * How clients are served.
     *
     * @param maxWaiting clients that may wait for an answer at a time
     * @param clientTimeout how long they wait where there is a stale answer; null for no such
     *     answer
     * @param renewals renewals per second
     * @param subnets for which questions the client's subnet counts
     */
    record Service(
            int maxWaiting, @Nullable Duration clientTimeout, int renewals, SubnetPolicy subnets) {}

    private final AnswerSource source;
    private final AnswerStore store;
    private final Service service;
    private final Housekeeping timers;
    private final RenewalBudget renewalBudget;
    private final ConcurrentMap<QuestionKey, Flight> flights = new ConcurrentHashMap<>();
    private final Queue<AnswerDesk> desks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger flying = new AtomicInteger();
    private final LongAdder shared = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder renewed = new LongAdder();

    Forwarder(AnswerSource source, AnswerStore store, Service service, Housekeeping timers) {
        this.source = source;
        this.store = store;
        this.service = service;
        this.timers = timers;
        renewalBudget = new RenewalBudget(service.renewals(), System.nanoTime());
    }

    @Override
    public boolean resolve(QueryView query, QueryBatch batch, int i) {
        if (waiting.incrementAndGet() > service.maxWaiting()) {
            waiting.decrementAndGet();
            return false;
        }
        board(question(query, batch, i, query.checkingDisabled()), batch.detach(i));
        return true;
    }

    @Override
    public void renew(QueryView query, QueryBatch batch, int i, boolean unchecked) {
        final QuestionKey question = question(query, batch, i, unchecked);
        if (flights.containsKey(question) || !renewalBudget.take(System.nanoTime())) {
            return;
        }
        final Flight flight = new Flight(question);
        if (flights.putIfAbsent(question, flight) == null) {
            renewed.increment();
            start(flight);
        }
    }

    private QuestionKey question(QueryView query, QueryBatch batch, int i, boolean unchecked) {
        if (service.subnets().isOn()) {
            final SubnetChoice choice = new SubnetChoice(service.subnets());
            if (choice.choose(query, batch.clientAddress(i), batch.clientAddressLength(i))) {
                return QuestionKey.of(query, unchecked, choice.subnet());
            }
        }
        return QuestionKey.of(query, unchecked, null);
    }

    private void board(QuestionKey question, QueryBatch.Pending client) {
        while (true) {
            final Flight known = flights.get(question);
            if (known == null) {
                final Flight flight = new Flight(question, client, false);
                if (flights.putIfAbsent(question, flight) == null) {
                    start(flight);
                    return;
                }
                continue;
            }
            switch (known.join(client)) {
                case WAITS -> {
                    shared.increment();
                    return;
                }
                case OVERDUE -> {
                    Thread.ofVirtual().name("stale").start(() -> answerStale(known, client));
                    return;
                }
                case LANDED -> {
                    final Flight flight = new Flight(question, client, known.isRenewal());
                    if (flights.replace(question, known, flight)) {
                        start(flight);
                        return;
                    }
                }
            }
        }
    }

    private void start(Flight flight) {
        flying.incrementAndGet();
        Thread.ofVirtual().name("resolve").start(() -> fly(flight));
    }

    private void fly(Flight flight) {
        try {
            watch(flight);
            final QuestionKey question = flight.question();
            switch (flight.isRenewal() ? source.renew(question) : source.ask(question)) {
                case ForwardResult.Answered answer -> answer(flight, answer);
                case ForwardResult.Failed(UpstreamFailure failure) -> fail(flight, failure);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("{} could not be resolved for a defect of the server", flight.question(), e);
            fail(flight, DEFECT);
        } finally {
            if (!flight.hasLanded()) {
                each(flight, land(flight), client -> refuse(client, DEFECT));
            }
            flying.decrementAndGet();
        }
    }

    /** Serves clients; whatever becomes of one, the others have theirs. */
    private static void each(
            Flight flight, List<QueryBatch.Pending> clients, Consumer<QueryBatch.Pending> service) {
        for (QueryBatch.Pending client : clients) {
            try {
                service.accept(client);
            } catch (RuntimeException | Error e) {
                LOG.error(
                        "A client that asked {} has no answer for a defect of the server",
                        flight.question(),
                        e);
            }
        }
    }

    /** Sets the client response timer where there is a stale answer that it could bring. */
    private void watch(Flight flight) {
        final Duration patience = service.clientTimeout();
        final QueryBatch.Pending client = flight.first();
        if (patience == null || client == null || !hasStale(client)) {
            return;
        }
        if (patience.isZero()) {
            hurry(flight);
        } else {
            flight.setTimer(timers.after(patience, "stale answers", () -> hurry(flight)));
        }
    }

    private boolean hasStale(QueryBatch.Pending client) {
        final AnswerDesk desk = takeDesk();
        try {
            return desk.hasStale(client, store.now());
        } finally {
            desks.add(desk);
        }
    }

    private void hurry(Flight flight) {
        each(flight, flight.overdue(), client -> answerStale(flight, client));
    }

    /** Gives a stale answer to one client; should there be none, it waits for the fresh one. */
    private void answerStale(Flight flight, QueryBatch.Pending client) {
        boolean waitsOn = false;
        try {
            waitsOn = !replyStale(client);
        } finally {
            if (!waitsOn) {
                waiting.decrementAndGet();
            }
        }
        if (waitsOn && !flight.insist(client)) {
            board(flight.question(), client);
        }
    }

    private boolean replyStale(QueryBatch.Pending client) {
        final AnswerDesk desk = takeDesk();
        try {
            final boolean found = desk.answerStale(client, store.now());
            if (found) {
                stale.increment();
            }
            return found;
        } finally {
            desks.add(desk);
        }
    }

    private AnswerDesk takeDesk() {
        final AnswerDesk known = desks.poll();
        return known != null
                ? known
                : store.newDesk(
                        service.subnets().isOn() ? new SubnetChoice(service.subnets()) : null);
    }

    private void answer(Flight flight, ForwardResult.Answered answer) {
        final boolean cached = store.keep(flight.question(), answer);
        final int now = store.now();
        final AnswerDesk desk = takeDesk();
        each(
                flight,
                land(flight),
                client -> {
                    waiting.decrementAndGet();
                    desk.answer(client, answer, cached, now);
                });
        desks.add(desk);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // ends with the executor
    private void fail(Flight flight, UpstreamFailure failure) {
        failed.increment();
        final int seconds = store.keepFailure(flight.question(), failure);
        each(flight, flight.land(), client -> refuse(client, failure));
        if (flight.isRenewal()) {
            // as long as it stands there, landed, nobody tries to renew again
            timers.after(
                    Duration.ofSeconds(seconds),
                    "renewals",
                    () -> flights.remove(flight.question(), flight));
        } else {
            flights.remove(flight.question(), flight);
        }
    }

    private List<QueryBatch.Pending> land(Flight flight) {
        final List<QueryBatch.Pending> clients = flight.land();
        flights.remove(flight.question(), flight);
        return clients;
    }

    private void refuse(QueryBatch.Pending client, UpstreamFailure failure) {
        waiting.decrementAndGet();
        if (service.clientTimeout() == null || !replyStale(client)) {
            replyFailure(client, failure);
        }
    }

    private static void replyFailure(QueryBatch.Pending client, UpstreamFailure failure) {
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

    /** Clients that got a stale answer because a fresh one was late or could not be had. */
    long stale() {
        return stale.sum();
    }

    /** Answers fetched anew before their end. */
    long renewed() {
        return renewed.sum();
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
