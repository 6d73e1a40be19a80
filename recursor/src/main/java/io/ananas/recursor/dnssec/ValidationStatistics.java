package io.ananas.recursor.dnssec;

import java.util.concurrent.atomic.LongAdder;

/** What validation has cost since the start. Thread-safe; the numbers only grow. */
public final class ValidationStatistics {
    private final LongAdder checks = new LongAdder();
    private final LongAdder failedChecks = new LongAdder();
    private final LongAdder digests = new LongAdder();
    private final LongAdder hashBlocks = new LongAdder();
    private final LongAdder fetches = new LongAdder();
    private final LongAdder exhausted = new LongAdder();

    ValidationStatistics() {}

    void check(boolean failed) {
        checks.increment();
        if (failed) {
            failedChecks.increment();
        }
    }

    void digest() {
        digests.increment();
    }

    void hashed(int blocks) {
        hashBlocks.add(blocks);
    }

    void fetch() {
        fetches.increment();
    }

    void outOfBudget() {
        exhausted.increment();
    }

    /** Signatures checked. */
    public long checks() {
        return checks.sum();
    }

    /** Signatures that did not hold. */
    public long failedChecks() {
        return failedChecks.sum();
    }

    /** Keys hashed to compare them with DS records. */
    public long digests() {
        return digests.sum();
    }

    /** Blocks of 64 octets hashed for NSEC3. */
    public long hashBlocks() {
        return hashBlocks.sum();
    }

    /** DS and DNSKEY RRsets asked for. */
    public long fetches() {
        return fetches.sum();
    }

    /** Questions that ended because a limit of {@link ValidationLimits} was reached. */
    public long exhausted() {
        return exhausted.sum();
    }
}
