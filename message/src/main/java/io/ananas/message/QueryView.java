package io.ananas.message;

/**
 * A client's query where it lies in native memory: one object per thread, moved from packet to
 * packet, no copies.
 *
 * <p>{@link #parse} looks at the whole message once and remembers where things are. What it
 * accepts: a header of 12 octets, QR 0, opcode QUERY, exactly one question (RFC 9619), no answer or
 * authority records, and an additional section in which at most one record is an OPT (RFC 6891)
 * with well-formed client subnet (RFC 7871) and cookie (RFC 7873) options; of several of these the
 * first counts. Octets behind the last record are ignored. Its work is bounded by the length of the
 * question and 512 labels, and no packet makes it throw.
 *
 * <p>Not thread-safe.
 */
public final class QueryView {
    /** The query is well formed and may be answered. */
    public static final int ANSWERABLE = 0;

    /** Not even a header, or a response sent to us: say nothing. */
    public static final int DROP = 1;

    /** A header but no sound message: answer FORMERR. */
    public static final int FORMERR = 2;

    /** An opcode other than QUERY: answer NOTIMP. */
    public static final int NOTIMP = 3;

    /** An EDNS version above 0: answer BADVERS (RFC 6891, section 6.1.3). */
    public static final int BADVERS = 4;

    private static final int NO_EDNS_PAYLOAD = 512;

    /** Labels and pointers in owners of the additional section, far more than any honest query. */
    private static final int MAX_LABELS = 512;

    private long address;
    private int length;
    private int head;
    private int nameLength;
    private int type;
    private int queryClass;
    private int payloadSize;
    private int optOffset;
    private boolean dnssecOk;
    private int ecsOffset;
    private int cookieOffset;
    private int labelsLeft;

    /**
     * Looks at {@code length} octets at {@code address}, which must stay readable while this view
     * is used.
     *
     * @return one of {@link #ANSWERABLE}, {@link #DROP}, {@link #FORMERR}, {@link #NOTIMP}, {@link
     *     #BADVERS}
     */
    public int parse(long address, int length) {
        this.address = address;
        this.length = length;
        nameLength = 0;
        type = 0;
        queryClass = 0;
        payloadSize = NO_EDNS_PAYLOAD;
        optOffset = 0;
        dnssecOk = false;
        ecsOffset = 0;
        cookieOffset = 0;
        head = length < MessageLayout.HEADER_LENGTH ? MessageLayout.QR : Memory.getIntBE(address);
        if ((head & MessageLayout.QR) != 0) {
            return DROP;
        }
        if ((head & MessageLayout.OPCODE_MASK) != 0) {
            return NOTIMP;
        }
        // QDCOUNT 1, ANCOUNT 0, NSCOUNT 0 in one comparison
        if (Memory.getLongBE(address, MessageLayout.QDCOUNT) >>> 16 != 0x0001_0000_0000L) {
            return FORMERR;
        }
        final int questionEnd = parseQuestion();
        if (questionEnd < 0) {
            return FORMERR;
        }
        final int additional = Memory.getShortBE(address, MessageLayout.ARCOUNT);
        return additional == 0 ? ANSWERABLE : parseAdditional(questionEnd, additional);
    }

    private int parseQuestion() {
        final long base = address;
        final int end = length;
        int at = MessageLayout.HEADER_LENGTH;
        while (true) {
            if (at >= end) {
                return -1;
            }
            final int label = Memory.getUnsignedByte(base + at);
            at++;
            if (label == 0) {
                break;
            }
            at += label;
            if (label > MessageLayout.MAX_LABEL
                    || at >= MessageLayout.HEADER_LENGTH + MessageLayout.MAX_NAME) {
                return -1;
            }
        }
        if (at + 4 > end) {
            return -1;
        }
        nameLength = at - MessageLayout.HEADER_LENGTH;
        final int typeAndClass = Memory.getIntBE(base + at);
        type = typeAndClass >>> 16;
        queryClass = typeAndClass & 0xffff;
        return at + 4;
    }

    private int parseAdditional(int start, int count) {
        int at = start;
        int result = ANSWERABLE;
        labelsLeft = MAX_LABELS;
        for (int i = 0; i < count; i++) {
            final int owner = at;
            at = skipOwner(owner);
            if (at < 0 || at + 10 > length) {
                return FORMERR;
            }
            final long record = address + at;
            final int dataEnd = at + 10 + Memory.getShortBE(record, 8);
            if (dataEnd > length) {
                return FORMERR;
            }
            if (Memory.getShortBE(record) == RecordType.OPT) {
                if (optOffset != 0 || at != owner + 1) {
                    return FORMERR;
                }
                optOffset = owner;
                payloadSize = Math.max(NO_EDNS_PAYLOAD, Memory.getShortBE(record, 2));
                dnssecOk = (Memory.getShortBE(record, 6) & MessageLayout.DO) != 0;
                if (Memory.getUnsignedByte(record, 5) != 0) {
                    result = BADVERS;
                } else if (!parseOptions(at + 10, dataEnd)) {
                    return FORMERR;
                }
            }
            at = dataEnd;
        }
        return result;
    }

    /** Checks the owner at {@code start}; returns where it ends, or -1 if it is unsound. */
    private int skipOwner(int start) {
        int at = start;
        int runStart = start;
        int end = -1;
        int octets = 1;
        while (at < length && --labelsLeft >= 0) {
            final int label = Memory.getUnsignedByte(address + at);
            if (label == 0) {
                return end < 0 ? at + 1 : end;
            }
            if (label <= MessageLayout.MAX_LABEL) {
                at += 1 + label;
                octets += 1 + label;
                if (octets > MessageLayout.MAX_NAME) {
                    return -1;
                }
            } else {
                if (label < 0xc0 || at + 1 >= length) {
                    return -1;
                }
                final int target = Memory.getShortBE(address + at) & 0x3fff;
                if (target >= runStart || target < MessageLayout.HEADER_LENGTH) {
                    return -1;
                }
                end = end < 0 ? at + 2 : end;
                runStart = target;
                at = target;
            }
        }
        return -1;
    }

    private boolean parseOptions(int start, int end) {
        int at = start;
        while (at < end) {
            if (at + 4 > end) {
                return false;
            }
            final int code = Memory.getShortBE(address + at);
            final int size = Memory.getShortBE(address + at + 2);
            if (at + 4 + size > end) {
                return false;
            }
            if (code == EdnsOption.CLIENT_SUBNET && ecsOffset == 0) {
                if (!isClientSubnet(address + at + 4, size)) {
                    return false;
                }
                ecsOffset = at;
            } else if (code == EdnsOption.COOKIE && cookieOffset == 0) {
                if (size != 8 && (size < 16 || size > 40)) {
                    return false;
                }
                cookieOffset = at;
            }
            at += 4 + size;
        }
        return true;
    }

    /** RFC 7871, section 6: known family, as many octets as the prefix needs, no bits behind it. */
    private static boolean isClientSubnet(long option, int size) {
        if (size < ClientSubnet.HEADER) {
            return false;
        }
        final int source = Memory.getUnsignedByte(option + 2);
        final int bitsInLast = source & 7;
        return source <= ClientSubnet.bits(Memory.getShortBE(option))
                && Memory.getUnsignedByte(option + 3) == 0
                && size == ClientSubnet.HEADER + (source + 7) / 8
                && (bitsInLast == 0
                        || (Memory.getUnsignedByte(option + size - 1) & 0xff >> bitsInLast) == 0);
    }

    /** Where the message begins. */
    public long address() {
        return address;
    }

    /** Octets of the message. */
    public int length() {
        return length;
    }

    /** The message id, 0 to 65,535. */
    public int id() {
        return head >>> 16;
    }

    /** The 16 flag bits of the header, see {@link MessageLayout}. */
    public int flags() {
        return head & 0xffff;
    }

    /** Where the name asked for begins, in the case the client used. */
    public long nameAddress() {
        return address + MessageLayout.HEADER_LENGTH;
    }

    /** Octets of the name with its root label, 1 to 255; 0 where the question could not be read. */
    public int nameLength() {
        return nameLength;
    }

    /**
     * Octets of header and question: the part that a response repeats. 12 where the question could
     * not be read or was not looked at (NOTIMP).
     */
    public int questionEnd() {
        return nameLength == 0
                ? MessageLayout.HEADER_LENGTH
                : MessageLayout.HEADER_LENGTH + nameLength + 4;
    }

    /** QTYPE. */
    public int type() {
        return type;
    }

    /** QCLASS. */
    public int queryClass() {
        return queryClass;
    }

    /** Whether an OPT record came with it, so that the response needs one. */
    public boolean hasEdns() {
        return optOffset != 0;
    }

    /** The client's UDP payload size, at least 512 (RFC 6891, section 6.2.3). */
    public int payloadSize() {
        return payloadSize;
    }

    /** The DO bit (RFC 3225). */
    public boolean dnssecOk() {
        return dnssecOk;
    }

    /** The RD bit. */
    public boolean recursionDesired() {
        return (flags() & MessageLayout.RD) != 0;
    }

    /** The CD bit (RFC 4035, section 3.2.2). */
    public boolean checkingDisabled() {
        return (flags() & MessageLayout.CD) != 0;
    }

    /**
     * Offset of the client subnet option (RFC 7871) in the message, at its code; 0 where there is
     * none.
     */
    public int ecsOffset() {
        return ecsOffset;
    }

    /**
     * Offset of the cookie option (RFC 7873) in the message, at its code; 0 where there is none.
     */
    public int cookieOffset() {
        return cookieOffset;
    }
}
