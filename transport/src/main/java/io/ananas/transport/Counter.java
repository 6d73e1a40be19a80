package io.ananas.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count that one thread writes and any thread reads: an addition and an opaque store, no lock and
 * no atomic instruction. A reader sees a recent value.
 */
public final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /** Adds {@code n}; to be called by the one writing thread. */
    public void add(long n) {
        VALUE.setOpaque(this, value + n);
    }

    /** The count as it was a moment ago. */
    public long get() {
        return (long) VALUE.getOpaque(this);
    }
}
