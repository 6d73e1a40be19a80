package io.ananas.cache;

import io.ananas.message.ClientSubnet;
import io.ananas.message.EdnsOption;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.message.Wire;

/**
 * Turns an answer into the octets of an entry, in scratch memory of its own: the short form where
 * it fits, otherwise the general one ({@link EntryLayout}).
 *
 * <p>Not thread-safe.
 */
final class AnswerEncoder {
    private static final int NAME_SCRATCH =
            16 + 256 + 8 + SubnetField.MAX_LENGTH + SubnetField.SLACK;
    private static final int TYPE_AND_CLASS = 4;
    private static final int POINTER_TO_QUESTION = 0xc00c;
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;
    private static final int FAILED = -1;

    private final long name;
    private final long subnet;
    private final long entry;
    private final AnswerLifetime lifetime;
    private final GeneralEncoder general;
    private final EntryKey key = new EntryKey();
    private int nameLength;
    private int flags;
    private long hash;
    private int length;

    /** Octets of scratch for entries of up to {@code maxEntry} octets. */
    static long scratch(int maxEntry) {
        return NAME_SCRATCH + entryScratch(maxEntry) + GeneralEncoder.SCRATCH;
    }

    private static long entryScratch(int maxEntry) {
        return (long) maxEntry + NameCode.MAX_ENCODED + 64;
    }

    AnswerEncoder(long scratch, CacheOptions options) {
        name = scratch + 16;
        subnet = scratch + 16 + 256 + 8;
        entry = scratch + NAME_SCRATCH;
        lifetime = new AnswerLifetime(options.bounds());
        general =
                new GeneralEncoder(
                        entry + entryScratch(options.maxEntry()), entry + options.maxEntry());
    }

    /**
     * Judges an answer and names it, so that {@link #hash} can be asked for; unless it {@link
     * Insertion#STORED may be stored}, says why not. What is left to do is to {@link #finish}.
     */
    Insertion begin(MessageView view, KeyHash hashes) {
        return begin(view, hashes, uncheckedFlag(view));
    }

    private static int uncheckedFlag(MessageView view) {
        return (view.flags() & MessageLayout.CD) != 0 ? GeneralLayout.UNCHECKED : 0;
    }

    private Insertion begin(MessageView view, KeyHash hashes, int flags) {
        final Insertion verdict = lifetime.judge(view);
        if (verdict == Insertion.STORED) {
            name(view, hashes, flags);
        }
        return verdict;
    }

    /** Encodes the answer that was begun. */
    Insertion finish(MessageView view, int now) {
        final long body = encodeName();
        int form = flags == 0 ? shortForm(view) : EntryLayout.GENERAL;
        long end = form == EntryLayout.GENERAL ? FAILED : encodeShort(view, body);
        if (end == FAILED) {
            form = EntryLayout.GENERAL;
            end = general.encode(view, lifetime, flags, subnet, body);
        }
        return close(view, form, end, now);
    }

    /** Encodes an answer that is good for the first {@code prefix} bits of a subnet only. */
    Insertion encode(MessageView view, ClientSubnet scope, int prefix, int now, KeyHash hashes) {
        SubnetField.put(subnet, scope, prefix);
        final Insertion verdict = begin(view, hashes, GeneralLayout.SUBNET | uncheckedFlag(view));
        return verdict == Insertion.STORED ? finish(view, now) : verdict;
    }

    /** Takes these bounds for the lifetime of what comes now. */
    void setBounds(TtlBounds bounds) {
        lifetime.setBounds(bounds);
    }

    /** Names the failure of a question, so that {@link #key} and {@link #hash} can be asked for. */
    void nameFailure(MessageView view, KeyHash hashes) {
        name(view, hashes, failureFlags(view));
    }

    /** What could not be validated may do for who does not want it to be: CD is part of the key. */
    private static int failureFlags(MessageView view) {
        return GeneralLayout.FAILURE | uncheckedFlag(view);
    }

    /** Encodes a failure that is to be remembered for so many seconds. */
    Insertion encodeFailure(MessageView view, int seconds, int now, KeyHash hashes) {
        lifetime.setFailure(seconds);
        name(view, hashes, failureFlags(view));
        final long end = general.encode(view, lifetime, flags, subnet, encodeName());
        return close(view, EntryLayout.GENERAL, end, now);
    }

    /**
     * Encodes the note that a question has answers for subnets; {@link ScopesLayout} stands at
     * {@link #scopes}.
     */
    void encodeScopes(MessageView view, int now, KeyHash hashes) {
        name(view, hashes, GeneralLayout.SCOPES | uncheckedFlag(view));
        final long body = encodeName();
        final int type = view.questionType();
        Memory.putByte(body, 1 + GeneralLayout.typeLength(type) + ScopesLayout.LENGTH);
        Memory.putByte(body + 1, flags);
        final long end = GeneralLayout.putType(body + 2, type);
        Memory.zero(end, ScopesLayout.LENGTH);
        close(view, EntryLayout.GENERAL, end + ScopesLayout.LENGTH, now);
    }

    /** The last octets of the entry encoded last, if that is a note of scopes. */
    long scopes() {
        return entry + length - ScopesLayout.LENGTH;
    }

    /**
     * Notes name, key and hash of a question. Its name is never compressed, as it is the first of
     * the message.
     */
    private void name(MessageView view, KeyHash hashes, int keyFlags) {
        final int from = view.questionName();
        final int type = view.questionType();
        flags = keyFlags;
        nameLength = view.questionEnd() - TYPE_AND_CLASS - from;
        Memory.copyFrom(view.message(), from, name, nameLength);
        key.set(name, nameLength, type, keyFlags);
        if ((keyFlags & GeneralLayout.SUBNET) != 0) {
            key.setSubnet(subnet);
        }
        hash = hashes.of(name, nameLength, type, EntryKey.variant(keyFlags, subnet));
    }

    /** Encodes the name; the address behind it. */
    private long encodeName() {
        final long code = entry + EntryLayout.HEADER;
        return code + NameCode.encode(name, nameLength - 1, code);
    }

    private Insertion close(MessageView view, int form, long end, int now) {
        if (end == FAILED) {
            return Insertion.TOO_LARGE;
        }
        Memory.putIntLE(
                entry,
                EntryLayout.header(
                        now + lifetime.seconds(),
                        Lifetime.classOf(lifetime.seconds()),
                        form,
                        (view.flags() & MessageLayout.AD) != 0));
        length = (int) (end - entry);
        return Insertion.STORED;
    }

    /** The prefix length and family of the subnet encoded last. */
    int prefix() {
        return Memory.getUnsignedByte(subnet + 1);
    }

    int family() {
        return Memory.getUnsignedByte(subnet);
    }

    int lifetime() {
        return lifetime.seconds();
    }

    /** Where the entry encoded last begins. */
    long entry() {
        return entry;
    }

    int length() {
        return length;
    }

    long hash() {
        return hash;
    }

    EntryKey key() {
        return key;
    }

    /** The short form that an answer has; {@link EntryLayout#GENERAL} if none. */
    private int shortForm(MessageView view) {
        final int type = view.questionType();
        final int count = view.recordCount();
        if (count == 0
                || count > EntryLayout.maxCount(type)
                || view.endRecord(MessageView.ANSWER) != count
                || view.responseCode() != ResponseCode.NOERROR
                || view.option(EdnsOption.EXTENDED_ERROR) != 0) {
            return EntryLayout.GENERAL;
        }
        for (int i = 0; i < count; i++) {
            if (view.type(i) != type
                    || view.recordClass(i) != RecordClass.IN
                    || !isAsked(view, view.ownerOffset(i))
                    || (type == RecordType.TXT && !isSingleString(view, i))) {
                return EntryLayout.GENERAL;
            }
        }
        return EntryLayout.firstForm(type) + count - 1;
    }

    private static boolean isSingleString(MessageView view, int record) {
        final int length = view.rdataLength(record);
        return length > 0 && (view.message()[view.rdataOffset(record)] & 0xff) == length - 1;
    }

    private static boolean isAsked(MessageView view, int owner) {
        return Wire.u16(view.message(), owner) == POINTER_TO_QUESTION
                || view.sameName(owner, view.questionName());
    }

    private static long encodeShort(MessageView view, long body) {
        final byte[] message = view.message();
        long at = body;
        for (int i = 0; i < view.recordCount(); i++) {
            final int octets = view.rdataLength(i);
            putRdata(message, view.rdataOffset(i), at, octets);
            at += octets;
        }
        return at;
    }

    private static void putRdata(byte[] message, int from, long to, int octets) {
        switch (octets) {
            case IPV4 -> Memory.putIntBE(to, Wire.i32(message, from));
            case IPV6 -> {
                Memory.putLongBE(to, Wire.i64(message, from));
                Memory.putLongBE(to, Long.BYTES, Wire.i64(message, from + Long.BYTES));
            }
            default -> Memory.copyFrom(message, from, to, octets);
        }
    }
}
