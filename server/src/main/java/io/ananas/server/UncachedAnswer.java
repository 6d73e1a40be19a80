package io.ananas.server;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import io.ananas.message.Wire;

/**
 * A client's response made from an upstream's, for answers that the cache does not keep. It follows
 * the same rules: the client's question and id, DNSSEC records only for who wants them or asks for
 * them, no options but Extended DNS Errors and the client's own subnet, whole or not at all.
 */
final class UncachedAnswer {
    private static final int ECHOED = MessageLayout.RD | MessageLayout.CD;

    private static final int OPTION_HEAD = 4;

    private UncachedAnswer() {}

    /**
     * @param query the client's query, of which {@code view} is a view
     * @param maxTtl the longest TTL that the client sees, in seconds
     * @param limit octets that the client takes
     */
    static byte[] build(
            byte[] query, QueryView view, ForwardResult.Answered answer, int maxTtl, int limit) {
        final MessageView response = answer.response();
        final MessageWriter writer = start(query, view, answer, limit);
        for (int section = MessageView.ANSWER; section <= MessageView.ADDITIONAL; section++) {
            for (int i = response.firstRecord(section); i < response.endRecord(section); i++) {
                if (isWanted(response.type(i), view)
                        && !add(writer, section, response, i, maxTtl)
                        && section != MessageView.ADDITIONAL) {
                    return start(query, view, answer, limit).truncated().toByteArray();
                }
            }
        }
        return writer.toByteArray();
    }

    private static boolean add(
            MessageWriter writer, int section, MessageView response, int i, int maxTtl) {
        return writer.record(
                section,
                response.owner(i),
                response.type(i),
                response.recordClass(i),
                Math.min(maxTtl, response.ttl(i)),
                response.rdata(i));
    }

    private static MessageWriter start(
            byte[] query, QueryView view, ForwardResult.Answered answer, int limit) {
        final MessageWriter writer =
                new MessageWriter(limit)
                        .header(
                                view.id(),
                                MessageLayout.QR
                                        | MessageLayout.RA
                                        | (view.flags() & ECHOED)
                                        | (mayTell(view)
                                                ? answer.response().flags() & MessageLayout.AD
                                                : 0))
                        .question(
                                Name.ofWire(query, MessageLayout.HEADER_LENGTH),
                                view.type(),
                                view.queryClass())
                        .responseCode(answer.response().responseCode() & MessageLayout.RCODE_MASK);
        return view.hasEdns() ? writer.edns(edns(query, view, answer)) : writer;
    }

    /** Who does not ask for AD or DNSSEC records is not told (RFC 6840, section 5.8). */
    private static boolean mayTell(QueryView view) {
        return view.dnssecOk() || (view.flags() & MessageLayout.AD) != 0;
    }

    private static Edns edns(byte[] query, QueryView view, ForwardResult.Answered answer) {
        Edns edns = Edns.of(Edns.PAYLOAD_SIZE, view.dnssecOk());
        for (MessageView.Reason reason : answer.response().reasons()) {
            edns = edns.with(EdnsOption.extendedError(reason.code(), reason.text()));
        }
        final ClientSubnet own =
                view.ecsOffset() == 0
                        ? null
                        : ClientSubnet.parse(
                                query,
                                view.ecsOffset() + OPTION_HEAD,
                                Wire.u16(query, view.ecsOffset() + 2));
        final ClientSubnet scope = answer.scope();
        if (own == null || scope == null) {
            return edns;
        }
        return edns.with(EdnsOption.clientSubnet(own.withScope(scope.scopePrefix())));
    }

    private static boolean isWanted(int type, QueryView view) {
        return view.dnssecOk()
                || type == view.type()
                || (type != RecordType.RRSIG
                        && type != RecordType.NSEC
                        && type != RecordType.NSEC3);
    }
}
