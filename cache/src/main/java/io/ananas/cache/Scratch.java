package io.ananas.cache;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Native memory of a cache beside its mapping: what readers and writers work in, counted.
 * Thread-safe.
 */
final class Scratch implements AutoCloseable {
    private static final int LINE = 64;

    private final Arena arena = Arena.ofShared();
    private final AtomicLong octets = new AtomicLong();

    /** The address of {@code size} octets, all zero, that live as long as this. */
    long allocate(long size) {
        octets.addAndGet(size);
        return arena.allocate(size, LINE).address();
    }

    /** Octets given out and not yet given back. */
    long octets() {
        return octets.get();
    }

    @Override
    public void close() {
        octets.set(0);
        arena.close();
    }
}
