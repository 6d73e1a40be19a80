package io.ananas.server;

import java.time.InstantSource;

/**
 * What the pipelines of all threads share.
 *
 * @param clock wall-clock time
 * @param access which clients may ask
 * @param rateLimiter how often each may
 * @param identity what the server says of itself
 * @param store the answer cache
 * @param resolver who answers what the cache cannot
 * @param counters where each pipeline gets its counts
 */
record PipelineParts(
        InstantSource clock,
        AccessList access,
        RateLimiter rateLimiter,
        Identity identity,
        AnswerStore store,
        Resolver resolver,
        ServerCounters counters) {}
