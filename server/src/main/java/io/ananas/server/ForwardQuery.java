package io.ananas.server;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.MessageLayout;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import java.nio.ByteBuffer;

/**
 * The query that goes upstream: always with DO set, so that one answer serves clients with and
 * without it, and never with options of the client's, which mean something only on its own hop;
 * with the client's subnet where the question says so.
 */
final class ForwardQuery {
    private static final int OPT_LENGTH = 11;
    private static final int QUESTION_FIXED = 4;
    private static final int OPTION_HEAD = 4;
    private static final byte[] NOTHING = {};

    private ForwardQuery() {}

    /**
     * @param tellSubnet whether the server gets to know the subnet, if there is one
     */
    static byte[] withEdns(QuestionKey question, boolean tellSubnet) {
        final ClientSubnet subnet = question.subnet();
        final byte[] option = subnet == null || !tellSubnet ? NOTHING : subnet.wire();
        final int options = option.length == 0 ? 0 : OPTION_HEAD + option.length;
        final byte[] octets = new byte[length(question.name(), 0) + OPT_LENGTH + options];
        final ByteBuffer query = begin(octets, question, 1);
        putOpt(query, options);
        if (options > 0) {
            query.putShort((short) EdnsOption.CLIENT_SUBNET)
                    .putShort((short) option.length)
                    .put(option);
        }
        return octets;
    }

    /**
     * With DO and without options, about a part of a name.
     *
     * @param name in wire format, of which the labels from octet {@code from} on count
     */
    static byte[] withDo(byte[] name, int from, int type, boolean checkingDisabled) {
        final byte[] octets = new byte[length(name, from) + OPT_LENGTH];
        putOpt(begin(octets, name, from, type, checkingDisabled, 1), 0);
        return octets;
    }

    /** For servers that answer FORMERR to EDNS (RFC 6891, section 6.2.2). */
    static byte[] withoutEdns(QuestionKey question) {
        final byte[] octets = new byte[length(question.name(), 0)];
        begin(octets, question, 0);
        return octets;
    }

    /** Octets of header and question. */
    private static int length(byte[] name, int from) {
        return MessageLayout.HEADER_LENGTH + name.length - from + QUESTION_FIXED;
    }

    private static ByteBuffer begin(byte[] octets, QuestionKey question, int additional) {
        return begin(
                octets,
                question.name(),
                0,
                question.type(),
                question.checkingDisabled(),
                additional);
    }

    private static ByteBuffer begin(
            byte[] octets,
            byte[] name,
            int from,
            int type,
            boolean checkingDisabled,
            int additional) {
        return ByteBuffer.wrap(octets)
                .putShort((short) 0)
                .putShort((short) (MessageLayout.RD | (checkingDisabled ? MessageLayout.CD : 0)))
                .putShort((short) 1)
                .putInt(0)
                .putShort((short) additional)
                .put(name, from, name.length - from)
                .putShort((short) type)
                .putShort((short) RecordClass.IN);
    }

    private static void putOpt(ByteBuffer query, int options) {
        query.put((byte) 0)
                .putShort((short) RecordType.OPT)
                .putShort((short) Edns.PAYLOAD_SIZE)
                .putShort((short) 0)
                .putShort((short) MessageLayout.DO)
                .putShort((short) options);
    }
}
