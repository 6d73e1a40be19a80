package io.ananas.benchmarks.policy;

import java.util.Locale;
import java.util.function.IntPredicate;

/** The policies that are compared. */
public enum PolicyKind {
    FIFO("FIFO"),
    LRU("LRU"),
    CLOCK("CLOCK"),
    ARC("ARC"),
    SIEVE("SIEVE"),
    S3FIFO("S3-FIFO"),
    CAFFEINE("W-TinyLFU (Caffeine)"),
    ANANAS("Ananas");

    private final String title;

    PolicyKind(String title) {
        this.title = title;
    }

    /** For tables. */
    public String title() {
        return title;
    }

    /**
     * A policy for keys 0 up to {@code keys}.
     *
     * @param capacity keys that it may keep, at least 2
     * @param expired whether what is kept for a key has expired; only ours asks
     */
    public EvictionPolicy create(int capacity, int keys, IntPredicate expired) {
        return switch (this) {
            case FIFO -> new FifoPolicy(capacity, keys);
            case LRU -> new LruPolicy(capacity, keys);
            case CLOCK -> new ClockPolicy(capacity, keys);
            case ARC -> new ArcPolicy(capacity, keys);
            case SIEVE -> new SievePolicy(capacity, keys);
            case S3FIFO -> new S3FifoPolicy(capacity, keys);
            case CAFFEINE -> new CaffeinePolicy(capacity);
            case ANANAS -> new QueuesPolicy(capacity, keys, expired);
        };
    }

    /**
     * By its name on the command line.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static PolicyKind of(String text) {
        final String plain = text.toUpperCase(Locale.ROOT).replace("-", "");
        for (PolicyKind kind : values()) {
            if (kind.name().equals(plain)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(
                "found '"
                        + text
                        + "', expected one of fifo, lru, clock, arc, sieve, s3-fifo, caffeine, ananas");
    }
}
