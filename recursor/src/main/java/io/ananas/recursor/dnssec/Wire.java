package io.ananas.recursor.dnssec;

/** Numbers in network byte order. */
final class Wire {
    private Wire() {}

    static int u8(byte[] octets, int at) {
        return octets[at] & 0xff;
    }

    static int u16(byte[] octets, int at) {
        return (octets[at] & 0xff) << 8 | (octets[at + 1] & 0xff);
    }

    static int i32(byte[] octets, int at) {
        return u16(octets, at) << 16 | u16(octets, at + 2);
    }

    static void put16(byte[] octets, int at, int value) {
        octets[at] = (byte) (value >> 8);
        octets[at + 1] = (byte) value;
    }

    static void put32(byte[] octets, int at, int value) {
        put16(octets, at, value >> 16);
        put16(octets, at + 2, value);
    }
}
