package io.ananas.server;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A DNAME record that came with one name serves the others below its owner (RFC 6672, section 3.4):
 * forwarders are asked for the name that it leads to, and not for the one that was asked.
 *
 * <p>The record is kept in the cache under its own name and type, as if it had been asked for; on a
 * miss the names above the asked one are looked for there. What is for a client subnet does not
 * count. Thread-safe.
 */
final class KnownRedirects implements AnswerSource {
    private final AnswerSource source;
    private final AnswerStore store;
    private final CacheProbe probe;

    KnownRedirects(AnswerSource source, AnswerStore store, CacheProbe probe) {
        this.source = source;
        this.store = store;
        this.probe = probe;
    }

    @Override
    public ForwardResult ask(QuestionKey question) {
        final MessageView known = question.subnet() == null ? find(question) : null;
        return known != null ? new ForwardResult.Answered(known, null) : renew(question);
    }

    @Override
    public ForwardResult renew(QuestionKey question) {
        final ForwardResult result = source.ask(question);
        if (result instanceof ForwardResult.Answered(MessageView response, var scope)
                && scope == null
                && question.subnet() == null) {
            learn(question, response);
        }
        return result;
    }

    /** A DNAME record above the asked name and below the root, as the response to the question. */
    private @Nullable MessageView find(QuestionKey question) {
        final byte[] name = question.name();
        for (int above = CacheProbe.parent(name, 0);
                name[above] != 0;
                above = CacheProbe.parent(name, above)) {
            final MessageView known =
                    probe.find(name, above, RecordType.DNAME, question.checkingDisabled());
            if (known != null
                    && known.endRecord(MessageView.ANSWER) > 0
                    && known.type(0) == RecordType.DNAME) {
                return part(known, question, i -> true);
            }
        }
        return null;
    }

    private void learn(QuestionKey question, MessageView response) {
        final Name asked = Name.ofWire(question.name(), 0);
        for (int i = 0; i < response.endRecord(MessageView.ANSWER); i++) {
            if (response.type(i) == RecordType.DNAME) {
                final Name owner = response.owner(i);
                if (asked.isSubdomainOf(owner) && !asked.equals(owner)) {
                    final QuestionKey own = question.withName(owner).withType(RecordType.DNAME);
                    final MessageView set = part(response, own, k -> belongs(response, k, owner));
                    store.keep(own, new ForwardResult.Answered(set, null));
                    return;
                }
            }
        }
    }

    private static boolean belongs(MessageView response, int record, Name owner) {
        final int type =
                response.type(record) == RecordType.RRSIG
                        ? AnswerChain.covered(response, record)
                        : response.type(record);
        return type == RecordType.DNAME && response.owner(record).equals(owner);
    }

    private static MessageView part(
            MessageView response, QuestionKey question, IntPredicate wanted) {
        final int cd = question.checkingDisabled() ? MessageLayout.CD : 0;
        final MessageWriter writer =
                new MessageWriter(MessageLayout.MAX_MESSAGE)
                        .header(0, MessageLayout.QR | MessageLayout.RA | cd)
                        .question(Name.ofWire(question.name(), 0), question.type(), RecordClass.IN);
        for (int i = 0; i < response.endRecord(MessageView.ANSWER); i++) {
            if (wanted.test(i)) {
                writer.record(MessageView.ANSWER, response, i);
            }
        }
        return NameCuts.parsed(writer);
    }
}
