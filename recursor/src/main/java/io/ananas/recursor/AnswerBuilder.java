package io.ananas.recursor;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.Resolution.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes the response of links, or of their failure. */
final class AnswerBuilder {
    private static final int MAX_TEXT = 200;

    private AnswerBuilder() {}

    /**
     * The whole response; the last link gives its response code.
     *
     * @param full whether what servers added besides comes along
     */
    static byte[] answer(
            QuestionKey question,
            List<Link> links,
            boolean checkingDisabled,
            boolean full,
            List<Reason> reasons)
            throws ResolutionFailure {
        final boolean secure = !checkingDisabled && links.stream().allMatch(Link::isSecure);
        final MessageWriter writer =
                start(
                        question,
                        (secure ? MessageLayout.AD : 0) | (checkingDisabled ? MessageLayout.CD : 0),
                        links.getLast().responseCode(),
                        reasons);
        final Set<QuestionKey> written = new HashSet<>();
        boolean fits = true;
        for (final Link link : links) {
            fits &= write(writer, MessageView.ANSWER, link.answer(), written);
        }
        for (int i = 0; i < links.size(); i++) {
            final boolean ns = full && i == links.size() - 1;
            final List<RRset> wanted = new ArrayList<>();
            for (final RRset set : links.get(i).authority()) {
                if (set.type() != RecordType.NS || ns) {
                    wanted.add(set);
                }
            }
            fits &= write(writer, MessageView.AUTHORITY, wanted, written);
        }
        if (!fits) {
            throw new ResolutionFailure(
                    ExtendedError.OTHER, "the answer is longer than 65535 octets");
        }
        if (full) {
            write(writer, MessageView.ADDITIONAL, links.getLast().additional(), written);
        }
        return writer.toByteArray();
    }

    /** SERVFAIL with its reasons. */
    static byte[] failure(QuestionKey question, boolean checkingDisabled, List<Reason> reasons) {
        final int flags = checkingDisabled ? MessageLayout.CD : 0;
        return start(question, flags, ResponseCode.SERVFAIL, reasons).toByteArray();
    }

    private static MessageWriter start(
            QuestionKey question, int flags, int responseCode, List<Reason> reasons) {
        final MessageWriter writer =
                new MessageWriter(MessageLayout.MAX_MESSAGE)
                        .header(0, MessageLayout.QR | MessageLayout.RA | flags)
                        .responseCode(responseCode)
                        .question(question.name(), question.type(), RecordClass.IN);
        if (!reasons.isEmpty()) {
            Edns edns = Edns.of(Edns.PAYLOAD_SIZE, true);
            for (final Reason reason : reasons) {
                final String text =
                        reason.text().length() > MAX_TEXT
                                ? reason.text().substring(0, MAX_TEXT)
                                : reason.text();
                edns = edns.with(EdnsOption.extendedError(reason.error(), text));
            }
            writer.edns(edns);
        }
        return writer;
    }

    private static boolean write(
            MessageWriter writer, int section, List<RRset> sets, Set<QuestionKey> written) {
        for (final RRset set : sets) {
            if (written.add(new QuestionKey(set.owner(), set.type()))
                    && !set.writeTo(writer, section)) {
                return false;
            }
        }
        return true;
    }
}
