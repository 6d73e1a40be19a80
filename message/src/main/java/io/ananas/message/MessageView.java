package io.ananas.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole message, above all a response, where it lies in a byte array: parsed once into a flat
 * table of offsets, and moved from message to message without allocation once it is warm.
 *
 * <p><b>Sound or not.</b> {@link #parse} walks every octet that has a meaning: it follows every
 * owner name, every name in rdata that may come compressed ({@link RdataLayout}), checks rdata of
 * fixed length and the options of the OPT record. What it returned as sound can be read and
 * expanded without further checks; octets behind the last record are ignored.
 *
 * <p><b>Bounded work.</b> A message is hostile until parsed; {@link WireNames} says how the names
 * of one are kept from costing more than a fixed amount of work.
 *
 * <p><b>Table.</b> One int per record: the offset of its owner in the upper half, that of its rdata
 * in the lower. Type, class, TTL and RDLENGTH stand in the 10 octets before the rdata. The OPT
 * record is kept apart and is not counted as a record.
 *
 * <p>Not thread-safe. The array must not change while the view is used.
 */
public final class MessageView {
    public static final int ANSWER = 0;
    public static final int AUTHORITY = 1;
    public static final int ADDITIONAL = 2;

    private static final int RECORD_FIXED = 10;
    private static final int NO_EDNS_PAYLOAD = 512;
    private static final byte[] NOTHING = new byte[0];

    private byte[] message = NOTHING;
    private int length;
    private int[] records = new int[64];
    private int recordCount;
    private final int[] sectionEnd = new int[3];
    private int questionCount;
    private int questionEnd;
    private int end;
    private int opt;

    private final WireNames names = new WireNames();
    private final WireRdata rdatas = new WireRdata(names);

    /**
     * Looks at the first {@code length} octets of {@code message}, which the view keeps. Never
     * throws for anything they hold. After a fault, what came before it may be read: the header if
     * there is one, the question, and whether there was an OPT record.
     */
    public Fault parse(byte[] message, int length) {
        this.message = message;
        this.length = length;
        recordCount = 0;
        Arrays.fill(sectionEnd, 0);
        questionCount = 0;
        questionEnd = MessageLayout.HEADER_LENGTH;
        end = 0;
        opt = 0;
        if (length < MessageLayout.HEADER_LENGTH
                || length > MessageLayout.MAX_MESSAGE
                || length > message.length) {
            this.length = 0;
            return Fault.HEADER;
        }
        names.reset(message, length);
        rdatas.reset(message);
        Fault fault = parseQuestion();
        end = questionEnd;
        for (int section = ANSWER; section <= ADDITIONAL && fault == Fault.NONE; section++) {
            fault = parseSection(section);
        }
        return fault;
    }

    private Fault parseQuestion() {
        final int count = u16(MessageLayout.QDCOUNT);
        if (count != 1) {
            return count == 0 ? Fault.NONE : Fault.QUESTIONS;
        }
        final Fault fault = names.check(MessageLayout.HEADER_LENGTH);
        if (fault != Fault.NONE) {
            return fault;
        }
        if (names.end() + 4 > length) {
            return Fault.TRUNCATED;
        }
        questionCount = 1;
        questionEnd = names.end() + 4;
        return Fault.NONE;
    }

    private Fault parseSection(int section) {
        final int count = u16(MessageLayout.ANCOUNT + 2 * section);
        for (int i = 0; i < count; i++) {
            final Fault fault = parseRecord(section);
            if (fault != Fault.NONE) {
                return fault;
            }
        }
        sectionEnd[section] = recordCount;
        for (int later = section + 1; later <= ADDITIONAL; later++) {
            sectionEnd[later] = recordCount;
        }
        return Fault.NONE;
    }

    private Fault parseRecord(int section) {
        final int owner = end;
        final Fault ownerFault = names.check(owner);
        if (ownerFault != Fault.NONE) {
            return ownerFault;
        }
        final int rdata = names.end() + RECORD_FIXED;
        if (rdata > length || rdata + u16(rdata - 2) > length) {
            return Fault.TRUNCATED;
        }
        final int type = u16(rdata - RECORD_FIXED);
        final int rdataEnd = rdata + u16(rdata - 2);
        end = rdataEnd;
        if (type == RecordType.OPT) {
            return parseOpt(section, owner, rdata, rdataEnd);
        }
        if (recordCount == records.length) {
            records = Arrays.copyOf(records, 2 * records.length);
        }
        records[recordCount++] = owner << 16 | rdata;
        return rdatas.check(type, u16(rdata - 8), rdata, rdataEnd);
    }

    private Fault parseOpt(int section, int owner, int rdata, int rdataEnd) {
        if (opt != 0 || section != ADDITIONAL || owner + 1 + RECORD_FIXED != rdata) {
            return Fault.EDNS;
        }
        opt = rdata;
        return rdatas.checkOptions(rdata, rdataEnd);
    }

    private int u16(int at) {
        return Wire.u16(message, at);
    }

    /** The array that was parsed. */
    public byte[] message() {
        return message;
    }

    /** Octets of it that belong to the message; 0 if there was not even a header. */
    public int length() {
        return length;
    }

    /** Where the last record ends; octets behind it have no meaning. */
    public int end() {
        return end;
    }

    /** The message id, 0 to 65,535; 0 without a header. */
    public int id() {
        return length == 0 ? 0 : u16(MessageLayout.ID);
    }

    /** The 16 flag bits of the header, see {@link MessageLayout}; 0 without a header. */
    public int flags() {
        return length == 0 ? 0 : u16(MessageLayout.FLAGS);
    }

    /** All 12 bits of the response code: 4 of the header and 8 of the OPT record. */
    public int responseCode() {
        final int low = flags() & MessageLayout.RCODE_MASK;
        return opt == 0 ? low : (message[opt - 6] & 0xff) << 4 | low;
    }

    /** 0 or 1. */
    public int questionCount() {
        return questionCount;
    }

    /** Where the question's name begins; meaningful if there is a question. */
    public int questionName() {
        return MessageLayout.HEADER_LENGTH;
    }

    /** QTYPE; 0 without a question. */
    public int questionType() {
        return questionCount == 0 ? 0 : u16(questionEnd - 4);
    }

    /** QCLASS; 0 without a question. */
    public int questionClass() {
        return questionCount == 0 ? 0 : u16(questionEnd - 2);
    }

    /** Octets of header and question. */
    public int questionEnd() {
        return questionEnd;
    }

    /** Records of all sections, without OPT. */
    public int recordCount() {
        return recordCount;
    }

    /** Index of the first record of a section. */
    public int firstRecord(int section) {
        return section == ANSWER ? 0 : sectionEnd[section - 1];
    }

    /** Index behind the last record of a section; equals {@link #firstRecord} for an empty one. */
    public int endRecord(int section) {
        return sectionEnd[section];
    }

    /** {@link #ANSWER}, {@link #AUTHORITY} or {@link #ADDITIONAL}. */
    public int section(int record) {
        return record < sectionEnd[ANSWER]
                ? ANSWER
                : record < sectionEnd[AUTHORITY] ? AUTHORITY : ADDITIONAL;
    }

    /** Where the owner name of a record begins. */
    public int ownerOffset(int record) {
        return records[record] >>> 16;
    }

    public int type(int record) {
        return u16(rdataOffset(record) - RECORD_FIXED);
    }

    public int recordClass(int record) {
        return u16(rdataOffset(record) - 8);
    }

    /** The TTL as it stands, 0 to 4,294,967,295; above 2^31-1 it counts as 0 (RFC 2181, s. 8). */
    public long ttl(int record) {
        return Wire.i32(message, rdataOffset(record) - 6) & 0xffff_ffffL;
    }

    public int rdataOffset(int record) {
        return records[record] & 0xffff;
    }

    public int rdataLength(int record) {
        return u16(rdataOffset(record) - 2);
    }

    public boolean hasEdns() {
        return opt != 0;
    }

    /** Where the OPT record begins, at its owner; 0 without EDNS. */
    public int optOffset() {
        return opt == 0 ? 0 : opt - RECORD_FIXED - 1;
    }

    /** Octets of the whole OPT record; 0 without EDNS. */
    public int optLength() {
        return opt == 0 ? 0 : 1 + RECORD_FIXED + u16(opt - 2);
    }

    /** UDP payload size of the sender, at least 512; 512 without EDNS. */
    public int payloadSize() {
        return opt == 0 ? NO_EDNS_PAYLOAD : Math.max(NO_EDNS_PAYLOAD, u16(opt - 8));
    }

    public int ednsVersion() {
        return opt == 0 ? 0 : message[opt - 5] & 0xff;
    }

    /** The DO bit (RFC 3225). */
    public boolean dnssecOk() {
        return opt != 0 && (u16(opt - 4) & MessageLayout.DO) != 0;
    }

    /** Where the first EDNS option begins, at its code; 0 if there is none. */
    public int firstOption() {
        return opt == 0 || u16(opt - 2) == 0 ? 0 : opt;
    }

    /** Where the option behind the one at {@code option} begins; 0 if there is none. */
    public int nextOption(int option) {
        final int next = optionData(option) + optionLength(option);
        return next < opt + u16(opt - 2) ? next : 0;
    }

    /** Where the first option with this code begins; 0 if there is none. */
    public int option(int code) {
        int option = firstOption();
        while (option != 0 && optionCode(option) != code) {
            option = nextOption(option);
        }
        return option;
    }

    public int optionCode(int option) {
        return u16(option);
    }

    public int optionLength(int option) {
        return u16(option + 2);
    }

    /** Where the octets of the option begin. */
    public int optionData(int option) {
        return option + 4;
    }

    /** The client subnet; null if there is none or it is malformed. */
    public @Nullable ClientSubnet clientSubnet() {
        final int option = option(EdnsOption.CLIENT_SUBNET);
        return option == 0
                ? null
                : ClientSubnet.parse(message, optionData(option), optionLength(option));
    }

    /** The Extended DNS Errors (RFC 8914), in order; ones without an INFO-CODE are left out. */
    public List<Reason> reasons() {
        final List<Reason> reasons = new ArrayList<>(1);
        for (int option = firstOption(); option != 0; option = nextOption(option)) {
            if (optionCode(option) == EdnsOption.EXTENDED_ERROR && optionLength(option) >= 2) {
                final String text =
                        new String(
                                message,
                                optionData(option) + 2,
                                optionLength(option) - 2,
                                StandardCharsets.UTF_8);
                reasons.add(new Reason(u16(optionData(option)), text));
            }
        }
        return reasons;
    }

    /**
     * An Extended DNS Error as it came.
     *
     * @param code INFO-CODE, see {@link ExtendedError#of}
     * @param text EXTRA-TEXT, maybe empty; from elsewhere, so not to be trusted
     */
    public record Reason(int code, String text) {}

    /**
     * Copies the name at {@code offset} uncompressed, in its case, to {@code target}, which needs
     * room for 255 octets behind {@code at}.
     *
     * @param offset of a question, an owner, or a name in rdata that {@link #parse} has checked
     * @return the position behind the copy; -1 if no sound name stands there
     */
    public int expandName(int offset, byte[] target, int at) {
        return names.expand(offset, target, at);
    }

    /** Where the octets of the name at {@code offset} end, compressed or not; -1 if unsound. */
    public int skipName(int offset) {
        return names.skip(offset);
    }

    /**
     * Copies the rdata of a record with the names in it uncompressed ({@link RdataLayout}); that of
     * other types as it stands.
     *
     * @return the position behind the copy; -1 if {@code target} has no room for it or it has grown
     *     beyond 65,535 octets
     */
    public int expandRdata(int record, byte[] target, int at) {
        final int rdata = rdataOffset(record);
        final int rdataEnd = rdata + rdataLength(record);
        return rdatas.expand(type(record), rdata, rdataEnd, target, at);
    }

    /**
     * The name at {@code offset}.
     *
     * @throws IllegalArgumentException if no sound name stands there
     */
    public Name name(int offset) {
        final int length = names.expandedLength(offset);
        if (length < 0) {
            throw new IllegalArgumentException("no sound name at offset " + offset);
        }
        final byte[] wire = new byte[length];
        names.expand(offset, wire, 0);
        return Name.trusted(wire);
    }

    /** The owner name of a record. */
    public Name owner(int record) {
        return name(ownerOffset(record));
    }

    /** The rdata of a record with its names uncompressed. */
    public byte[] rdata(int record) {
        final int room = rdataLength(record) + 2 * MessageLayout.MAX_NAME;
        final byte[] rdata = new byte[room];
        final int rdataEnd = expandRdata(record, rdata, 0);
        if (rdataEnd < 0) {
            throw new IllegalStateException("rdata of more than 65535 octets, uncompressed");
        }
        return Arrays.copyOf(rdata, rdataEnd);
    }

    /** Whether two checked names are equal but for the case of ASCII letters. */
    public boolean sameName(int offsetA, int offsetB) {
        return names.same(offsetA, offsetB);
    }
}
