package io.ananas.cache;

import io.ananas.message.Edns;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordClass;
import java.lang.foreign.Arena;

/** The whole response that an entry makes, with its DNSSEC records, for people who look at it. */
final class EntryResponse implements AutoCloseable {
    private static final int SLACK = 64;

    private final Arena arena = Arena.ofConfined();
    private final QueryView view = new QueryView();
    private final long query = arena.allocate(MessageLayout.MAX_MESSAGE + SLACK, 8).address();
    private final long reply = arena.allocate(MessageLayout.MAX_MESSAGE + SLACK, 8).address();
    private final GeneralWriter general =
            new GeneralWriter(
                    arena.allocate(NameCompressor.SCRATCH, 8).address(),
                    new QueryView(),
                    CacheOptions.MAX_TTL);

    /**
     * @param header of the entry
     * @param body where its body stands
     * @param bound address that it cannot reach beyond
     * @param remaining seconds until it expires; where it has, its records have a TTL of 0
     */
    byte[] of(Name name, int type, int header, long body, long bound, int remaining) {
        final byte[] question =
                new MessageWriter(MessageLayout.MAX_MESSAGE)
                        .header(0, MessageLayout.RD)
                        .question(name, type, RecordClass.IN)
                        .edns(Edns.of(Edns.PAYLOAD_SIZE, true))
                        .toByteArray();
        Memory.copyFrom(question, 0, query, question.length);
        view.parse(query, question.length);
        final int ttl = Math.max(0, remaining);
        final int limit = MessageLayout.MAX_MESSAGE;
        final int form = EntryLayout.form(header);
        final int count = EntryLayout.countOf(form);
        final int length =
                form == EntryLayout.GENERAL
                        ? general.write(view, header, body, bound, ttl, 0, false, reply, limit)
                        : AnswerWriter.write(
                                view, header, count, body, ttl, 0, false, reply, limit);
        if (length <= 0) {
            throw new IllegalStateException("the entry of " + name + " makes no response");
        }
        final byte[] octets = new byte[length];
        Memory.copyTo(reply, octets, 0, length);
        return octets;
    }

    @Override
    public void close() {
        arena.close();
    }
}
