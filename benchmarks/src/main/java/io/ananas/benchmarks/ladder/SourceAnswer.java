package io.ananas.benchmarks.ladder;

import io.ananas.message.MessageView;
import io.ananas.message.RecordType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an entry is made from: a parsed answer, its names lower-cased and uncompressed, in one flat
 * buffer that is reused. The asked name stands at offset 0.
 *
 * <p>Not thread-safe. Valid until the next {@link #read}.
 */
final class SourceAnswer {
    private static final int MAX_RECORDS = 4_096;

    byte[] octets = new byte[1 << 17];
    int nameLength;
    int type;
    int responseCode;
    int ttl;
    boolean validated;
    boolean authoritative;
    byte @Nullable [] tag;
    int answersEnd;
    int authorityEnd;
    int count;
    List<MessageView.Reason> reasons = List.of();
    final int[] ownerAt = new int[MAX_RECORDS];
    final int[] ownerLength = new int[MAX_RECORDS];
    final int[] recordType = new int[MAX_RECORDS];
    final int[] recordClass = new int[MAX_RECORDS];
    final int[] recordTtl = new int[MAX_RECORDS];
    final int[] rdataAt = new int[MAX_RECORDS];
    final int[] rdataLength = new int[MAX_RECORDS];

    /**
     * Takes an answer.
     *
     * @param tag what else makes the key, such as the client's subnet; null for nothing
     */
    SourceAnswer read(MessageView view, byte @Nullable [] tag) {
        final byte[] out = octets;
        int at = view.expandName(view.questionName(), out, 0);
        lowerCase(out, 0, at);
        nameLength = at;
        type = view.questionType();
        responseCode = view.responseCode();
        validated = (view.flags() & 0x20) != 0;
        authoritative = false;
        this.tag = tag;
        answersEnd = view.endRecord(MessageView.ANSWER);
        authorityEnd = view.endRecord(MessageView.AUTHORITY);
        count = view.recordCount();
        reasons = view.hasEdns() ? view.reasons() : List.of();
        long least = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            at = readRecord(view, i, at);
            least = Math.min(least, view.ttl(i));
        }
        ttl = (int) least;
        return this;
    }

    private int readRecord(MessageView view, int i, int start) {
        final byte[] out = octets;
        int at = start;
        recordType[i] = view.type(i);
        recordClass[i] = view.recordClass(i);
        recordTtl[i] = (int) Math.min(Integer.MAX_VALUE, view.ttl(i));
        if (view.sameName(view.ownerOffset(i), view.questionName())) {
            ownerAt[i] = 0;
            ownerLength[i] = nameLength;
        } else {
            ownerAt[i] = at;
            at = view.expandName(view.ownerOffset(i), out, at);
            ownerLength[i] = at - ownerAt[i];
            lowerCase(out, ownerAt[i], at);
        }
        rdataAt[i] = at;
        final int end = view.expandRdata(i, out, at);
        if (end < 0) {
            throw new IllegalArgumentException("an answer of more than 128 KiB, uncompressed");
        }
        rdataLength[i] = end - at;
        return end;
    }

    private static void lowerCase(byte[] octets, int from, int to) {
        for (int i = from; i < to; i++) {
            if (octets[i] >= 'A' && octets[i] <= 'Z') {
                octets[i] = (byte) (octets[i] + 32);
            }
        }
    }

    boolean ownsRecord(int i) {
        return ownerAt[i] == 0;
    }

    byte[] name() {
        return Arrays.copyOf(octets, nameLength);
    }

    byte[] owner(int i) {
        return Arrays.copyOfRange(octets, ownerAt[i], ownerAt[i] + ownerLength[i]);
    }

    /** Whether a record goes to clients that asked for DNSSEC data only. */
    static boolean isDnssec(int type) {
        return type == RecordType.RRSIG || type == RecordType.NSEC || type == RecordType.NSEC3;
    }
}
