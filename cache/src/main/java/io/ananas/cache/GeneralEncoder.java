package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.message.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the body of an entry in the general form ({@link GeneralLayout}). Scratch of one encoder;
 * not thread-safe.
 */
final class GeneralEncoder {
    /** Octets of native scratch: a name with eight readable octets on both sides. */
    static final int SCRATCH = 16 + 256 + 8;

    private static final int FAILED = -1;
    private static final int BODY_LENGTH_ROOM = 3;
    private static final int GROUP_ROOM = 32 + NameCode.MAX_ENCODED;

    private final long name;
    private final long limit;
    private final byte[] expanded = new byte[MessageLayout.MAX_MESSAGE + 1];
    private final byte[] owner = new byte[MessageLayout.MAX_NAME];
    private final byte[] previousOwner = new byte[MessageLayout.MAX_NAME];
    private final byte[] target = new byte[MessageLayout.MAX_NAME];
    private int previousOwnerLength;
    private int targetLength;
    private final byte[] asked = new byte[MessageLayout.MAX_NAME];
    private int askedLength;
    private long at;

    GeneralEncoder(long scratch, long limit) {
        this.name = scratch + 16;
        this.limit = limit;
    }

    /**
     * Writes the body.
     *
     * @param subnet address of the subnet field, copied if the flags say that there is one
     * @return the address behind it; {@link #FAILED} if it does not fit
     */
    long encode(MessageView view, AnswerLifetime lifetime, int flags, long subnet, long body) {
        askedLength = view.expandName(view.questionName(), asked, 0);
        previousOwnerLength = 0;
        targetLength = 0;
        final long start = body + BODY_LENGTH_ROOM;
        at = start;
        final int rcode = view.responseCode();
        final List<MessageView.Reason> reasons = view.reasons();
        Memory.putByte(
                at++,
                flags
                        | (rcode == ResponseCode.NOERROR ? 0 : GeneralLayout.RCODE)
                        | (reasons.isEmpty() ? 0 : GeneralLayout.REASONS)
                        | (lifetime.isNegative() ? GeneralLayout.NEGATIVE : 0));
        at = GeneralLayout.putType(at, view.questionType());
        if ((flags & GeneralLayout.SUBNET) != 0) {
            final int octets = GeneralLayout.subnetLength(subnet);
            Memory.copy(subnet, at, octets);
            at += octets;
        }
        if (rcode != ResponseCode.NOERROR) {
            at = GeneralLayout.putVarint(at, rcode);
        }
        if (!putReasons(reasons) || !putGroups(view, lifetime)) {
            return FAILED;
        }
        return close(body, start);
    }

    /** Puts the length in front of the body, as short as it goes. */
    private long close(long body, long start) {
        final int length = (int) (at - start);
        final long moved = GeneralLayout.putVarint(body, length);
        Memory.copy(start, moved, length);
        return moved + length;
    }

    private boolean putReasons(List<MessageView.Reason> reasons) {
        if (!reasons.isEmpty()) {
            Memory.putByte(at++, reasons.size());
        }
        for (MessageView.Reason reason : reasons) {
            final byte[] text = reason.text().getBytes(StandardCharsets.UTF_8);
            if (at + text.length + GROUP_ROOM > limit || reasons.size() > 255) {
                return false;
            }
            Memory.putShortBE(at, reason.code());
            at = GeneralLayout.putVarint(at + 2, text.length);
            Memory.copyFrom(text, 0, at, text.length);
            at += text.length;
        }
        return true;
    }

    private boolean putGroups(MessageView view, AnswerLifetime lifetime) {
        int record = 0;
        while (record < view.recordCount()) {
            final int end = groupEnd(view, record);
            if (at + GROUP_ROOM > limit || !putGroup(view, record, end, lifetime)) {
                return false;
            }
            record = end;
        }
        return true;
    }

    /** The record behind the last one of the same section, owner, type, class and covered type. */
    private static int groupEnd(MessageView view, int first) {
        final int end = view.endRecord(view.section(first));
        int record = first + 1;
        while (record < end
                && view.type(record) == view.type(first)
                && view.recordClass(record) == view.recordClass(first)
                && covered(view, record) == covered(view, first)
                && view.sameName(view.ownerOffset(record), view.ownerOffset(first))) {
            record++;
        }
        return record;
    }

    /** The type that a signature is for; 0 for other records. */
    private static int covered(MessageView view, int record) {
        if (view.type(record) != RecordType.RRSIG || view.rdataLength(record) < 2) {
            return 0;
        }
        final int at = view.rdataOffset(record);
        return Wire.u16(view.message(), at);
    }

    private boolean putGroup(MessageView view, int first, int end, AnswerLifetime lifetime) {
        final int type = view.type(first);
        final int recordClass = view.recordClass(first);
        final int ownTtl = ttl(view, first, end, lifetime) - lifetime.seconds();
        final int ownerLength = view.expandName(view.ownerOffset(first), owner, 0);
        final int ownerCode = ownerCode(ownerLength);
        Memory.putByte(
                at++,
                view.section(first)
                        | ownerCode << GeneralLayout.OWNER_SHIFT
                        | (end - first == 1 ? 0 : GeneralLayout.MANY)
                        | (ownTtl == 0 ? 0 : GeneralLayout.OWN_TTL)
                        | (recordClass == RecordClass.IN ? 0 : GeneralLayout.OTHER_CLASS));
        at = GeneralLayout.putType(at, type);
        if (recordClass != RecordClass.IN) {
            Memory.putShortBE(at, recordClass);
            at += 2;
        }
        if (end - first > 1) {
            at = GeneralLayout.putVarint(at, end - first);
        }
        if (ownTtl != 0) {
            at = GeneralLayout.putVarint(at, ownTtl);
        }
        if (ownerCode == GeneralLayout.ANCESTOR) {
            Memory.putByte(at++, labels(asked, askedLength) - labels(owner, ownerLength));
        } else if (ownerCode == GeneralLayout.SPELT) {
            putName(owner, 0, ownerLength);
        }
        System.arraycopy(owner, 0, previousOwner, 0, ownerLength);
        previousOwnerLength = ownerLength;
        final RdataForm form =
                recordClass == RecordClass.IN ? RdataForm.of(type) : RdataForm.OPAQUE;
        for (int record = first; record < end; record++) {
            if (!putRdata(view, record, form)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The TTL of a group: the least in it (RFC 2181, section 5.2), within the bounds; a denial's
     * SOA as the denial.
     */
    private static int ttl(MessageView view, int first, int end, AnswerLifetime lifetime) {
        if (lifetime.isNegative()
                && view.type(first) == RecordType.SOA
                && view.section(first) == MessageView.AUTHORITY) {
            return lifetime.seconds();
        }
        long least = lifetime.longest();
        for (int record = first; record < end; record++) {
            least = Math.min(least, view.ttl(record));
        }
        return (int) Math.max(least, lifetime.seconds());
    }

    private int ownerCode(int length) {
        if (sameName(owner, length, asked, askedLength)) {
            return GeneralLayout.ASKED;
        }
        if (sameName(owner, length, previousOwner, previousOwnerLength)) {
            return GeneralLayout.SAME;
        }
        if (sameName(owner, length, target, targetLength)) {
            return GeneralLayout.TARGET;
        }
        return sharedLabels(owner, 0, length) == labels(owner, length)
                ? GeneralLayout.ANCESTOR
                : GeneralLayout.SPELT;
    }

    private boolean putRdata(MessageView view, int record, RdataForm form) {
        final int length = view.expandRdata(record, expanded, 0);
        if (length < 0 || at + length + 2L * NameCode.MAX_ENCODED + GROUP_ROOM > limit) {
            return false;
        }
        if (form.fixed() < 0) {
            at = GeneralLayout.putVarint(at, length);
            Memory.copyFrom(expanded, 0, at, length);
            at += length;
            return true;
        }
        Memory.copyFrom(expanded, 0, at, form.fixed());
        at += form.fixed();
        int from = form.fixed();
        for (int i = 0; i < form.names(); i++) {
            final int nameLength = nameLength(expanded, from);
            putName(expanded, from, nameLength);
            System.arraycopy(expanded, from, target, 0, nameLength);
            targetLength = nameLength;
            from += nameLength;
        }
        Memory.copyFrom(expanded, from, at, form.tail());
        at += form.tail();
        return true;
    }

    private void putName(byte[] wire, int from, int length) {
        final int shared = sharedLabels(wire, from, length);
        final int leading = skipLabels(wire, from, labels(wire, from, length) - shared) - from;
        Memory.putByte(at, shared);
        Memory.copyFrom(wire, from, name, length);
        at += 1 + NameCode.encode(name, leading, at + 1);
    }

    /** Labels, without the root, that a name shares with the end of the asked name. */
    private int sharedLabels(byte[] wire, int from, int length) {
        final int own = labels(wire, from, length);
        final int others = labels(asked, askedLength);
        for (int shared = Math.min(own, others); shared > 0; shared--) {
            final int a = skipLabels(wire, from, own - shared);
            final int b = skipLabels(asked, 0, others - shared);
            if (sameOctets(wire, a, from + length, asked, b, askedLength)) {
                return shared;
            }
        }
        return 0;
    }

    private static int labels(byte[] wire, int length) {
        return labels(wire, 0, length);
    }

    private static int labels(byte[] wire, int from, int length) {
        int labels = 0;
        for (int i = from; i < from + length - 1; i += 1 + wire[i]) {
            labels++;
        }
        return labels;
    }

    private static int skipLabels(byte[] wire, int from, int count) {
        int i = from;
        for (int left = count; left > 0; left--) {
            i += 1 + wire[i];
        }
        return i;
    }

    private static int nameLength(byte[] wire, int from) {
        int i = from;
        while (wire[i] != 0) {
            i += 1 + wire[i];
        }
        return i + 1 - from;
    }

    private static boolean sameName(byte[] a, int aLength, byte[] b, int bLength) {
        return sameOctets(a, 0, aLength, b, 0, bLength);
    }

    private static boolean sameOctets(
            byte[] a, int aFrom, int aEnd, byte[] b, int bFrom, int bEnd) {
        if (aEnd - aFrom != bEnd - bFrom) {
            return false;
        }
        for (int i = 0; i < aEnd - aFrom; i++) {
            if (lowerCase(a[aFrom + i]) != lowerCase(b[bFrom + i])) {
                return false;
            }
        }
        return true;
    }

    private static int lowerCase(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? octet + 32 : octet;
    }
}
