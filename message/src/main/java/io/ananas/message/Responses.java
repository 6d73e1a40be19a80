package io.ananas.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Whole responses that the cold path makes of octets: errors, and ones cut to size. */
public final class Responses {
    private static final int ECHOED =
            MessageLayout.OPCODE_MASK | MessageLayout.RD | MessageLayout.CD;

    private Responses() {}

    /**
     * An error response to {@code query}: its id, opcode, RD, CD and, if readable, question are
     * echoed; an OPT record is there if the query had one, with {@code error} as an Extended DNS
     * Error (RFC 8914).
     *
     * @param query the query as it came, sound or not
     * @param flags bits to set besides QR and what is echoed, such as RA
     * @param responseCode 0 to 4,095; one above 15 is cut to its lower bits without EDNS
     * @param text EXTRA-TEXT for people, maybe empty
     * @return the response, at most 512 octets plus those of {@code text}; null if the query has
     *     not even a header, or is itself a response
     */
    public static byte @Nullable [] error(
            byte[] query, int flags, int responseCode, @Nullable ExtendedError error, String text) {
        final MessageView view = new MessageView();
        view.parse(query, query.length);
        if (view.length() == 0 || (view.flags() & MessageLayout.QR) != 0) {
            return null;
        }
        final MessageWriter writer = new MessageWriter(MessageLayout.MAX_MESSAGE);
        writer.header(view.id(), MessageLayout.QR | (view.flags() & ECHOED) | flags);
        if (view.questionCount() == 1) {
            writer.question(
                    view.name(view.questionName()), view.questionType(), view.questionClass());
        }
        if (view.hasEdns()) {
            final Edns edns = Edns.of(Edns.PAYLOAD_SIZE, view.dnssecOk());
            writer.edns(error == null ? edns : edns.with(EdnsOption.extendedError(error, text)));
            writer.responseCode(responseCode);
        } else {
            writer.responseCode(responseCode & MessageLayout.RCODE_MASK);
        }
        return writer.toByteArray();
    }

    /**
     * Cuts a sound response to {@code limit} octets. Records of the additional section go first,
     * which leaves the answer whole (RFC 2181, section 9); if that is not enough, all records go
     * and TC is set. Header, question and OPT record stay; if the options are too long for the
     * limit, they go too.
     *
     * @param limit octets, at least 512
     * @return the same array if it fits
     */
    public static byte[] truncate(byte[] response, int limit) {
        if (response.length <= limit) {
            return response;
        }
        final MessageView view = new MessageView();
        final Fault fault = view.parse(response, response.length);
        if (fault != Fault.NONE) {
            throw new IllegalArgumentException(
                    "a response to be truncated must be sound; found " + fault.text());
        }
        final byte[] opt = opt(view);
        final int answerEnd = endOf(view, view.endRecord(MessageView.AUTHORITY));
        if (answerEnd + opt.length <= limit) {
            return assemble(view, answerEnd, opt, false);
        }
        final boolean optFits = view.questionEnd() + opt.length <= limit;
        return assemble(view, view.questionEnd(), optFits ? opt : withoutOptions(opt), true);
    }

    private static int endOf(MessageView view, int records) {
        return records == 0
                ? view.questionEnd()
                : view.rdataOffset(records - 1) + view.rdataLength(records - 1);
    }

    private static byte[] opt(MessageView view) {
        final int start = view.optOffset();
        return start == 0
                ? new byte[0]
                : Arrays.copyOfRange(view.message(), start, start + view.optLength());
    }

    private static byte[] withoutOptions(byte[] opt) {
        final byte[] bare = Arrays.copyOf(opt, 11);
        bare[9] = 0;
        bare[10] = 0;
        return bare;
    }

    private static byte[] assemble(MessageView view, int end, byte[] opt, boolean truncated) {
        final byte[] cut = Arrays.copyOf(view.message(), end + opt.length);
        System.arraycopy(opt, 0, cut, end, opt.length);
        cut[MessageLayout.ARCOUNT] = 0;
        cut[MessageLayout.ARCOUNT + 1] = (byte) (opt.length == 0 ? 0 : 1);
        if (truncated) {
            cut[MessageLayout.FLAGS] |= (byte) (MessageLayout.TC >> 8);
            Arrays.fill(cut, MessageLayout.ANCOUNT, MessageLayout.ARCOUNT, (byte) 0);
        }
        return cut;
    }
}
