package io.ananas.testkit;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.Responses;
import io.ananas.testkit.DnsMessage.Question;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response put together for the query it gets. Immutable: every method gives a new one.
 *
 * <p>The id, the RD and CD bits and the question of the query, in its case, are echoed. QR and RA
 * are set. An OPT record is there if the query had one. What is too long for the query's UDP
 * payload size goes out truncated.
 *
 * @param flags bits of the header besides
 * @param truncatedOverUdp whether it has TC and no records over UDP, whatever its size
 * @param withoutEdns whether it never has an OPT record, as from a server that knows no EDNS
 */
public record ReplyMessage(
        int flags,
        int responseCode,
        List<ResourceRecord> answer,
        List<ResourceRecord> authority,
        List<ResourceRecord> additional,
        List<EdnsOption> options,
        boolean truncatedOverUdp,
        boolean withoutEdns)
        implements Reply {
    private static final int ECHOED =
            MessageLayout.OPCODE_MASK | MessageLayout.RD | MessageLayout.CD;
    private static final ReplyMessage EMPTY =
            new ReplyMessage(
                    MessageLayout.RA, 0, List.of(), List.of(), List.of(), List.of(), false, false);

    public ReplyMessage {
        answer = List.copyOf(answer);
        authority = List.copyOf(authority);
        additional = List.copyOf(additional);
        options = List.copyOf(options);
    }

    /** NOERROR without records. */
    public static ReplyMessage empty() {
        return EMPTY;
    }

    /** With more records, in master file form, in the answer section. */
    public ReplyMessage answer(String... records) {
        return with(joined(answer, parsed(records)), authority, additional);
    }

    /** With more records in the answer section. */
    public ReplyMessage answer(List<ResourceRecord> records) {
        return with(joined(answer, records), authority, additional);
    }

    /** With more records in the authority section. */
    public ReplyMessage authority(String... records) {
        return with(answer, joined(authority, parsed(records)), additional);
    }

    /** With more records in the additional section. */
    public ReplyMessage additional(String... records) {
        return with(answer, authority, joined(additional, parsed(records)));
    }

    /** With the same TTL, up to 4,294,967,295, in all records: text form ends at 2^31-1. */
    public ReplyMessage ttl(long ttl) {
        return with(aged(answer, ttl), aged(authority, ttl), aged(additional, ttl));
    }

    private static List<ResourceRecord> aged(List<ResourceRecord> records, long ttl) {
        return records.stream().map(record -> record.withTtl(ttl)).toList();
    }

    /** With a response code, 0 to 4,095. */
    public ReplyMessage code(int code) {
        return new ReplyMessage(
                flags, code, answer, authority, additional, options, truncatedOverUdp, withoutEdns);
    }

    /** With AA, and without RA: as from a server that is authoritative. */
    public ReplyMessage authoritative() {
        return flags((flags | MessageLayout.AA) & ~MessageLayout.RA);
    }

    /** With these flag bits, in the place of RA and others; QR and what is echoed stay. */
    public ReplyMessage flags(int bits) {
        return new ReplyMessage(
                bits,
                responseCode,
                answer,
                authority,
                additional,
                options,
                truncatedOverUdp,
                withoutEdns);
    }

    /** With TC and no records over UDP; whole over TCP. */
    public ReplyMessage truncated() {
        return new ReplyMessage(
                flags, responseCode, answer, authority, additional, options, true, withoutEdns);
    }

    /** Without an OPT record even for a query that has one. */
    public ReplyMessage noEdns() {
        return new ReplyMessage(
                flags,
                responseCode,
                answer,
                authority,
                additional,
                options,
                truncatedOverUdp,
                true);
    }

    /** With one more EDNS option. */
    public ReplyMessage option(EdnsOption option) {
        return new ReplyMessage(
                flags,
                responseCode,
                answer,
                authority,
                additional,
                joined(options, List.of(option)),
                truncatedOverUdp,
                withoutEdns);
    }

    /** With an Extended DNS Error. */
    public ReplyMessage reason(ExtendedError error, String text) {
        return option(EdnsOption.extendedError(error, text));
    }

    private ReplyMessage with(
            List<ResourceRecord> newAnswer,
            List<ResourceRecord> newAuthority,
            List<ResourceRecord> newAdditional) {
        return new ReplyMessage(
                flags,
                responseCode,
                newAnswer,
                newAuthority,
                newAdditional,
                options,
                truncatedOverUdp,
                withoutEdns);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        final List<T> joined = new ArrayList<>(first);
        joined.addAll(second);
        return joined;
    }

    private static List<ResourceRecord> parsed(String... records) {
        return ResourceRecord.parse(String.join("\n", records));
    }

    @Override
    public byte @Nullable [] to(ReceivedQuery query) {
        final byte @Nullable [] bare = Responses.error(query.octets(), 0, 0, null, "");
        if (bare == null) {
            return null;
        }
        final DnsMessage asked = DnsMessage.parse(bare);
        final int echoed = MessageLayout.QR | (asked.flags() & ECHOED) | flags;
        final Question question = asked.question();
        final Edns edns =
                query.hasEdns() && !withoutEdns
                        ? new Edns(Edns.PAYLOAD_SIZE, 0, query.dnssecOk(), options)
                        : null;
        if (truncatedOverUdp && !query.overTcp()) {
            return message(asked.id(), echoed | MessageLayout.TC, question, EMPTY, edns);
        }
        final byte[] whole = message(asked.id(), echoed, question, this, edns);
        return query.overTcp() ? whole : Responses.truncate(whole, query.payloadSize());
    }

    private byte[] message(
            int id,
            int bits,
            @Nullable Question question,
            ReplyMessage records,
            @Nullable Edns edns) {
        return new DnsMessage(
                        id,
                        bits,
                        edns == null ? responseCode & MessageLayout.RCODE_MASK : responseCode,
                        question,
                        records.answer,
                        records.authority,
                        records.additional,
                        edns)
                .toWire(true);
    }
}
