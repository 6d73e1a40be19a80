package io.ananas.server;

import io.ananas.message.QueryBatch;
import io.ananas.message.QueryHandler;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

/**
 * The way of a query through the resolver service, on one listener thread.
 *
 * <pre>
 *   access -&gt; rate limit -&gt; question -&gt; local -&gt; cache -&gt; resolve
 * </pre>
 *
 * <ul>
 *   <li><b>access</b>: may this client ask at all? Otherwise REFUSED.
 *   <li><b>rate limit</b>: does it ask too often? Then nothing over UDP, REFUSED over a stream.
 *   <li><b>question</b>: what has an answer of its own: malformed, other opcodes and classes, ANY,
 *       the server's identity.
 *   <li><b>local</b>: special names, local zones and records (RFC 6761, RFC 6303).
 *   <li><b>cache</b>: what is known is answered in place.
 *   <li><b>resolve</b>: what is left leaves the thread; {@link Forwarder} answers it, by asking
 *       forwarders or by recursion.
 * </ul>
 *
 * The order is this class; {@link #stages} shows it. Messages too short for a header, and
 * responses, are dropped before the first stage: an answer to those could go round in circles.
 */
final class Pipeline implements QueryHandler {
    private final InstantSource clock;
    private final PipelineCounters counters;
    private final Stage[] stages;
    private final Round round = new Round();

    private Pipeline(InstantSource clock, PipelineCounters counters, Stage... stages) {
        this.clock = clock;
        this.counters = counters;
        this.stages = stages;
    }

    /** A pipeline for the thread that will use it. */
    static Pipeline of(PipelineParts parts) {
        final PipelineCounters counters = parts.counters().newThread();
        return new Pipeline(
                parts.clock(),
                counters,
                new AccessStage(parts.access(), counters),
                new RateLimitStage(parts.rateLimiter(), counters),
                new QuestionStage(parts.identity(), counters),
                new LocalStage(parts.local(), counters),
                new CacheStage(
                        parts.cache().newReader(), parts.resolver(), parts.subnets(), counters),
                new ResolveStage(parts.resolver(), counters));
    }

    /** The names of the stages in their order. */
    List<String> stages() {
        return Arrays.stream(stages).map(Stage::name).toList();
    }

    @Override
    public void handle(QueryBatch batch) {
        final Round r = round;
        r.begin(batch, (int) (clock.millis() / 1_000));
        counters.queries.add(batch.size());
        counters.dropped.add(batch.size() - r.openCount());
        for (final Stage stage : stages) {
            if (r.openCount() == 0) {
                break;
            }
            stage.apply(r);
        }
    }
}
