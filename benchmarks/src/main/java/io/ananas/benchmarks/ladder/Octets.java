package io.ananas.benchmarks.ladder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in network byte order in arrays of octets, and the hash of a key. */
final class Octets {
    private static final VarHandle SHORT = view(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = view(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = view(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle NATIVE = view(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ODD_1 = 0x9e3779b97f4a7c15L;
    private static final long ODD_2 = 0xd6e8feb86659fd93L;

    private Octets() {}

    private static VarHandle view(Class<?> type, ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(type, order);
    }

    static int getShort(byte[] octets, int at) {
        return (short) SHORT.get(octets, at) & 0xffff;
    }

    static void putShort(byte[] octets, int at, int value) {
        SHORT.set(octets, at, (short) value);
    }

    static int getInt(byte[] octets, int at) {
        return (int) INT.get(octets, at);
    }

    static void putInt(byte[] octets, int at, int value) {
        INT.set(octets, at, value);
    }

    static long getLong(byte[] octets, int at) {
        return (long) LONG.get(octets, at);
    }

    static void putLong(byte[] octets, int at, long value) {
        LONG.set(octets, at, value);
    }

    /** A 64-bit hash of a part of an array: a folding multiplication per eight octets. */
    static long hash(byte[] octets, int from, int length, long seed) {
        long hash = seed ^ length * ODD_1;
        int at = from;
        final int end = from + length;
        for (; at + 8 <= end; at += 8) {
            hash = fold(hash ^ (long) NATIVE.get(octets, at), ODD_2);
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = rest << 8 | (octets[at] & 0xff);
        }
        return fold(hash ^ rest, ODD_1);
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }
}
