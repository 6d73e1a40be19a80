package io.ananas.message;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Puts packets together octet by octet, for tests. */
final class Packet {
    private final ByteArrayOutputStream octets = new ByteArrayOutputStream();

    static Packet header(int id, int flags, int... counts) {
        final Packet wire = new Packet().u16(id).u16(flags);
        for (int i = 0; i < 4; i++) {
            wire.u16(i < counts.length ? counts[i] : 0);
        }
        return wire;
    }

    Packet u8(int... values) {
        for (final int value : values) {
            octets.write(value);
        }
        return this;
    }

    Packet u16(int value) {
        return u8(value >> 8, value);
    }

    Packet u32(long value) {
        return u16((int) (value >> 16)).u16((int) value);
    }

    Packet hex(String hex) {
        octets.writeBytes(HexFormat.of().parseHex(hex.replace(" ", "")));
        return this;
    }

    Packet name(String name) {
        octets.writeBytes(Name.of(name).wire());
        return this;
    }

    Packet pointer(int target) {
        return u16(0xc000 | target);
    }

    /** Type, class IN, TTL and rdata: what follows the owner of a record. */
    Packet record(int type, long ttl, byte[] rdata) {
        u16(type).u16(RecordClass.IN).u32(ttl).u16(rdata.length);
        octets.writeBytes(rdata);
        return this;
    }

    Packet opt(int payloadSize, int version, int flags, byte[] options) {
        u8(0).u16(RecordType.OPT).u16(payloadSize).u8(0, version).u16(flags).u16(options.length);
        octets.writeBytes(options);
        return this;
    }

    int size() {
        return octets.size();
    }

    byte[] toBytes() {
        return octets.toByteArray();
    }
}
