package io.ananas.cache;

import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes the response to a query from an entry of the short form straight into the caller's buffer:
 * header, question, records with the TTL that is left, OPT.
 *
 * <p>What every response has in common stands here as well, for {@link GeneralWriter}. Static; the
 * entry may change under the reader's hands, so nothing read from it is used as a length without a
 * bound, and the caller validates afterwards.
 */
final class AnswerWriter {
    /** Octets of an OPT record without options. */
    static final int OPT_LENGTH = 11;

    /** The UDP payload size that responses announce (RFC 9715 advises 1,232 or 1,400). */
    static final int PAYLOAD_SIZE = 1_232;

    /** What a short answer may write at most, slack of its last word included. */
    static final int SHORT_CAPACITY = 3_072;

    private static final long POINTER_TO_QUESTION = 0xc00cL << 48;
    private static final long CLASS_IN = 1L << 16;
    private static final int RECORD_HEAD = 12;
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;
    private static final int AT_ONCE = 4;

    private static final byte[] STALE_REASON = reason(ExtendedError.STALE_ANSWER);
    private static final byte[] STALE_NXDOMAIN_REASON = reason(ExtendedError.STALE_NXDOMAIN_ANSWER);

    private AnswerWriter() {}

    /**
     * The header's flags: a response to a standard query, RD and CD as asked, RA, AD where the
     * answer is authenticated and the client understands it (RFC 6840, section 5.8).
     */
    static int flags(QueryView query, boolean authenticated) {
        final int asked = query.flags();
        final boolean mayTell = (asked & MessageLayout.AD) != 0 || query.dnssecOk();
        return MessageLayout.QR
                | MessageLayout.RA
                | (asked & (MessageLayout.RD | MessageLayout.CD))
                | (authenticated && mayTell ? MessageLayout.AD : 0);
    }

    /** Writes header and question, and up to seven octets behind; returns octets written. */
    static int head(
            QueryView query, int flags, int answers, int authority, int additional, long reply) {
        header(query, flags, answers, authority, additional, reply);
        final int questionEnd = query.questionEnd();
        final int octets = questionEnd - MessageLayout.HEADER_LENGTH;
        copyQuestion(query.nameAddress(), reply + MessageLayout.HEADER_LENGTH, octets);
        return questionEnd;
    }

    /** Most questions fit four words that overlap: a loop would end where nobody foresees it. */
    private static void copyQuestion(long question, long out, int octets) {
        if (octets >= 16 && octets <= 32) {
            final int behind = octets - 16;
            for (int i = 0; i < 16; i += 8) {
                Memory.putLongLE(out, i, Memory.getLongLE(question, i));
                Memory.putLongLE(out + behind, i, Memory.getLongLE(question + behind, i));
            }
        } else {
            for (int i = 0; i < octets; i += 8) {
                Memory.putLongLE(out + i, Memory.getLongLE(question + i));
            }
        }
    }

    /** Writes the header alone. */
    static void header(
            QueryView query, int flags, int answers, int authority, int additional, long reply) {
        Memory.putLongBE(
                reply, (long) query.id() << 48 | (flags & 0xffffL) << 32 | 1L << 16 | answers);
        Memory.putIntBE(reply, MessageLayout.NSCOUNT, authority << 16 | additional);
    }

    /** Writes an OPT record without options; returns octets written. */
    static int opt(QueryView query, int extendedRcode, long out) {
        Memory.putIntBE(out, RecordType.OPT << 8 | PAYLOAD_SIZE >>> 8);
        Memory.putLongBE(
                out,
                3,
                (long) PAYLOAD_SIZE << 48
                        | (long) extendedRcode << 40
                        | (query.dnssecOk() ? (long) MessageLayout.DO << 16 : 0));
        return OPT_LENGTH;
    }

    /**
     * Puts the reason of a stale answer (EDE 3, or 19 for a name error) into an OPT that ends at
     * {@code out}; returns octets added.
     */
    static int staleReason(long opt, long out, int rcode) {
        final int octets = staleReasonLength(rcode);
        Memory.copyFrom(
                rcode == ResponseCode.NXDOMAIN ? STALE_NXDOMAIN_REASON : STALE_REASON,
                0,
                out,
                octets);
        Memory.putShortBE(opt + OPT_LENGTH - 2, (int) (out + octets - opt) - OPT_LENGTH);
        return octets;
    }

    private static byte[] reason(ExtendedError error) {
        final byte[] text = error.text().getBytes(StandardCharsets.US_ASCII);
        final ByteBuffer option = ByteBuffer.allocate(6 + text.length);
        option.putShort((short) EdnsOption.EXTENDED_ERROR).putShort((short) (2 + text.length));
        option.putShort((short) error.code()).put(text);
        return option.array();
    }

    /** A response that says only that it was cut: header with TC, question, OPT. */
    static int truncated(QueryView query, int flags, long reply) {
        final int additional = query.hasEdns() ? 1 : 0;
        final int end = head(query, flags | MessageLayout.TC, 0, 0, additional, reply);
        return additional == 0 ? end : end + opt(query, 0, reply + end);
    }

    /**
     * Writes the response from a short entry.
     *
     * @param header of the entry, whose form is one of the query's type
     * @param count records of it
     * @param ttl seconds, as the client shall see it
     * @param first which record is to be the first, for rotation; less than their number
     * @param stale whether to say that the answer has expired
     * @param limit octets that the client can take; the buffer itself holds {@link #SHORT_CAPACITY}
     *     at least
     * @return octets of the response
     */
    static int write(
            QueryView query,
            int header,
            int count,
            long body,
            int ttl,
            int first,
            boolean stale,
            long reply,
            int limit) {
        final int flags = flags(query, (header & EntryLayout.AUTHENTICATED) != 0);
        final int additional = query.hasEdns() ? 1 : 0;
        final int room = limit - additional * OPT_LENGTH;
        int end = head(query, flags, count, 0, additional, reply);
        if (query.type() == RecordType.TXT) {
            end += strings(body, count, ttl, reply + end);
        } else {
            end += addresses(query.type(), body, count, ttl, first, reply + end);
        }
        end = end > room ? 0 : end;
        if (end == 0) {
            return truncated(query, flags, reply);
        }
        if (additional == 0) {
            return end;
        }
        final long opt = reply + end;
        end += opt(query, 0, opt);
        return stale && end + STALE_REASON.length <= limit
                ? end + staleReason(opt, reply + end, ResponseCode.NOERROR)
                : end;
    }

    /** Octets of the option that {@link #staleReason} adds. */
    static int staleReasonLength(int rcode) {
        return rcode == ResponseCode.NXDOMAIN ? STALE_NXDOMAIN_REASON.length : STALE_REASON.length;
    }

    /** Where the OPT record of a response that {@link #write} wrote begins, if it has one. */
    static int optAt(long reply, int length, boolean stale) {
        final int withReason = length - OPT_LENGTH - STALE_REASON.length;
        final boolean hasReason =
                stale
                        && withReason > MessageLayout.HEADER_LENGTH
                        && Memory.getShortBE(reply + withReason + OPT_LENGTH - 2)
                                == STALE_REASON.length;
        return hasReason ? withReason : length - OPT_LENGTH;
    }

    /**
     * Writes address records, four at a time whether there are as many or not, and sixteen octets
     * of rdata for each: what is too much is written over by what follows, and the only branch is
     * one that is seldom taken.
     */
    private static int addresses(int type, long body, int count, int ttl, int first, long out) {
        final int octets = type == RecordType.A ? IPV4 : IPV6;
        final long head = POINTER_TO_QUESTION | (long) type << 32 | CLASS_IN | ttl >>> 16;
        final int tail = (ttl & 0xffff) << 16 | octets;
        final int size = RECORD_HEAD + octets;
        int from = first;
        long at = out;
        for (int done = 0; done < count; done += AT_ONCE) {
            for (int i = 0; i < AT_ONCE; i++) {
                record(at, head, tail, body + (long) octets * from);
                at += size;
                from++;
                from &= (from - count) >> 31;
            }
        }
        return count * size;
    }

    private static void record(long record, long head, int tail, long address) {
        Memory.putLongBE(record, head);
        Memory.putIntBE(record, 8, tail);
        for (int i = 0; i < IPV6; i += 8) {
            Memory.putLongLE(record, RECORD_HEAD + i, Memory.getLongLE(address, i));
        }
    }

    private static int strings(long body, int count, int ttl, long out) {
        final long head = POINTER_TO_QUESTION | (long) RecordType.TXT << 32 | CLASS_IN | ttl >>> 16;
        long from = body;
        long at = out;
        for (int i = 0; i < count; i++) {
            final int octets = 1 + Memory.getUnsignedByte(from);
            Memory.putLongBE(at, head);
            Memory.putIntBE(at, 8, (ttl & 0xffff) << 16 | octets);
            at += RECORD_HEAD;
            for (int copied = 0; copied < octets; copied += 32) {
                copy32(from + copied, at + copied);
            }
            at += octets;
            from += octets;
        }
        return (int) (at - out);
    }

    private static void copy32(long from, long out) {
        for (int i = 0; i < 32; i += 8) {
            Memory.putLongLE(out, i, Memory.getLongLE(from, i));
        }
    }
}
