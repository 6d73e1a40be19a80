package io.ananas.benchmarks.replay;

import io.ananas.benchmarks.trace.Trace;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import java.util.function.DoubleConsumer;
import org.HdrHistogram.Histogram;

/**
 * Replays a trace through a cache: every query is a lookup; a miss asks the upstream and keeps what
 * it says. Time is the trace's own, so TTLs run out as they would.
 */
final class BudgetReplay {
    private static final int EPOCH = 1_700_000_000;
    private static final int PROGRESS_STEP = 1 << 16;
    private static final double MICROS = 1_000;

    private final Trace trace;
    private final int subnets;
    private final UpstreamDelay delay;
    private final byte[] response = new byte[1 << 16];
    private final byte[] query = new byte[MessageLayout.HEADER_LENGTH + 512];
    private final MessageView view = new MessageView();

    /**
     * A replay.
     *
     * @param subnets groups of clients that see different answers; 1 for none
     */
    BudgetReplay(Trace trace, int subnets, UpstreamDelay delay) {
        this.trace = trace;
        this.subnets = subnets;
        this.delay = delay;
    }

    BudgetResult run(String name, long budget, ReplayCache cache, DoubleConsumer progress) {
        final Histogram times = new Histogram(3);
        double sum = 0;
        long misses = 0;
        for (int i = 0; i < trace.length(); i++) {
            final int now = EPOCH + (int) (trace.millis()[i] / 1_000);
            final int subnet = subnets == 1 ? 0 : 1 + trace.client()[i] % subnets;
            final double millis;
            if (ask(cache, trace.key()[i], subnet, now)) {
                millis = delay.hitMillis();
            } else {
                millis = delay.millis(i);
                misses++;
            }
            sum += millis;
            times.recordValue(Math.round(millis * MICROS));
            if (i % PROGRESS_STEP == 0) {
                progress.accept((double) i / trace.length());
            }
        }
        final int asked = trace.length();
        return new BudgetResult(
                trace.name(),
                name,
                budget,
                subnets,
                cache.entries(),
                cache.octetsPerEntry(),
                1 - (double) misses / asked,
                misses,
                sum / asked,
                times.getValueAtPercentile(99) / MICROS);
    }

    private boolean ask(ReplayCache cache, int key, int subnet, int now) {
        final int length = trace.questions().response(key, subnet, response);
        if (view.parse(response, length) != Fault.NONE) {
            throw new IllegalStateException("the answer made for key " + key + " is not sound");
        }
        final int end = query(view.questionEnd());
        if (cache.lookup(query, end, subnet, now)) {
            return true;
        }
        if (trace.questions().ttl(key) > 0) {
            cache.insert(view, subnet, now);
        }
        return false;
    }

    /** A query with the question of the response; returns its length. */
    private int query(int questionEnd) {
        System.arraycopy(response, 0, query, 0, questionEnd);
        query[2] = 1;
        query[3] = 0;
        for (int i = MessageLayout.ANCOUNT; i < MessageLayout.HEADER_LENGTH; i++) {
            query[i] = 0;
        }
        return questionEnd;
    }
}
