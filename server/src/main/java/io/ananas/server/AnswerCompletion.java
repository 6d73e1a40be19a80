package io.ananas.server;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import org.jspecify.annotations.Nullable;

/**
 * Makes the whole answer to a question of what upstream servers say, which may be less or more than
 * that.
 *
 * <ul>
 *   <li><b>An alias that ends without data and without a denial</b> is half an answer: its target
 *       is asked for, and both are put together (RFC 2308, section 2.2).
 *   <li><b>A response code speaks of the last name of the chain</b> (RFC 6604, section 3), and a
 *       denial is believed if the SOA record beside it is of a zone that this name is in; otherwise
 *       the name is asked for itself.
 *   <li><b>An alias that comes back to a name that was passed</b>, or one step too many, is a
 *       failure, and is remembered as one.
 *   <li><b>What does not belong to the answer</b> is left out: see {@link AnswerChain}; of the
 *       authority section, SOA and NS records of zones that the last name is not in. Additional
 *       records are passed on as they are.
 * </ul>
 *
 * Most responses are one RRset of the asked name; they are recognised and passed on untouched.
 * Blocking; thread-safe.
 */
final class AnswerCompletion implements AnswerSource {
    private static final int FEW = 16;

    private final AnswerSource source;

    AnswerCompletion(AnswerSource source) {
        this.source = source;
    }

    /** Asks, and asks on, until there is an answer or a reason why there is none. */
    @Override
    public ForwardResult ask(QuestionKey question) {
        return complete(question, source.ask(question));
    }

    @Override
    public ForwardResult renew(QuestionKey question) {
        return complete(question, source.renew(question));
    }

    private ForwardResult complete(QuestionKey question, ForwardResult result) {
        if (!(result instanceof ForwardResult.Answered answered)
                || answered.response().responseCode() == ResponseCode.NOTIMP
                || isPlain(answered.response())) {
            return result;
        }
        return follow(question, answered);
    }

    /** Whether the answer is records of the asked name and type, each once, and nothing else. */
    static boolean isPlain(MessageView response) {
        final int count = response.endRecord(MessageView.ANSWER);
        if (count == 0 || count > FEW || response.endRecord(MessageView.AUTHORITY) != count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (response.type(i) != response.questionType()
                    || response.ttl(i) != response.ttl(0)
                    || !response.sameName(response.ownerOffset(i), response.questionName())
                    || isRepeated(response, i)) {
                return false;
            }
        }
        return response.responseCode() == ResponseCode.NOERROR;
    }

    private static boolean isRepeated(MessageView response, int record) {
        final byte[] message = response.message();
        final int at = response.rdataOffset(record);
        final int length = response.rdataLength(record);
        for (int i = 0; i < record; i++) {
            final int other = response.rdataOffset(i);
            if (response.rdataLength(i) == length
                    && java.util.Arrays.equals(
                            message, at, at + length, message, other, other + length)) {
                return true;
            }
        }
        return false;
    }

    private ForwardResult follow(QuestionKey question, ForwardResult.Answered first) {
        final Name asked = Name.ofWire(question.name(), 0);
        final AnswerChain chain = new AnswerChain(asked, question.type());
        ForwardResult.Answered last = first;
        ClientSubnet scope = first.scope();
        while (true) {
            final int before = chain.steps();
            final AnswerChain.End end = chain.follow(last.response());
            switch (end) {
                case LOOP, TOO_LONG -> {
                    return new ForwardResult.Failed(badChain(end, chain));
                }
                case DATA -> {
                    return write(question, chain, last, ResponseCode.NOERROR, scope);
                }
                case OPEN -> {
                    if (chain.steps() == before || isDenied(last.response(), chain.name())) {
                        final int code = last.response().responseCode();
                        return write(question, chain, last, code, scope);
                    }
                }
            }
            switch (source.ask(question.withName(chain.name()))) {
                case ForwardResult.Answered next -> last = next;
                case ForwardResult.Failed failed -> {
                    return failed;
                }
            }
            scope = narrower(scope, last.scope());
        }
    }

    private static UpstreamFailure badChain(AnswerChain.End end, AnswerChain chain) {
        final String what =
                end == AnswerChain.End.LOOP
                        ? "the aliases go round in a circle; they come back after " + chain.name()
                        : "more than %d aliases follow one another, up to %s"
                                .formatted(AnswerChain.MAX_STEPS, chain.name());
        return new UpstreamFailure(ExtendedError.INVALID_DATA, what);
    }

    private static @Nullable ClientSubnet narrower(
            @Nullable ClientSubnet a, @Nullable ClientSubnet b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.scopePrefix() >= b.scopePrefix() ? a : b;
    }

    /** Whether there is an SOA record that may speak of the name. */
    private static boolean isDenied(MessageView response, Name name) {
        for (int i = response.firstRecord(MessageView.AUTHORITY);
                i < response.endRecord(MessageView.AUTHORITY);
                i++) {
            if (response.type(i) == RecordType.SOA && name.isSubdomainOf(response.owner(i))) {
                return true;
            }
        }
        return false;
    }

    private static ForwardResult write(
            QuestionKey question,
            AnswerChain chain,
            ForwardResult.Answered last,
            int responseCode,
            @Nullable ClientSubnet scope) {
        final MessageView response = last.response();
        final MessageWriter writer =
                new MessageWriter(MessageLayout.MAX_MESSAGE)
                        .header(response.id(), response.flags() & ~MessageLayout.RCODE_MASK)
                        .question(
                                Name.ofWire(question.name(), 0),
                                question.type(),
                                response.questionClass())
                        .responseCode(responseCode)
                        .edns(reasons(response));
        boolean fits = true;
        for (AnswerChain.Entry entry : chain.entries()) {
            fits &=
                    writer.record(
                            MessageView.ANSWER,
                            entry.owner(),
                            entry.type(),
                            entry.recordClass(),
                            entry.ttl(),
                            entry.rdata());
        }
        for (int i = response.firstRecord(MessageView.AUTHORITY);
                fits && i < response.recordCount();
                i++) {
            final int section = response.section(i);
            if (section == MessageView.ADDITIONAL || belongs(response, i, chain.name())) {
                fits = writer.record(section, response, i) || section == MessageView.ADDITIONAL;
            }
        }
        final MessageView whole = new MessageView();
        final byte[] octets = writer.toByteArray();
        if (!fits || whole.parse(octets, octets.length) != Fault.NONE) {
            return new ForwardResult.Failed(
                    new UpstreamFailure(
                            ExtendedError.INVALID_DATA,
                            "the whole answer is longer than a DNS message can be"));
        }
        return new ForwardResult.Answered(whole, scope);
    }

    private static boolean belongs(MessageView response, int record, Name name) {
        return switch (response.type(record)) {
            case RecordType.SOA, RecordType.NS -> name.isSubdomainOf(response.owner(record));
            case RecordType.NSEC, RecordType.NSEC3, RecordType.RRSIG, RecordType.DS -> true;
            default -> false;
        };
    }

    private static Edns reasons(MessageView response) {
        Edns edns = Edns.of(Edns.PAYLOAD_SIZE, true);
        for (MessageView.Reason reason : response.reasons()) {
            edns = edns.with(EdnsOption.extendedError(reason.code(), reason.text()));
        }
        return edns;
    }
}
