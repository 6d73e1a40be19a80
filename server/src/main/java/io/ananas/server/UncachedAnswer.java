package io.ananas.server;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;

/**
 * A client's response made from an upstream's, for answers that the cache does not keep. It follows
 * the same rules: the client's question and id, DNSSEC records only for who wants them or asks for
 * them, no options but Extended DNS Errors, whole or not at all.
 */
final class UncachedAnswer {
    private static final int ECHOED = MessageLayout.RD | MessageLayout.CD;

    private UncachedAnswer() {}

    /**
     * @param query the client's query, of which {@code view} is a view
     * @param limit octets that the client takes
     */
    static byte[] build(byte[] query, QueryView view, MessageView response, int limit) {
        final MessageWriter writer = start(query, view, response, limit);
        for (int section = MessageView.ANSWER; section <= MessageView.ADDITIONAL; section++) {
            for (int i = response.firstRecord(section); i < response.endRecord(section); i++) {
                if (isWanted(response.type(i), view)
                        && !writer.record(section, response, i)
                        && section != MessageView.ADDITIONAL) {
                    return start(query, view, response, limit).truncated().toByteArray();
                }
            }
        }
        return writer.toByteArray();
    }

    private static MessageWriter start(
            byte[] query, QueryView view, MessageView response, int limit) {
        final MessageWriter writer =
                new MessageWriter(limit)
                        .header(
                                view.id(),
                                MessageLayout.QR
                                        | MessageLayout.RA
                                        | (view.flags() & ECHOED)
                                        | (mayTell(view) ? response.flags() & MessageLayout.AD : 0))
                        .question(
                                Name.ofWire(query, MessageLayout.HEADER_LENGTH),
                                view.type(),
                                view.queryClass())
                        .responseCode(response.responseCode() & MessageLayout.RCODE_MASK);
        return view.hasEdns() ? writer.edns(edns(view, response)) : writer;
    }

    /** Who does not ask for AD or DNSSEC records is not told (RFC 6840, section 5.8). */
    private static boolean mayTell(QueryView view) {
        return view.dnssecOk() || (view.flags() & MessageLayout.AD) != 0;
    }

    private static Edns edns(QueryView view, MessageView response) {
        Edns edns = Edns.of(Edns.PAYLOAD_SIZE, view.dnssecOk());
        for (MessageView.Reason reason : response.reasons()) {
            final ExtendedError error = ExtendedError.of(reason.code());
            if (error != null) {
                edns = edns.with(EdnsOption.extendedError(error, ""));
            }
        }
        return edns;
    }

    private static boolean isWanted(int type, QueryView view) {
        return view.dnssecOk()
                || type == view.type()
                || (type != RecordType.RRSIG
                        && type != RecordType.NSEC
                        && type != RecordType.NSEC3);
    }
}
