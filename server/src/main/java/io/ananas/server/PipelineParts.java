package io.ananas.server;

import io.ananas.cache.AnswerCache;
import java.time.InstantSource;

/**
 * What the pipelines of all threads share.
 *
 * @param clock wall-clock time
 * @param access which clients may ask
 * @param rateLimiter how often each may
 * @param identity what the server says of itself
 * @param local what is answered without asking anybody
 * @param cache the answer cache
 * @param resolver who answers what the cache cannot
 * @param subnets for which questions the client's subnet counts
 * @param counters where each pipeline gets its counts
 */
record PipelineParts(
        InstantSource clock,
        AccessList access,
        RateLimiter rateLimiter,
        Identity identity,
        LocalNames local,
        AnswerCache cache,
        Resolver resolver,
        SubnetPolicy subnets,
        ServerCounters counters) {}
