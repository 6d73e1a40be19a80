package io.ananas.cache;

import io.ananas.message.ClientSubnet;
import io.ananas.message.EdnsOption;
import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;

/**
 * Turns an answer into the octets of an entry, in scratch memory of its own: the short form where
 * it fits, otherwise the general one ({@link EntryLayout}).
 *
 * <p>Not thread-safe.
 */
final class AnswerEncoder {
    private static final int NAME_SCRATCH =
            16 + 256 + 8 + SubnetField.MAX_LENGTH + SubnetField.SLACK;
    private static final int FAILED = -1;

    private final long name;
    private final long subnet;
    private final long entry;
    private final AnswerLifetime lifetime;
    private final GeneralEncoder general;
    private final byte[] askedName = new byte[MessageLayout.MAX_NAME];
    private final EntryKey key = new EntryKey();
    private int askedLength;
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

    /** Encodes an answer; unless it {@link Insertion#STORED may be stored}, says why not. */
    Insertion encode(MessageView view, int now, KeyHash hashes) {
        return encode(view, now, hashes, uncheckedFlag(view));
    }

    private static int uncheckedFlag(MessageView view) {
        return (view.flags() & MessageLayout.CD) != 0 ? GeneralLayout.UNCHECKED : 0;
    }

    /** Encodes an answer that is good for the first {@code prefix} bits of a subnet only. */
    Insertion encode(MessageView view, ClientSubnet scope, int prefix, int now, KeyHash hashes) {
        SubnetField.put(subnet, scope, prefix);
        return encode(view, now, hashes, GeneralLayout.SUBNET | uncheckedFlag(view));
    }

    private Insertion encode(MessageView view, int now, KeyHash hashes, int flags) {
        final Insertion verdict = lifetime.judge(view);
        if (verdict != Insertion.STORED) {
            return verdict;
        }
        final long body = encodeName(view, hashes, flags);
        int form = flags == 0 ? shortForm(view) : EntryLayout.GENERAL;
        long end = form == EntryLayout.GENERAL ? FAILED : encodeShort(view, body);
        if (end == FAILED) {
            form = EntryLayout.GENERAL;
            end = general.encode(view, askedName, askedLength, lifetime, flags, subnet, body);
        }
        return close(view, form, end, now);
    }

    /** Takes these bounds for the lifetime of what comes now. */
    void setBounds(TtlBounds bounds) {
        lifetime.setBounds(bounds);
    }

    /** Names the failure of a question, so that {@link #key} and {@link #hash} can be asked for. */
    void nameFailure(MessageView view, KeyHash hashes) {
        encodeName(view, hashes, failureFlags(view));
    }

    /** What could not be validated may do for who does not want it to be: CD is part of the key. */
    private static int failureFlags(MessageView view) {
        return GeneralLayout.FAILURE | uncheckedFlag(view);
    }

    /** Encodes a failure that is to be remembered for so many seconds. */
    Insertion encodeFailure(MessageView view, int seconds, int now, KeyHash hashes) {
        lifetime.setFailure(seconds);
        final int flags = failureFlags(view);
        final long body = encodeName(view, hashes, flags);
        final long end =
                general.encode(view, askedName, askedLength, lifetime, flags, subnet, body);
        return close(view, EntryLayout.GENERAL, end, now);
    }

    /**
     * Encodes the note that a question has answers for subnets; {@link ScopesLayout} stands at
     * {@link #scopes}.
     */
    void encodeScopes(MessageView view, int now, KeyHash hashes) {
        final int flags = GeneralLayout.SCOPES | uncheckedFlag(view);
        final long body = encodeName(view, hashes, flags);
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

    private long encodeName(MessageView view, KeyHash hashes, int flags) {
        askedLength = view.expandName(view.questionName(), askedName, 0);
        Memory.copyFrom(askedName, 0, name, askedLength);
        final int nameLength = NameCode.encode(name, askedLength - 1, entry + EntryLayout.HEADER);
        final int type = view.questionType();
        key.set(name, askedLength, type, flags);
        if ((flags & GeneralLayout.SUBNET) != 0) {
            key.setSubnet(subnet);
        }
        hash = hashes.of(name, askedLength, type, EntryKey.variant(flags, subnet));
        return entry + EntryLayout.HEADER + nameLength;
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
                    || !view.sameName(view.ownerOffset(i), view.questionName())
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

    private long encodeShort(MessageView view, long body) {
        long at = body;
        final byte[] message = view.message();
        for (int i = 0; i < view.recordCount(); i++) {
            final int octets = view.rdataLength(i);
            Memory.copyFrom(message, view.rdataOffset(i), at, octets);
            at += octets;
        }
        return at;
    }
}
