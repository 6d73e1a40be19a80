package io.ananas.message;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Native memory by absolute address, for the hot path: the one class that goes round the bounds
 * checks.
 *
 * <p>All accesses go through a single segment over the whole address space. The address is masked
 * to 47 bits, so the compiler can prove it in range and drops the check; what is left is one
 * machine instruction. On x86-64 and aarch64 user space lies within 47 bits.
 *
 * <p><b>Nothing here checks bounds.</b> Who calls it has the discipline: an address comes from a
 * segment that is alive, every length taken from memory is compared with the end of its region
 * before use, and public entry points take a {@link MemorySegment} or check a length once. Memory
 * that others write at the same time may be read torn; the caller validates afterwards.
 *
 * <p>Plain accessors use network byte order ({@code ..BE}) for what stands in DNS messages and
 * little-endian ({@code ..LE}) for layouts of our own.
 */
public final class Memory {
    private static final long MASK = 0x7fff_ffff_ffffL;
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ValueLayout.OfShort SHORT_BE =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfInt INT_BE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG_BE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT_LE =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT_LE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG_LE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private Memory() {}

    public static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address & MASK);
    }

    /** The octet at {@code address}, 0 to 255. */
    public static int getUnsignedByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address & MASK) & 0xff;
    }

    public static void putByte(long address, int value) {
        ALL.set(ValueLayout.JAVA_BYTE, address & MASK, (byte) value);
    }

    /** Two octets, 0 to 65,535. */
    public static int getShortBE(long address) {
        return ALL.get(SHORT_BE, address & MASK) & 0xffff;
    }

    public static void putShortBE(long address, int value) {
        ALL.set(SHORT_BE, address & MASK, (short) value);
    }

    public static int getIntBE(long address) {
        return ALL.get(INT_BE, address & MASK);
    }

    public static void putIntBE(long address, int value) {
        ALL.set(INT_BE, address & MASK, value);
    }

    public static long getLongBE(long address) {
        return ALL.get(LONG_BE, address & MASK);
    }

    public static void putLongBE(long address, long value) {
        ALL.set(LONG_BE, address & MASK, value);
    }

    /** Two octets, least significant first, 0 to 65,535. */
    public static int getShortLE(long address) {
        return ALL.get(SHORT_LE, address & MASK) & 0xffff;
    }

    public static void putShortLE(long address, int value) {
        ALL.set(SHORT_LE, address & MASK, (short) value);
    }

    public static int getIntLE(long address) {
        return ALL.get(INT_LE, address & MASK);
    }

    public static void putIntLE(long address, int value) {
        ALL.set(INT_LE, address & MASK, value);
    }

    public static long getLongLE(long address) {
        return ALL.get(LONG_LE, address & MASK);
    }

    public static void putLongLE(long address, long value) {
        ALL.set(LONG_LE, address & MASK, value);
    }

    /**
     * The octet at a small, constant distance behind an address; see {@link #getLongLE(long, int)}.
     */
    public static int getUnsignedByte(long address, int offset) {
        return ALL.get(ValueLayout.JAVA_BYTE, (address & MASK) + offset) & 0xff;
    }

    public static int getShortBE(long address, int offset) {
        return ALL.get(SHORT_BE, (address & MASK) + offset) & 0xffff;
    }

    /** Two octets, least significant first, 0 to 65,535. */
    public static int getShortLE(long address, int offset) {
        return ALL.get(SHORT_LE, (address & MASK) + offset) & 0xffff;
    }

    public static void putIntBE(long address, int offset, int value) {
        ALL.set(INT_BE, (address & MASK) + offset, value);
    }

    public static int getIntLE(long address, int offset) {
        return ALL.get(INT_LE, (address & MASK) + offset);
    }

    public static void putIntLE(long address, int offset, int value) {
        ALL.set(INT_LE, (address & MASK) + offset, value);
    }

    public static long getLongBE(long address, int offset) {
        return ALL.get(LONG_BE, (address & MASK) + offset);
    }

    public static void putLongBE(long address, int offset, long value) {
        ALL.set(LONG_BE, (address & MASK) + offset, value);
    }

    /**
     * As {@link #getLongLE(long)} of {@code address + offset}. Where the offset is a constant of 0
     * to 32,767, accesses with the same address share one mask, and each is one instruction.
     */
    public static long getLongLE(long address, int offset) {
        return ALL.get(LONG_LE, (address & MASK) + offset);
    }

    public static void putLongLE(long address, int offset, long value) {
        ALL.set(LONG_LE, (address & MASK) + offset, value);
    }

    /** Reads an aligned int with acquire semantics; later reads are not moved before it. */
    public static int getIntAcquire(long address) {
        return (int) INT.getAcquire(ALL, address & MASK);
    }

    /** Writes an aligned int with release semantics; earlier writes are not moved behind it. */
    public static void putIntRelease(long address, int value) {
        INT.setRelease(ALL, address & MASK, value);
    }

    public static int getIntVolatile(long address) {
        return (int) INT.getVolatile(ALL, address & MASK);
    }

    /** Compares and sets an aligned int with volatile semantics. */
    public static boolean compareAndSetInt(long address, int expected, int value) {
        return INT.compareAndSet(ALL, address & MASK, expected, value);
    }

    /** Copies {@code length} octets; the regions may overlap. */
    public static void copy(long source, long target, long length) {
        MemorySegment.copy(ALL, source & MASK, ALL, target & MASK, length);
    }

    public static void copyFrom(byte[] source, int offset, long target, int length) {
        MemorySegment.copy(source, offset, ALL, ValueLayout.JAVA_BYTE, target & MASK, length);
    }

    public static void copyTo(long source, byte[] target, int offset, int length) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, source & MASK, target, offset, length);
    }

    public static void zero(long address, long length) {
        ALL.asSlice(address & MASK, length).fill((byte) 0);
    }
}
