package io.ananas.message;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds a message, section by section, with compressed names (RFC 1035, section 4.1.4): for the
 * cold path and for tests.
 *
 * <p>Owner names are compressed, and names in rdata only of the types where RFC 3597, section 4,
 * permits it; a suffix that stands in the message in another case is used, as names compare so.
 *
 * <p>Nothing is written beyond the limit: a record that does not fit leaves the message as it was,
 * and the caller decides whether that means {@link #truncated()}. Room for the OPT record is set
 * aside by {@link #edns}. Not thread-safe.
 */
public final class MessageWriter {
    private static final int POINTER_REACH = 0x4000;
    private static final int NO_SECTION = -1;
    private static final int RECORD_FIXED = 10;

    private byte[] octets;
    private final int limit;
    private final Map<Name, Integer> suffixes = new HashMap<>();
    private boolean compress = true;
    private int at = MessageLayout.HEADER_LENGTH;
    private int section = NO_SECTION;
    private int responseCode;
    private @Nullable Edns edns;

    /** A writer of messages up to {@code limit} octets, 12 to 65,535. */
    public MessageWriter(int limit) {
        if (limit < MessageLayout.HEADER_LENGTH || limit > MessageLayout.MAX_MESSAGE) {
            throw new IllegalArgumentException(
                    "a message has 12 to 65535 octets, so its limit cannot be " + limit);
        }
        this.limit = limit;
        octets = new byte[Math.min(limit, 512)];
    }

    /** Writes every name in full. */
    public MessageWriter withoutCompression() {
        compress = false;
        return this;
    }

    /** Sets id and flags; bits of the response code in {@code flags} count. */
    public MessageWriter header(int id, int flags) {
        put16(MessageLayout.ID, id);
        put16(MessageLayout.FLAGS, flags & ~MessageLayout.RCODE_MASK);
        responseCode = flags & MessageLayout.RCODE_MASK;
        return this;
    }

    /** Sets the response code, 0 to 4,095; above 15 it needs {@link #edns}. */
    public MessageWriter responseCode(int code) {
        responseCode = code;
        return this;
    }

    /** Sets the TC bit. */
    public MessageWriter truncated() {
        put16(MessageLayout.FLAGS, Wire.u16(octets, MessageLayout.FLAGS) | MessageLayout.TC);
        return this;
    }

    /**
     * Adds a question.
     *
     * @throws IllegalStateException if a record came before, or it does not fit
     */
    public MessageWriter question(Name name, int type, int questionClass) {
        if (section != NO_SECTION) {
            throw new IllegalStateException("a question cannot stand behind a record");
        }
        if (at + name.length() + 4 > room()) {
            throw new IllegalStateException(
                    "a limit of " + limit + " octets has no room for the question");
        }
        reserve(name.length() + 4);
        putName(name, compress);
        put16(at, type);
        put16(at + 2, questionClass);
        at += 4;
        count(MessageLayout.QDCOUNT);
        return this;
    }

    /**
     * Adds a record.
     *
     * @param section {@link MessageView#ANSWER}, {@code AUTHORITY} or {@code ADDITIONAL}, never
     *     less than that of the record before
     * @param ttl seconds, 0 to 4,294,967,295
     * @param rdata with its names uncompressed
     * @return false, with nothing written, if it does not fit
     * @throws IllegalArgumentException if names in {@code rdata} are not sound
     */
    public boolean record(
            int section, Name owner, int type, int recordClass, long ttl, byte[] rdata) {
        if (section < this.section || section > MessageView.ADDITIONAL) {
            throw new IllegalStateException(
                    "section %d cannot stand behind section %d".formatted(section, this.section));
        }
        final int start = at;
        reserve(owner.length() + RECORD_FIXED + rdata.length);
        putName(owner, compress);
        put16(at, type);
        put16(at + 2, recordClass);
        put16(at + 4, (int) (ttl >>> 16));
        put16(at + 6, (int) ttl);
        at += RECORD_FIXED;
        final int rdataStart = at;
        putRdata(type, rdata);
        put16(rdataStart - 2, at - rdataStart);
        if (at > room()) {
            at = start;
            suffixes.values().removeIf(offset -> offset >= start);
            return false;
        }
        this.section = section;
        count(MessageLayout.ANCOUNT + 2 * section);
        return true;
    }

    /** Adds record {@code i} of a parsed message; see {@link #record}. */
    public boolean record(int section, MessageView from, int i) {
        return record(
                section,
                from.owner(i),
                from.type(i),
                from.recordClass(i),
                from.ttl(i),
                from.rdata(i));
    }

    /**
     * Puts an OPT record at the end of the message, in the place of one given before, and keeps
     * room for it from now on.
     *
     * @throws IllegalStateException if there is no room left
     */
    public MessageWriter edns(Edns edns) {
        this.edns = edns;
        if (at > room()) {
            throw new IllegalStateException(
                    "a limit of %d octets has no room for %d octets of OPT behind %d others"
                            .formatted(limit, edns.length(), at));
        }
        return this;
    }

    /** Octets of the message as it stands, with its OPT record. */
    public int length() {
        return at + (edns == null ? 0 : edns.length());
    }

    /** The message as it stands; the writer may go on. */
    public byte[] toByteArray() {
        final byte[] message = new byte[length()];
        System.arraycopy(octets, 0, message, 0, at);
        if (edns == null && responseCode > MessageLayout.RCODE_MASK) {
            throw new IllegalStateException(
                    ResponseCode.text(responseCode) + " needs an OPT record, and none was given");
        }
        message[MessageLayout.FLAGS + 1] |= (byte) (responseCode & MessageLayout.RCODE_MASK);
        if (edns != null) {
            writeOpt(edns, message);
        }
        return message;
    }

    private void writeOpt(Edns edns, byte[] message) {
        final int additional = Wire.u16(octets, MessageLayout.ARCOUNT) + 1;
        Wire.put16(message, MessageLayout.ARCOUNT, additional);
        int to = at + 1;
        Wire.put16(message, to, RecordType.OPT);
        Wire.put16(message, to + 2, edns.payloadSize());
        message[to + 4] = (byte) (responseCode >> 4);
        message[to + 5] = (byte) edns.version();
        Wire.put16(message, to + 6, edns.dnssecOk() ? MessageLayout.DO : 0);
        Wire.put16(message, to + 8, edns.length() - 1 - RECORD_FIXED);
        to += RECORD_FIXED;
        for (final EdnsOption option : edns.options()) {
            final byte[] data = option.data();
            Wire.put16(message, to, option.code());
            Wire.put16(message, to + 2, data.length);
            System.arraycopy(data, 0, message, to + 4, data.length);
            to += 4 + data.length;
        }
    }

    private void putRdata(int type, byte[] rdata) {
        int from = 0;
        for (int i = 0; i < RdataLayout.nameCount(type); i++) {
            final int name = i == 0 ? RdataLayout.firstName(rdata, type, 0, rdata.length) : from;
            if (name < 0) {
                throw new IllegalArgumentException(
                        "rdata of %s has no room for a name in %d octets"
                                .formatted(RecordType.text(type), rdata.length));
            }
            putOctets(rdata, from, name);
            final Name target = Name.ofWire(rdata, name);
            putName(target, compress && RdataLayout.mayCompress(type));
            from = name + target.length();
        }
        putOctets(rdata, from, rdata.length);
    }

    private void putOctets(byte[] source, int from, int end) {
        System.arraycopy(source, from, octets, at, end - from);
        at += end - from;
    }

    private void putName(Name name, boolean compressed) {
        Name rest = name;
        while (!rest.isRoot()) {
            final Integer known = suffixes.get(rest);
            if (known != null && compressed) {
                put16(at, 0xc000 | known);
                at += 2;
                return;
            }
            if (known == null && at < POINTER_REACH) {
                suffixes.put(rest, at);
            }
            final Name parent = rest.parent();
            final int label = rest.length() - parent.length();
            System.arraycopy(rest.wire(), 0, octets, at, label);
            at += label;
            rest = parent;
        }
        octets[at++] = 0;
    }

    private void reserve(int more) {
        if (at + more > octets.length) {
            octets = Arrays.copyOf(octets, Math.max(2 * octets.length, at + more));
        }
    }

    private int room() {
        return limit - (edns == null ? 0 : edns.length());
    }

    private void count(int offset) {
        put16(offset, Wire.u16(octets, offset) + 1);
    }

    private void put16(int offset, int value) {
        Wire.put16(octets, offset, value);
    }
}
