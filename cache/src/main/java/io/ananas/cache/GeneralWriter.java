package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;

/**
 * Writes the response to a query from an entry of the general form ({@link GeneralLayout}).
 *
 * <p>Records leave RRset by RRset: those that only DNSSEC needs stay behind unless the client set
 * DO or asked for their type (RFC 3225, RFC 4035, section 3.2.1), addresses rotate within their
 * RRset, names are compressed against the question and against each other ({@link NameCompressor}).
 * What does not fit: additional records are left out silently (RFC 2181, section 9); anything else
 * empties the response and sets TC.
 *
 * <p>An entry may change under the reader's hands. Every length is bounded by the entry's end and
 * the response's limit, and what makes no sense ends the writing with {@link #TORN}; the caller
 * then looks again. One per reader; not thread-safe; allocates nothing.
 */
final class GeneralWriter {
    /** What was read is no sound entry. */
    static final int TORN = -1;

    private static final int RECORD_HEAD = 10;
    private static final int OPTION_HEAD = 4;
    private static final int EDE_OPTION = 15;
    private static final int FULL = -2;

    private final NameCompressor names;
    private QueryView query;
    private long reply;
    private int limit;
    private int at;
    private long from;
    private long end;
    private int ttl;
    private final int maxTtl;
    private int first;
    private final int[] counts = new int[3];
    private int rcode;
    private long reasons;
    private int reasonCount;
    private boolean stale;
    private int optAt;
    private int ownerAt;
    private int targetAt;

    GeneralWriter(long scratch, QueryView none, int maxTtl) {
        this.maxTtl = maxTtl;
        names = new NameCompressor(scratch);
        query = none;
    }

    /**
     * Writes the response.
     *
     * @param body where the entry's body begins
     * @param stale whether to say that the answer has expired
     * @param bound address that an entry cannot reach beyond
     * @return octets of the response, or {@link #TORN}
     */
    int write(
            QueryView query,
            int header,
            long body,
            long bound,
            int ttl,
            int first,
            boolean stale,
            long reply,
            int limit) {
        this.query = query;
        this.stale = stale;
        this.reply = reply;
        this.ttl = ttl;
        this.first = first;
        this.limit = limit - (query.hasEdns() ? AnswerWriter.OPT_LENGTH : 0);
        final int octets = GeneralLayout.varint(body);
        from = body + GeneralLayout.varintLength(octets);
        end = from + octets;
        if (octets < 0 || end > bound) {
            return TORN;
        }
        counts[0] = 0;
        counts[1] = 0;
        counts[2] = 0;
        ownerAt = 0;
        targetAt = 0;
        if (!readPrefix()) {
            return TORN;
        }
        at = query.questionEnd();
        AnswerWriter.head(query, 0, 0, 0, 0, reply);
        names.start(query, reply);
        int state = 0;
        while (from < end && state == 0) {
            state = group();
        }
        if (state == TORN || from > end) {
            return TORN;
        }
        final int flags =
                AnswerWriter.flags(query, (header & EntryLayout.AUTHENTICATED) != 0) | (rcode & 15);
        if (state == FULL) {
            optAt = query.questionEnd();
            return AnswerWriter.truncated(query, flags, reply);
        }
        return finish(flags);
    }

    private boolean readPrefix() {
        final int flags = Memory.getUnsignedByte(from);
        from += 1 + GeneralLayout.typeLength(GeneralLayout.type(from + 1));
        if ((flags & GeneralLayout.SUBNET) != 0) {
            from += GeneralLayout.subnetLength(from);
        }
        rcode = 0;
        if ((flags & GeneralLayout.RCODE) != 0) {
            rcode = varint() & 0xfff;
        }
        reasonCount = 0;
        if ((flags & GeneralLayout.REASONS) != 0) {
            reasonCount = Memory.getUnsignedByte(from++);
            reasons = from;
            for (int i = 0; i < reasonCount; i++) {
                from += 2;
                final int text = varint();
                if (text < 0 || text > end - from) {
                    return false;
                }
                from += text;
            }
        }
        return from <= end;
    }

    private int finish(int flags) {
        final boolean edns = query.hasEdns();
        AnswerWriter.header(query, flags, counts[0], counts[1], counts[2] + (edns ? 1 : 0), reply);
        if (!edns) {
            return at;
        }
        final int opt = at;
        optAt = at;
        at += AnswerWriter.opt(query, rcode >>> 4, reply + at);
        limit += AnswerWriter.OPT_LENGTH;
        from = reasons;
        for (int i = 0; i < reasonCount; i++) {
            final int code = Memory.getShortBE(from);
            from += 2;
            final int text = varint();
            if (text < 0 || from + text > end) {
                return TORN;
            }
            if (at + OPTION_HEAD + 2 + text <= limit) {
                final long out = reply + at;
                Memory.putShortBE(out, EDE_OPTION);
                Memory.putShortBE(out + 2, 2 + text);
                Memory.putShortBE(out + OPTION_HEAD, code);
                Memory.copy(from, out + OPTION_HEAD + 2, text);
                at += OPTION_HEAD + 2 + text;
            }
            from += text;
        }
        Memory.putShortBE(reply + opt + 9, at - opt - AnswerWriter.OPT_LENGTH);
        if (stale && at + AnswerWriter.staleReasonLength(rcode) <= limit) {
            at += AnswerWriter.staleReason(reply + opt, reply + at, rcode);
        }
        return at;
    }

    /** Where the OPT record of the response written last begins, if it has one. */
    int optAt() {
        return optAt;
    }

    private int varint() {
        final int value = GeneralLayout.varint(from);
        from += GeneralLayout.varintLength(value);
        return value;
    }

    /** Writes one RRset; 0, {@link #FULL} or {@link #TORN}. */
    private int group() {
        final int head = Memory.getUnsignedByte(from++);
        final int section = head & 3;
        final int type = GeneralLayout.type(from);
        from += GeneralLayout.typeLength(type);
        int recordClass = 1;
        if ((head & GeneralLayout.OTHER_CLASS) != 0) {
            recordClass = Memory.getShortBE(from);
            from += 2;
        }
        final int count = (head & GeneralLayout.MANY) != 0 ? varint() : 1;
        final int ownTtl = (head & GeneralLayout.OWN_TTL) != 0 ? varint() : 0;
        final int groupTtl = Math.min(maxTtl, ttl + ownTtl);
        if (section == 3 || count <= 0 || count > end - from + 1) {
            return TORN;
        }
        final RdataForm form = recordClass == 1 ? RdataForm.of(type) : RdataForm.OPAQUE;
        final int ownerCode = head >>> GeneralLayout.OWNER_SHIFT & GeneralLayout.OWNER_MASK;
        if (isHidden(type)) {
            return skipGroup(ownerCode, form, count);
        }
        final int checkpoint = at;
        final int state = records(ownerCode, type, recordClass, groupTtl, form, count);
        if (state == FULL && section == 2) {
            at = checkpoint;
            from = end;
            return 0;
        }
        counts[section] += state == 0 ? count : 0;
        return state;
    }

    private boolean isHidden(int type) {
        return !query.dnssecOk()
                && RecordType.isDnssec(type)
                && type != query.type()
                && query.type() != RecordType.ANY;
    }

    private int skipGroup(int ownerCode, RdataForm form, int count) {
        // the owner of a hidden group may be named by the next one, so its name is read, but not
        // written
        final int owner = readOwner(ownerCode);
        if (owner == TORN) {
            return TORN;
        }
        if (form.fixed() >= 0) {
            return TORN;
        }
        for (int i = 0; i < count; i++) {
            final int octets = varint();
            if (octets < 0 || octets > end - from) {
                return TORN;
            }
            from += octets;
        }
        return 0;
    }

    private int readOwner(int code) {
        switch (code) {
            case GeneralLayout.ASKED -> ownerAt = names.asked(0);
            case GeneralLayout.TARGET -> ownerAt = targetAt;
            case GeneralLayout.ANCESTOR -> ownerAt = names.asked(Memory.getUnsignedByte(from++));
            case GeneralLayout.SPELT -> {
                final long read = names.read(from, end);
                from += read;
                ownerAt = read == 0 ? TORN : NameCompressor.SPELT;
            }
            case GeneralLayout.SAME -> {}
            default -> ownerAt = TORN;
        }
        return ownerAt;
    }

    private int records(
            int ownerCode, int type, int recordClass, int groupTtl, RdataForm form, int count) {
        if (readOwner(ownerCode) == TORN) {
            return TORN;
        }
        final boolean rotates = form.fixed() > 0 && form.names() == 0;
        final long firstRdata = from;
        if (rotates && (long) form.fixed() * count > end - from) {
            return TORN;
        }
        final int start = rotates ? first % count : 0;
        for (int i = 0; i < count; i++) {
            if (from > end) {
                return TORN;
            }
            if (rotates) {
                from = firstRdata + (long) form.fixed() * ((start + i) % count);
            }
            if (at + MessageLayout.MAX_NAME + RECORD_HEAD > limit && tooLong(form)) {
                return FULL;
            }
            at = names.writeOwner(ownerAt, at, limit - RECORD_HEAD);
            if (at < 0) {
                return FULL;
            }
            if (ownerAt == NameCompressor.SPELT) {
                ownerAt = names.lastWritten();
            }
            final long head = reply + at;
            Memory.putIntBE(head, type << 16 | recordClass);
            Memory.putIntBE(head + 4, groupTtl);
            at += RECORD_HEAD;
            final int state = rdata(form, head + 8);
            if (state != 0) {
                return state;
            }
        }
        if (rotates) {
            from = firstRdata + (long) form.fixed() * count;
        }
        return from > end ? TORN : 0;
    }

    /** Whether not even the shortest owner leaves room for the next record. */
    private boolean tooLong(RdataForm form) {
        return at + 2 + RECORD_HEAD + Math.max(0, form.fixed()) > limit;
    }

    /** Writes rdata and its length; 0, {@link #FULL} or {@link #TORN}. */
    private int rdata(RdataForm form, long lengthAt) {
        final int start = at;
        if (form.fixed() < 0) {
            final int octets = varint();
            if (octets < 0 || octets > end - from) {
                return TORN;
            }
            if (at + octets > limit) {
                return FULL;
            }
            copy(octets);
        } else {
            if (at + form.fixed() + form.tail() > limit) {
                return FULL;
            }
            copy(form.fixed());
            for (int i = 0; i < form.names(); i++) {
                final long read = names.read(from, end);
                if (read == 0) {
                    return TORN;
                }
                from += read;
                at = names.write(at, limit - form.tail(), form.compressible());
                if (at < 0) {
                    return FULL;
                }
                targetAt = names.lastWritten();
            }
            copy(form.tail());
        }
        Memory.putShortBE(lengthAt, at - start);
        return 0;
    }

    private void copy(int octets) {
        if (octets > 0) {
            Memory.copy(from, reply + at, octets);
            from += octets;
            at += octets;
        }
    }
}
