package io.ananas.server;

import io.ananas.message.Upstream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * An upstream and how it has been doing: a smoothed round trip time (RFC 6298, section 2, without
 * the variance), which a failure doubles. Thread-safe; a lost update does no harm.
 */
final class ForwardServer {
    private static final double FIRST_GUESS_MILLIS = 200;
    private static final double WEIGHT = 0.125;
    private static final double LEAST_TIMEOUT_MILLIS = 300;
    private static final double MOST_TIMEOUT_MILLIS = 1_500;
    private static final double TIMEOUT_FACTOR = 4;
    private static final double WORST_MILLIS = 4_000;

    private final Upstream upstream;
    private final boolean toldSubnets;
    private final LongAdder asked = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile double roundTripMillis = FIRST_GUESS_MILLIS;

    /**
     * @param toldSubnets whether it gets to know the client's subnet, where one counts
     */
    ForwardServer(Upstream upstream, boolean toldSubnets) {
        this.upstream = upstream;
        this.toldSubnets = toldSubnets;
    }

    boolean isToldSubnets() {
        return toldSubnets;
    }

    String name() {
        return upstream.name();
    }

    /** Milliseconds that an answer is expected to take. */
    double roundTripMillis() {
        return roundTripMillis;
    }

    long asked() {
        return asked.sum();
    }

    long failed() {
        return failed.sum();
    }

    /** How long to wait for it at first; twice as long with each further round. */
    Duration timeout(int round) {
        final double millis =
                Math.clamp(
                        TIMEOUT_FACTOR * roundTripMillis,
                        LEAST_TIMEOUT_MILLIS,
                        MOST_TIMEOUT_MILLIS);
        return Duration.ofMillis((long) millis << round);
    }

    byte[] exchange(byte[] query, Duration timeout) throws IOException {
        asked.increment();
        final long start = System.nanoTime();
        try {
            final byte[] response = upstream.exchange(query, timeout);
            took((System.nanoTime() - start) / 1e6);
            return response;
        } catch (IOException e) {
            fail();
            throw e;
        }
    }

    private void took(double millis) {
        final double before = roundTripMillis;
        roundTripMillis = before + WEIGHT * (millis - before);
    }

    /** It could not be used; it is asked later than others for a while. */
    void fail() {
        failed.increment();
        roundTripMillis = Math.min(WORST_MILLIS, 2 * roundTripMillis);
    }
}
