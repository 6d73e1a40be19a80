package io.ananas.benchmarks.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Octets that this thread has allocated on the heap, by the JVM's own counter. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    public static long octets() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
