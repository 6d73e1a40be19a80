package io.ananas.transport;

import java.util.concurrent.atomic.LongAdder;

/** The counts of one receiving thread; only the {@code ..Later} ones have other writers. */
final class UdpCounters {
    final Counter received = new Counter();
    final Counter sent = new Counter();
    final Counter sendFailures = new Counter();
    final Counter receiveFailures = new Counter();
    final Counter handlerFailures = new Counter();
    final LongAdder sentLater = new LongAdder();
    final LongAdder failedLater = new LongAdder();

    void later(boolean taken) {
        (taken ? sentLater : failedLater).increment();
    }
}
