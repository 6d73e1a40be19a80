package io.ananas.testkit;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.message.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message, to be looked at or put together by a test. Immutable.
 *
 * @param id 0 to 65,535
 * @param flags the flag bits of the header, with 0 for the response code
 * @param responseCode 0 to 4,095
 * @param question null if there is none
 * @param answer without OPT, as are the other sections
 * @param edns null if there is no OPT record; a payload size below 512 reads as 512
 */
public record DnsMessage(
        int id,
        int flags,
        int responseCode,
        @Nullable Question question,
        List<ResourceRecord> answer,
        List<ResourceRecord> authority,
        List<ResourceRecord> additional,
        @Nullable Edns edns) {

    /** What was asked. */
    public record Question(Name name, int type, int questionClass) {
        @Override
        public String toString() {
            return name + " " + RecordClass.text(questionClass) + " " + RecordType.text(type);
        }
    }

    public DnsMessage {
        answer = List.copyOf(answer);
        authority = List.copyOf(authority);
        additional = List.copyOf(additional);
    }

    /**
     * Reads a message.
     *
     * @throws AssertionError if it is unsound, saying why
     */
    public static DnsMessage parse(byte[] message) {
        final MessageView view = new MessageView();
        final Fault fault = view.parse(message, message.length);
        if (fault != Fault.NONE) {
            throw new AssertionError(
                    "a message of %d octets is unsound: %s%n%s"
                            .formatted(
                                    message.length,
                                    fault.text(),
                                    HexFormat.of().formatHex(message)));
        }
        final Question question =
                view.questionCount() == 0
                        ? null
                        : new Question(
                                view.name(view.questionName()),
                                view.questionType(),
                                view.questionClass());
        return new DnsMessage(
                view.id(),
                view.flags() & ~MessageLayout.RCODE_MASK,
                view.responseCode(),
                question,
                records(view, MessageView.ANSWER),
                records(view, MessageView.AUTHORITY),
                records(view, MessageView.ADDITIONAL),
                edns(view));
    }

    private static List<ResourceRecord> records(MessageView view, int section) {
        final List<ResourceRecord> records = new ArrayList<>();
        for (int i = view.firstRecord(section); i < view.endRecord(section); i++) {
            records.add(
                    ResourceRecord.of(
                            view.owner(i),
                            view.type(i),
                            view.recordClass(i),
                            view.ttl(i),
                            view.rdata(i)));
        }
        return records;
    }

    private static @Nullable Edns edns(MessageView view) {
        if (!view.hasEdns()) {
            return null;
        }
        final List<EdnsOption> options = new ArrayList<>();
        for (int at = view.firstOption(); at != 0; at = view.nextOption(at)) {
            final int data = view.optionData(at);
            options.add(
                    EdnsOption.of(
                            view.optionCode(at),
                            Arrays.copyOfRange(
                                    view.message(), data, data + view.optionLength(at))));
        }
        return new Edns(view.payloadSize(), view.ednsVersion(), view.dnssecOk(), options);
    }

    /**
     * The octets of this message.
     *
     * @throws IllegalStateException if it is longer than 65,535 octets
     */
    public byte[] toWire(boolean compress) {
        final MessageWriter writer = new MessageWriter(MessageLayout.MAX_MESSAGE);
        if (!compress) {
            writer.withoutCompression();
        }
        writer.header(id, flags).responseCode(responseCode);
        if (question != null) {
            writer.question(question.name(), question.type(), question.questionClass());
        }
        if (edns != null) {
            writer.edns(edns);
        }
        for (int section = MessageView.ANSWER; section <= MessageView.ADDITIONAL; section++) {
            for (final ResourceRecord record : section(section)) {
                if (!writer.record(
                        section,
                        record.owner(),
                        record.type(),
                        record.recordClass(),
                        record.ttl(),
                        record.rdata())) {
                    throw new IllegalStateException("longer than 65535 octets");
                }
            }
        }
        return writer.toByteArray();
    }

    /** A section by its number in {@link MessageView}. */
    public List<ResourceRecord> section(int section) {
        return switch (section) {
            case MessageView.ANSWER -> answer;
            case MessageView.AUTHORITY -> authority;
            case MessageView.ADDITIONAL -> additional;
            default -> throw new IllegalArgumentException("no section " + section);
        };
    }

    /** Whether all bits of {@code flag}, see {@link MessageLayout}, are set. */
    public boolean has(int flag) {
        return (flags & flag) == flag;
    }

    /** INFO-CODEs of the Extended DNS Errors, in order. */
    public List<Integer> extendedErrors() {
        final List<Integer> codes = new ArrayList<>();
        if (edns != null) {
            for (final EdnsOption option : edns.options()) {
                if (option.code() == EdnsOption.EXTENDED_ERROR && option.length() >= 2) {
                    final byte[] data = option.data();
                    codes.add(Wire.u16(data, 0));
                }
            }
        }
        return codes;
    }

    /** Several lines, for people. */
    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder();
        text.append("id ").append(id).append(", ").append(ResponseCode.text(responseCode));
        text.append(", flags 0x").append(HexFormat.of().toHexDigits((short) flags));
        text.append("\nquestion: ").append(question == null ? "none" : question);
        final String[] titles = {"answer", "authority", "additional"};
        for (int section = 0; section < titles.length; section++) {
            text.append('\n').append(titles[section]).append(':');
            section(section).forEach(record -> text.append("\n    ").append(record));
        }
        return text.append("\nedns: ").append(edns == null ? "none" : edns).toString();
    }
}
