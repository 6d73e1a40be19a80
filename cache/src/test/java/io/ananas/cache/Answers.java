package io.ananas.cache;

import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.nio.ByteBuffer;

/** Answers that need the general form. */
final class Answers {
    private Answers() {}

    /** An alias over two steps to three addresses, signed, with the name servers of the zone. */
    static MessageView aliasChain(Name name, int ttl) {
        final Name middle = Name.of("Edge.cdn.example.");
        final Name target = Name.of("host-7.cdn.example.net.");
        final ByteBuffer out = ByteBuffer.allocate(2_048);
        out.putShort((short) 0).putShort((short) 0x8180);
        out.putShort((short) 1).putShort((short) 6).putShort((short) 1).putShort((short) 0);
        out.put(name.wire()).putShort((short) RecordType.A).putShort((short) 1);
        record(out, name, RecordType.CNAME, ttl + 100, middle.wire());
        record(out, middle, RecordType.CNAME, ttl, target.wire());
        for (int i = 1; i <= 3; i++) {
            record(out, target, RecordType.A, ttl + 5, new byte[] {(byte) 192, 0, 2, (byte) i});
        }
        record(out, target, RecordType.RRSIG, ttl + 5, new byte[80]);
        record(
                out,
                Name.of("example.net."),
                RecordType.NS,
                ttl,
                Name.of("ns1.example.net.").wire());
        return Packets.parse(out);
    }

    /**
     * An alias to addresses that carry a number: the general form, of a length that differs with
     * the count.
     */
    static MessageView numbered(Name name, int number, int count) {
        final Name target = Name.of("target-" + number + ".example.");
        final ByteBuffer out = ByteBuffer.allocate(2_048);
        out.putShort((short) 0).putShort((short) 0x8180);
        out.putShort((short) 1).putShort((short) (1 + count)).putInt(0);
        out.put(name.wire()).putShort((short) RecordType.A).putShort((short) 1);
        record(out, name, RecordType.CNAME, 300, target.wire());
        for (int i = 0; i < count; i++) {
            final ByteBuffer address = ByteBuffer.allocate(4).putInt(number << 8 | i);
            final byte[] rdata = new byte[4];
            address.get(0, rdata);
            record(out, target, RecordType.A, 300, rdata);
        }
        return Packets.parse(out);
    }

    private static void record(ByteBuffer out, Name owner, int type, int ttl, byte[] rdata) {
        out.put(owner.wire()).putShort((short) type).putShort((short) 1).putInt(ttl);
        out.putShort((short) rdata.length).put(rdata);
    }
}
