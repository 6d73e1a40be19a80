package io.ananas.server;

import io.ananas.transport.Counter;

/** What one listener thread counts. Each packet adds to exactly one of all but the first. */
final class PipelineCounters {
    final Counter queries = new Counter();
    final Counter dropped = new Counter();
    final Counter prohibited = new Counter();
    final Counter rateLimited = new Counter();
    final Counter malformed = new Counter();
    final Counter notImplemented = new Counter();
    final Counter badVersion = new Counter();
    final Counter refused = new Counter();
    final Counter local = new Counter();
    final Counter hits = new Counter();
    final Counter stale = new Counter();
    final Counter failures = new Counter();
    final Counter misses = new Counter();
    final Counter overloaded = new Counter();
}
