package io.ananas.recursor.dnssec;

import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.recursor.AnswerValidator.Fetcher;
import org.jspecify.annotations.Nullable;

/**
 * What one question may still cost, and the moment for which it is answered. One thread.
 *
 * <p>Every method that counts throws {@link WorkExhausted} instead of passing a limit.
 */
final class Work {
    private final ValidationLimits limits;
    private final ValidationStatistics statistics;
    private final Fetcher fetcher;
    private final long now;
    private int checks;
    private int failures;
    private int digests;
    private int hashBlocks;
    private int fetches;

    Work(ValidationLimits limits, ValidationStatistics statistics, Fetcher fetcher, long now) {
        this.limits = limits;
        this.statistics = statistics;
        this.fetcher = fetcher;
        this.now = now;
    }

    ValidationLimits limits() {
        return limits;
    }

    /** Seconds since 1970. */
    long now() {
        return now;
    }

    /** Before a signature is checked. */
    void beforeCheck() {
        if (++checks > limits.checksPerQuestion()) {
            throw new WorkExhausted(
                    "gave up after %d signature checks, the limit for a question"
                            .formatted(limits.checksPerQuestion()));
        }
    }

    /** After a signature was checked. */
    void checked(boolean holds) {
        statistics.check(!holds);
        if (!holds && ++failures > limits.failuresPerQuestion()) {
            throw new WorkExhausted(
                    "gave up after %d signatures that did not hold, the limit for a question"
                            .formatted(limits.failuresPerQuestion()));
        }
    }

    void beforeDigest() {
        if (++digests > limits.digestsPerQuestion()) {
            throw new WorkExhausted(
                    "gave up after comparing %d keys with DS records, the limit for a question"
                            .formatted(limits.digestsPerQuestion()));
        }
        statistics.digest();
    }

    void beforeHash(int blocks) {
        hashBlocks += blocks;
        if (hashBlocks > limits.hashBlocksPerQuestion()) {
            throw new WorkExhausted(
                    "gave up after hashing %d blocks for NSEC3, the limit for a question"
                            .formatted(limits.hashBlocksPerQuestion()));
        }
        statistics.hashed(blocks);
    }

    @Nullable MessageView fetch(Name name, int type) {
        countFetch(name, type);
        return fetcher.fetch(name, type);
    }

    /** The same from another server; null if there is none. */
    @Nullable MessageView refetch(Name name, int type) {
        countFetch(name, type);
        return fetcher.refetch(name, type);
    }

    private void countFetch(Name name, int type) {
        if (++fetches > limits.fetchesPerQuestion()) {
            throw new WorkExhausted(
                    "gave up before asking for %s of %s: %d DS and DNSKEY RRsets were asked for, the limit for a question"
                            .formatted(RecordType.text(type), name, limits.fetchesPerQuestion()));
        }
        statistics.fetch();
    }
}
