package io.ananas.benchmarks.policy;

import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * The policies that are compared, and the memory that each needs per entry kept, in octets.
 *
 * <p>It is counted as lean as we would build it: a link takes 3 octets, as offsets into a shard do;
 * a ghost is known by 4 octets of its hash and found by 4 octets of an index. Who leaves from the
 * middle of a list needs two links; rings need none.
 */
public enum PolicyKind {
    FIFO("FIFO", 0),
    LRU("LRU", Octets.LIST),
    CLOCK("CLOCK", Octets.BIT),
    /** As many ghosts as entries, which leave their lists from the middle. */
    ARC("ARC", Octets.LIST + Octets.BIT + Octets.GHOST + Octets.LIST),
    SIEVE("SIEVE", Octets.LIST + Octets.BIT),
    /** A ring of ghosts, nine for ten entries. */
    S3FIFO("S3-FIFO", 2 * Octets.BIT + 0.9 * Octets.GHOST),
    /** Three lists, and a sketch of 8 octets per entry. */
    CAFFEINE("W-TinyLFU (Caffeine)", Octets.LIST + 2 * Octets.BIT + 8),
    ANANAS("Ananas", QueuesPolicy.OCTETS_PER_ENTRY);

    private static final class Octets {
        static final double BIT = 0.125;
        static final double LIST = 2 * 3;
        static final double GHOST = 4 + 4;
    }

    private final String title;
    private final double octetsPerEntry;

    PolicyKind(String title, double octetsPerEntry) {
        this.title = title;
        this.octetsPerEntry = octetsPerEntry;
    }

    /** Octets that the policy needs for each entry that it keeps. */
    public double octetsPerEntry() {
        return octetsPerEntry;
    }

    /**
     * Entries that this policy keeps in the memory in which ours keeps {@code ours}.
     *
     * @param entryOctets what an entry takes without its policy
     */
    public int entriesInMemoryOf(int ours, double entryOctets) {
        return (int)
                Math.round(
                        ours
                                * (entryOctets + ANANAS.octetsPerEntry)
                                / (entryOctets + octetsPerEntry));
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
