package io.ananas.benchmarks.ladder;

import io.ananas.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a heap cache: what all steps of the ladder have in common.
 *
 * <p>Key, value, bucket chain and the links of the policy are one object, as they are one
 * allocation in the reference; a map of separate keys and nodes would add some 60 to 100 octets to
 * every step alike.
 */
abstract sealed class HeapEntry permits Stage0Entry, Stage1Entry, OneListEntry, Stage5Entry {
    static final int FLAG_VALIDATED = 1;
    static final int FLAG_AUTHORITATIVE = 2;
    static final int FLAG_RECURSION = 4;
    static final int FLAG_NEGATIVE = 8;

    /** The next entry of the same bucket. */
    @Nullable HeapEntry chain;

    @Nullable HeapEntry newer;
    @Nullable HeapEntry older;
    final int hash;
    final int created;
    final int ttl;
    int hits;
    final short type;

    /** {@link ArcShard#RECENT} or {@link ArcShard#FREQUENT}. */
    byte list;

    final byte responseCode;

    HeapEntry(SourceAnswer source, int hash, int now) {
        this.hash = hash;
        created = now;
        ttl = source.ttl;
        type = (short) source.type;
        responseCode = (byte) source.responseCode;
    }

    /** Whether this is the entry that a query asks for. */
    abstract boolean answers(HeapQuery query);

    /** Whether this entry has the key of an answer. */
    abstract boolean sameKey(SourceAnswer source);

    /** Builds the whole response, TTLs decremented by the entry's age. */
    abstract void respond(HeapQuery query, int now, ResponseBuffer out);

    final boolean isExpired(int now) {
        return Integer.compareUnsigned(now - created, ttl) >= 0;
    }

    final int left(int recordTtl, int now) {
        return Math.max(0, recordTtl - (now - created));
    }

    static int headerFlags(boolean recursion, boolean authoritative, boolean validated, int rcode) {
        return MessageLayout.QR
                | MessageLayout.RD
                | (authoritative ? MessageLayout.AA : 0)
                | (recursion ? MessageLayout.RA : 0)
                | (validated ? MessageLayout.AD : 0)
                | (rcode & MessageLayout.RCODE_MASK);
    }

    static int flagsOf(SourceAnswer source) {
        return FLAG_RECURSION
                | (source.validated ? FLAG_VALIDATED : 0)
                | (source.authoritative ? FLAG_AUTHORITATIVE : 0)
                | (source.answersEnd == 0 ? FLAG_NEGATIVE : 0);
    }

    /** Whether a record stays out of the response: DNSSEC data that was not asked for. */
    static boolean isHidden(int recordType, HeapQuery query) {
        return SourceAnswer.isDnssec(recordType) && !query.dnssecOk && recordType != query.type;
    }

    static boolean sameTag(byte @Nullable [] a, byte @Nullable [] b) {
        return java.util.Arrays.equals(a, b);
    }

    static boolean sameName(byte[] name, HeapQuery query) {
        return java.util.Arrays.equals(
                name, 0, name.length, query.octets, query.nameAt, query.nameAt + query.nameLength);
    }

    static boolean sameName(byte[] name, SourceAnswer source) {
        return java.util.Arrays.equals(name, 0, name.length, source.octets, 0, source.nameLength);
    }
}
