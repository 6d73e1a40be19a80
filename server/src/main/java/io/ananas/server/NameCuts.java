package io.ananas.server;

import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Where a name does not exist, nothing does below it (RFC 8020): a name error that is known answers
 * for the name itself, whatever the type, and for all names below.
 *
 * <p>A name error is kept in the cache once more, under the type ANY, which is never asked for
 * otherwise; so it lives as long as denials do, counts against the budget, and goes with whatever
 * flushes the name or all denials. On a miss the names above are looked for there, nearest first; a
 * hit costs nothing. What is found below nevertheless, when a popular answer is renewed, ends the
 * name error above it.
 *
 * <p>Off unless told: there are servers that deny a name and have others below it (an empty node,
 * RFC 8020, section 3.1). Name errors behind an alias, and those for a client subnet, do not count.
 * Thread-safe.
 */
final class NameCuts implements AnswerSource {
    /** Whose name errors count. */
    enum Trust {
        /** Nobody's. */
        NONE,
        /** Those that were validated here. */
        VALIDATED,
        /** All. */
        ALL
    }

    private final AnswerSource source;
    private final AnswerStore store;
    private final CacheProbe probe;
    private final Trust trust;
    private final LongAdder used;

    /**
     * @param used counts answers that came from a name error above
     */
    private NameCuts(
            AnswerSource source, AnswerStore store, CacheProbe probe, Trust trust, LongAdder used) {
        this.source = source;
        this.store = store;
        this.probe = probe;
        this.trust = trust;
        this.used = used;
    }

    /** Before {@code source}, unless nobody's name errors count. */
    static AnswerSource before(
            AnswerSource source, AnswerStore store, CacheProbe probe, Trust trust, LongAdder used) {
        return trust == Trust.NONE ? source : new NameCuts(source, store, probe, trust, used);
    }

    @Override
    public ForwardResult ask(QuestionKey question) {
        final MessageView cut = question.subnet() == null ? find(question) : null;
        if (cut != null) {
            used.increment();
            return new ForwardResult.Answered(
                    about(cut, question, ResponseCode.NXDOMAIN, Long.MAX_VALUE), null);
        }
        return learn(question, source.ask(question));
    }

    @Override
    public ForwardResult renew(QuestionKey question) {
        return learn(question, source.renew(question));
    }

    /** The nearest name error at or above the question's name. */
    private @Nullable MessageView find(QuestionKey question) {
        final byte[] name = question.name();
        for (int above = 0; name[above] != 0; above = CacheProbe.parent(name, above)) {
            final MessageView known =
                    probe.find(name, above, RecordType.ANY, question.checkingDisabled());
            if (known != null && denies(known)) {
                return known;
            }
        }
        return null;
    }

    private boolean denies(MessageView response) {
        return response.responseCode() == ResponseCode.NXDOMAIN
                && response.endRecord(MessageView.ANSWER) == 0
                && (trust == Trust.ALL || (response.flags() & MessageLayout.AD) != 0);
    }

    private ForwardResult learn(QuestionKey question, ForwardResult result) {
        if (result instanceof ForwardResult.Answered(MessageView response, var scope)
                && scope == null
                && question.subnet() == null) {
            if (denies(response)) {
                keep(question.withType(RecordType.ANY), response, ResponseCode.NXDOMAIN);
            } else if (response.responseCode() == ResponseCode.NOERROR) {
                final MessageView wrong = find(question);
                if (wrong != null) {
                    final Name name = wrong.name(wrong.questionName());
                    keep(
                            question.withName(name).withType(RecordType.ANY),
                            wrong,
                            ResponseCode.NOERROR);
                }
            }
        }
        return result;
    }

    /** Keeps a name error; as NOERROR, for a second, it stands for none. */
    private void keep(QuestionKey question, MessageView response, int code) {
        final long longest = code == ResponseCode.NOERROR ? 1 : Long.MAX_VALUE;
        store.keep(
                question,
                new ForwardResult.Answered(about(response, question, code, longest), null));
    }

    /** The same denial of another name. */
    private static MessageView about(
            MessageView response, QuestionKey question, int code, long longest) {
        final int cd = question.checkingDisabled() ? MessageLayout.CD : 0;
        final MessageWriter writer =
                new MessageWriter(MessageLayout.MAX_MESSAGE)
                        .header(
                                0,
                                MessageLayout.QR
                                        | MessageLayout.RA
                                        | cd
                                        | (response.flags() & MessageLayout.AD))
                        .question(Name.ofWire(question.name(), 0), question.type(), RecordClass.IN)
                        .responseCode(code);
        for (int i = response.firstRecord(MessageView.AUTHORITY);
                i < response.endRecord(MessageView.AUTHORITY);
                i++) {
            writer.record(
                    MessageView.AUTHORITY,
                    response.owner(i),
                    response.type(i),
                    response.recordClass(i),
                    Math.min(longest, response.ttl(i)),
                    response.rdata(i));
        }
        return parsed(writer);
    }

    static MessageView parsed(MessageWriter writer) {
        final byte[] octets = writer.toByteArray();
        final MessageView view = new MessageView();
        if (view.parse(octets, octets.length) != Fault.NONE) {
            throw new IllegalStateException("an unsound message was written");
        }
        return view;
    }
}
