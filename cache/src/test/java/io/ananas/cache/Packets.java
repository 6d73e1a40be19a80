package io.ananas.cache;

import io.ananas.message.Fault;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/** Small answers and queries for the tests of the cache, and native memory to ask with. */
final class Packets implements AutoCloseable {
    static final int CAPACITY = 65_535;

    private final Arena arena = Arena.ofShared();
    private final long query = arena.allocate(1_024, 8).address();
    private final long reply = arena.allocate(CAPACITY + 64, 8).address();
    private final QueryView view = new QueryView();

    /** An answer of A records, the addresses counting up from {@code first}. */
    static MessageView addresses(Name name, int ttl, int first, int count) {
        final ByteBuffer out = start(name, RecordType.A, count, 300 + 16 * count);
        for (int i = 0; i < count; i++) {
            record(out, RecordType.A, ttl, new byte[4]);
            out.putInt(out.position() - 4, first + i);
        }
        return parse(out);
    }

    /**
     * An answer of one TXT record whose rdata has {@code octets}, each string but the last of 255.
     */
    static MessageView text(Name name, int ttl, int octets) {
        final byte[] rdata = new byte[octets];
        for (int at = 0; at < octets; at += 256) {
            rdata[at] = (byte) Math.min(255, octets - at - 1);
        }
        final ByteBuffer out = start(name, RecordType.TXT, 1, 300 + octets);
        record(out, RecordType.TXT, ttl, rdata);
        return parse(out);
    }

    private static ByteBuffer start(Name name, int type, int answers, int capacity) {
        final ByteBuffer out = ByteBuffer.allocate(capacity);
        out.putShort((short) 0).putShort((short) 0x8180);
        out.putShort((short) 1).putShort((short) answers).putInt(0);
        out.put(name.wire()).putShort((short) type).putShort((short) 1);
        return out;
    }

    private static void record(ByteBuffer out, int type, int ttl, byte[] rdata) {
        out.putShort((short) 0xc00c).putShort((short) type).putShort((short) 1).putInt(ttl);
        out.putShort((short) rdata.length).put(rdata);
    }

    static MessageView parse(ByteBuffer out) {
        final byte[] message = new byte[out.position()];
        out.get(0, message);
        return parse(message, message.length);
    }

    static MessageView parse(byte[] message, int length) {
        final MessageView view = new MessageView();
        final Fault fault = view.parse(message, length);
        if (fault != Fault.NONE) {
            throw new AssertionError("the test made a faulty message: " + fault);
        }
        return view;
    }

    /** Where queries are written to. */
    long queryAddress() {
        return query;
    }

    /** Where responses appear. */
    long replyAddress() {
        return reply;
    }

    /** A parsed query of this name and type, with EDNS where {@code payload} is not 0. */
    QueryView ask(Name name, int type, int flags, int payload, boolean dnssecOk) {
        final byte[] wire = name.wire();
        Memory.putIntBE(query, 0x1234 << 16 | flags);
        Memory.putLongBE(query + 4, 1L << 48 | (payload == 0 ? 0 : 1));
        Memory.copyFrom(wire, 0, query + MessageLayout.HEADER_LENGTH, wire.length);
        long at = query + MessageLayout.HEADER_LENGTH + wire.length;
        Memory.putIntBE(at, type << 16 | 1);
        at += 4;
        if (payload != 0) {
            Memory.putByte(at, 0);
            Memory.putShortBE(at + 1, RecordType.OPT);
            Memory.putShortBE(at + 3, payload);
            Memory.putIntBE(at + 5, dnssecOk ? MessageLayout.DO : 0);
            Memory.putShortBE(at + 9, 0);
            at += 11;
        }
        final int verdict = view.parse(query, (int) (at - query));
        if (verdict != QueryView.ANSWERABLE) {
            throw new AssertionError("the test made a faulty query: " + verdict);
        }
        return view;
    }

    /** The response that a reader gives; null for a miss. */
    byte @org.jspecify.annotations.Nullable [] answer(
            CacheReader reader, QueryView asked, int now, int limit) {
        final int octets = reader.lookup(asked, now, reply, limit);
        if (octets == 0) {
            return null;
        }
        final byte[] response = new byte[octets];
        Memory.copyTo(reply, response, 0, octets);
        return response;
    }

    /** The first address of the response to an A query, -1 for a miss. */
    int firstAddress(CacheReader reader, Name name, int now) {
        final QueryView asked = ask(name, RecordType.A, MessageLayout.RD, 0, false);
        final int octets = reader.lookup(asked, now, reply, 512);
        return octets == 0 ? -1 : Memory.getIntBE(reply + asked.questionEnd() + 12);
    }

    @Override
    public void close() {
        arena.close();
    }
}
