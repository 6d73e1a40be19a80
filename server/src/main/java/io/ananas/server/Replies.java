package io.ananas.server;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Short responses written in place on the hot path, without allocation: errors, and one record that
 * needs no cache.
 */
final class Replies {
    /** A pointer to the name of the question. */
    private static final int QUESTION_NAME = 0xc000 | MessageLayout.HEADER_LENGTH;

    private static final int ECHOED =
            MessageLayout.OPCODE_MASK | MessageLayout.RD | MessageLayout.CD;
    private static final int RECORD_FIXED = 12;

    /** The words of each reason, by its code, ready to be copied. */
    private static final byte[][] TEXTS = texts();

    private Replies() {}

    private static byte[][] texts() {
        final byte[][] texts = new byte[ExtendedError.values().length][];
        for (ExtendedError error : ExtendedError.values()) {
            texts[error.code()] = error.text().getBytes(StandardCharsets.US_ASCII);
        }
        return texts;
    }

    /**
     * Octets that the client of packet {@code i} takes: what it offers over UDP, within 512 and
     * what passes every path (RFC 9715), and any number over a stream.
     */
    static int limit(QueryBatch batch, int i, QueryView query) {
        return batch.isStream(i)
                ? batch.replyCapacity(i)
                : Math.min(Edns.PAYLOAD_SIZE, query.payloadSize());
    }

    /**
     * Answers packet {@code i} with an error: the question is repeated if it could be read, and an
     * OPT record is there if the query had one.
     */
    static void error(
            QueryBatch batch,
            int i,
            QueryView query,
            int responseCode,
            @Nullable ExtendedError reason) {
        final long reply = batch.replyAddress(i);
        final int questionEnd = header(reply, query, responseCode, 0);
        batch.reply(i, edns(reply, questionEnd, query, responseCode, reason));
    }

    /** Answers packet {@code i} with one record, owned by the name asked for. */
    static void record(QueryBatch batch, int i, QueryView query, int type, int ttl, byte[] rdata) {
        final long reply = batch.replyAddress(i);
        int at = header(reply, query, ResponseCode.NOERROR, 1);
        Memory.putShortBE(reply + at, QUESTION_NAME);
        Memory.putShortBE(reply + at + 2, type);
        Memory.putShortBE(reply + at + 4, query.queryClass());
        Memory.putIntBE(reply + at + 6, ttl);
        Memory.putShortBE(reply + at + 10, rdata.length);
        Memory.copyFrom(rdata, 0, reply + at + RECORD_FIXED, rdata.length);
        at += RECORD_FIXED + rdata.length;
        batch.reply(i, edns(reply, at, query, ResponseCode.NOERROR, null));
    }

    private static int header(long reply, QueryView query, int responseCode, int answers) {
        final boolean hasQuestion = query.nameLength() > 0;
        final int ra = query.queryClass() == RecordClass.CH ? 0 : MessageLayout.RA;
        Memory.putShortBE(reply + MessageLayout.ID, query.id());
        Memory.putShortBE(
                reply + MessageLayout.FLAGS,
                MessageLayout.QR
                        | (query.flags() & ECHOED)
                        | ra
                        | (responseCode & MessageLayout.RCODE_MASK));
        Memory.putShortBE(reply + MessageLayout.QDCOUNT, hasQuestion ? 1 : 0);
        Memory.putShortBE(reply + MessageLayout.ANCOUNT, answers);
        Memory.putIntBE(reply + MessageLayout.NSCOUNT, 0);
        if (!hasQuestion) {
            return MessageLayout.HEADER_LENGTH;
        }
        final int end = query.questionEnd();
        Memory.copy(
                query.nameAddress(),
                reply + MessageLayout.HEADER_LENGTH,
                (long) end - MessageLayout.HEADER_LENGTH);
        return end;
    }

    private static int edns(
            long reply, int at, QueryView query, int responseCode, @Nullable ExtendedError reason) {
        if (!query.hasEdns()) {
            return at;
        }
        final long opt = reply + at;
        Memory.putShortBE(reply + MessageLayout.ARCOUNT, 1);
        Memory.putByte(opt, 0);
        Memory.putShortBE(opt + 1, RecordType.OPT);
        Memory.putShortBE(opt + 3, Edns.PAYLOAD_SIZE);
        Memory.putByte(opt + 5, responseCode >> 4);
        Memory.putByte(opt + 6, 0);
        Memory.putShortBE(opt + 7, query.dnssecOk() ? MessageLayout.DO : 0);
        if (reason == null) {
            Memory.putShortBE(opt + 9, 0);
            return at + 11;
        }
        final byte[] text = TEXTS[reason.code()];
        Memory.putShortBE(opt + 9, 6 + text.length);
        Memory.putShortBE(opt + 11, EdnsOption.EXTENDED_ERROR);
        Memory.putShortBE(opt + 13, 2 + text.length);
        Memory.putShortBE(opt + 15, reason.code());
        Memory.copyFrom(text, 0, opt + 17, text.length);
        return at + 17 + text.length;
    }
}
