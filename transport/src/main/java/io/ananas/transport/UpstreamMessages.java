package io.ananas.transport;

import io.ananas.message.MessageLayout;
import io.ananas.message.Wire;

/** What a socket has to know of the messages that it carries. */
final class UpstreamMessages {
    private static final int FORMERR = 1;
    private static final int NOTIMP = 4;
    private static final int QUESTION_FIXED = 4;

    private UpstreamMessages() {}

    static int id(byte[] message) {
        return Wire.u16(message, MessageLayout.ID);
    }

    static byte[] withId(byte[] message, int id) {
        final byte[] copy = message.clone();
        Wire.put16(copy, MessageLayout.ID, id);
        return copy;
    }

    static boolean isTruncated(byte[] response) {
        return (flags(response) & MessageLayout.TC) != 0;
    }

    /**
     * Whether {@code response}, whose id and sender fit, answers {@code query} (RFC 5452, section
     * 9.1): a response of the same opcode with the same question. A server that could not read the
     * question may leave it out, but then it can only refuse.
     */
    static boolean answers(byte[] query, byte[] response, boolean caseExact) {
        if (response.length < MessageLayout.HEADER_LENGTH
                || (flags(response) & MessageLayout.QR) == 0
                || ((flags(response) ^ flags(query)) & MessageLayout.OPCODE_MASK) != 0) {
            return false;
        }
        final int questions = Wire.u16(response, MessageLayout.QDCOUNT);
        if (questions == 0) {
            final int rcode = flags(response) & MessageLayout.RCODE_MASK;
            return (rcode == FORMERR || rcode == NOTIMP)
                    && Wire.u16(response, MessageLayout.ANCOUNT) == 0
                    && Wire.u16(response, MessageLayout.NSCOUNT) == 0;
        }
        return questions == 1 && sameQuestion(query, response, caseExact);
    }

    private static boolean sameQuestion(byte[] query, byte[] response, boolean caseExact) {
        final int end = questionEnd(query);
        if (end < 0 || response.length < end) {
            return false;
        }
        final int nameEnd = end - QUESTION_FIXED;
        for (int i = MessageLayout.HEADER_LENGTH; i < end; i++) {
            final boolean same =
                    (caseExact || i >= nameEnd)
                            ? query[i] == response[i]
                            : lower(query[i]) == lower(response[i]);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static int questionEnd(byte[] query) {
        int at = MessageLayout.HEADER_LENGTH;
        while (at < query.length && query[at] != 0) {
            at += 1 + (query[at] & 0xff);
        }
        return at + 1 + QUESTION_FIXED <= query.length ? at + 1 + QUESTION_FIXED : -1;
    }

    private static int lower(byte octet) {
        return (octet >= 'A' && octet <= 'Z') ? octet + ('a' - 'A') : octet;
    }

    private static int flags(byte[] message) {
        return Wire.u16(message, MessageLayout.FLAGS);
    }
}
