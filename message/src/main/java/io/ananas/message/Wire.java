package io.ananas.message;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Numbers in network byte order in an array, for what is not worth a view. */
public final class Wire {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);

    private Wire() {}

    /** The octet at {@code at}, 0 to 255. */
    public static int u8(byte[] octets, int at) {
        return octets[at] & 0xff;
    }

    /** The two octets from {@code at} on, 0 to 65,535. */
    public static int u16(byte[] octets, int at) {
        return (octets[at] & 0xff) << 8 | (octets[at + 1] & 0xff);
    }

    /** The four octets from {@code at} on; negative from 2^31 on. */
    public static int i32(byte[] octets, int at) {
        return u16(octets, at) << 16 | u16(octets, at + 2);
    }

    /** The eight octets from {@code at} on. */
    public static long i64(byte[] octets, int at) {
        return (long) LONG.get(octets, at);
    }

    /** Writes the low two octets of a number. */
    public static void put16(byte[] octets, int at, int value) {
        octets[at] = (byte) (value >> 8);
        octets[at + 1] = (byte) value;
    }

    /** Writes the four octets of a number. */
    public static void put32(byte[] octets, int at, int value) {
        put16(octets, at, value >> 16);
        put16(octets, at + 2, value);
    }
}
