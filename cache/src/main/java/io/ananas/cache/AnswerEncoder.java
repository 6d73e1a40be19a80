package io.ananas.cache;

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
    private static final int NAME_SCRATCH = 16 + 256 + 8;
    private static final int FAILED = -1;

    private final long name;
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
        entry = scratch + NAME_SCRATCH;
        lifetime = new AnswerLifetime(options);
        general =
                new GeneralEncoder(
                        entry + entryScratch(options.maxEntry()), entry + options.maxEntry());
    }

    /** Encodes an answer; unless it {@link Insertion#STORED may be stored}, says why not. */
    Insertion encode(MessageView view, int now, KeyHash hashes) {
        final Insertion verdict = lifetime.judge(view);
        if (verdict != Insertion.STORED) {
            return verdict;
        }
        askedLength = view.expandName(view.questionName(), askedName, 0);
        Memory.copyFrom(askedName, 0, name, askedLength);
        final int nameLength = NameCode.encode(name, askedLength - 1, entry + EntryLayout.HEADER);
        final boolean unchecked = (view.flags() & MessageLayout.CD) != 0;
        final int flags = unchecked ? GeneralLayout.UNCHECKED : 0;
        key.set(entry + EntryLayout.HEADER, nameLength, view.questionType(), flags);
        hash = hashes.of(name, askedLength, view.questionType(), EntryKey.variant(flags, 0));
        final long body = entry + EntryLayout.HEADER + nameLength;
        int form = unchecked ? EntryLayout.GENERAL : shortForm(view);
        long end = form == EntryLayout.GENERAL ? FAILED : encodeShort(view, body);
        if (end == FAILED) {
            form = EntryLayout.GENERAL;
            end = general.encode(view, askedName, askedLength, lifetime, flags, body);
        }
        if (end == FAILED) {
            return Insertion.TOO_LARGE;
        }
        final boolean authenticated = (view.flags() & MessageLayout.AD) != 0;
        Memory.putIntLE(
                entry,
                EntryLayout.header(
                        now + lifetime.seconds(),
                        Lifetime.classOf(lifetime.seconds()),
                        form,
                        authenticated));
        length = (int) (end - entry);
        return Insertion.STORED;
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
