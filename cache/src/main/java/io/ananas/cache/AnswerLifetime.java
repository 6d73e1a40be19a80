package io.ananas.cache;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.message.Wire;

/**
 * Decides whether an answer may be cached, and for how long.
 *
 * <p>A positive answer lives as long as the shortest TTL in it. A denial (NXDOMAIN, or NOERROR
 * without the record that was asked for) lives as long as the lesser of TTL and MINIMUM of the SOA
 * record in its authority section, and is not cached without one (RFC 2308, section 5); where an
 * alias leads to it, the alias may end sooner. A TTL with the high bit set is a large one and is
 * capped like any other (RFC 8767, section 4). A TTL of 0 is for the transaction in progress only.
 */
final class AnswerLifetime {
    private static final int SOA_TAIL_MINIMUM = 4;

    private TtlBounds bounds;
    private int seconds;
    private boolean negative;

    AnswerLifetime(TtlBounds bounds) {
        this.bounds = bounds;
    }

    /** Takes other bounds from now on. */
    void setBounds(TtlBounds other) {
        bounds = other;
    }

    /** Looks at an answer; {@link Insertion#STORED} if it may be cached. */
    Insertion judge(MessageView view) {
        final int wrong = MessageLayout.OPCODE_MASK | MessageLayout.TC;
        if (view.questionCount() != 1
                || view.questionClass() != RecordClass.IN
                || (view.flags() & (MessageLayout.QR | wrong)) != MessageLayout.QR) {
            return Insertion.NOT_AN_ANSWER;
        }
        final int rcode = view.responseCode();
        if (rcode != ResponseCode.NOERROR && rcode != ResponseCode.NXDOMAIN) {
            return Insertion.NOT_AN_ANSWER;
        }
        negative = rcode == ResponseCode.NXDOMAIN || !holdsAnswer(view);
        long least = Math.min(bounds.maxTtl(), leastTtl(view));
        if (negative) {
            final long denial = denialTtl(view);
            if (denial < 0) {
                return Insertion.NO_SOA;
            }
            least = Math.min(least, denial);
        }
        if (least == 0) {
            return Insertion.TTL_ZERO;
        }
        final int floor = negative ? bounds.minNegativeTtl() : bounds.minTtl();
        seconds = (int) Math.max(least, floor);
        return Insertion.STORED;
    }

    /** Takes a failure, which is remembered as long as it is told. */
    void setFailure(int lifetime) {
        seconds = lifetime;
        negative = false;
    }

    /** Lifetime in seconds of the answer judged last. */
    int seconds() {
        return seconds;
    }

    /** The longest TTL that any record may have, in seconds. */
    int longest() {
        return bounds.maxTtl();
    }

    /** Whether the answer judged last is a denial. */
    boolean isNegative() {
        return negative;
    }

    private static boolean holdsAnswer(MessageView view) {
        final int end = view.endRecord(MessageView.ANSWER);
        final int asked = view.questionType();
        for (int i = 0; i < end; i++) {
            if (view.type(i) == asked || asked == RecordType.ANY) {
                return true;
            }
        }
        return false;
    }

    private static long leastTtl(MessageView view) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < view.recordCount(); i++) {
            least = Math.min(least, view.ttl(i));
        }
        return least;
    }

    private long denialTtl(MessageView view) {
        for (int i = view.firstRecord(MessageView.AUTHORITY);
                i < view.endRecord(MessageView.AUTHORITY);
                i++) {
            if (view.type(i) == RecordType.SOA) {
                final long minimum = minimum(view, i);
                return Math.min(bounds.maxNegativeTtl(), Math.min(view.ttl(i), minimum));
            }
        }
        return -1;
    }

    private static long minimum(MessageView view, int record) {
        final int at = view.rdataOffset(record) + view.rdataLength(record) - SOA_TAIL_MINIMUM;
        return Wire.i32(view.message(), at) & 0xffff_ffffL;
    }
}
