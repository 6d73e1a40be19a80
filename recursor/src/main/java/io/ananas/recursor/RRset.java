package io.ananas.recursor;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.Wire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of one owner and type, with one TTL (RFC 2181, section 5), and the signatures over
 * them. Immutable; nobody changes the arrays.
 *
 * @param ttl seconds
 * @param rdatas without duplicates, with names uncompressed
 * @param signatures rdata of RRSIG records that cover {@code type}
 */
record RRset(Name owner, int type, long ttl, List<byte[]> rdatas, List<byte[]> signatures) {
    /** Where the number of labels stands in the rdata of RRSIG (RFC 4034, section 3.1). */
    private static final int SIGNATURE_LABELS = 3;

    RRset {
        rdatas = List.copyOf(rdatas);
        signatures = List.copyOf(signatures);
    }

    static RRset of(Name owner, int type, long ttl, byte[] rdata) {
        return new RRset(owner, type, ttl, List.of(rdata), List.of());
    }

    RRset withTtl(long other) {
        return other == ttl ? this : new RRset(owner, type, other, rdatas, signatures);
    }

    /** The name that the first record's rdata begins with; for NS, CNAME, DNAME, PTR, SOA. */
    Name target() {
        return Name.ofWire(rdatas.getFirst(), 0);
    }

    boolean is(Name name, int otherType) {
        return type == otherType && owner.equals(name);
    }

    /** Whether a wildcard made it: a signature over fewer labels than the owner has. */
    boolean isExpanded() {
        for (final byte[] signature : signatures) {
            final int labels = owner.isWildcard() ? owner.labelCount() - 1 : owner.labelCount();
            if (signature.length > SIGNATURE_LABELS
                    && (signature[SIGNATURE_LABELS] & 0xff) < labels) {
                return true;
            }
        }
        return false;
    }

    /** Octets of heap, about. */
    int weight() {
        int weight = 80 + owner.length();
        for (final byte[] rdata : rdatas) {
            weight += 24 + rdata.length;
        }
        for (final byte[] signature : signatures) {
            weight += 24 + signature.length;
        }
        return weight;
    }

    /** Writes all its records; false, with some of them written, if they do not fit. */
    boolean writeTo(MessageWriter writer, int section) {
        for (final byte[] rdata : rdatas) {
            if (!writer.record(section, owner, type, RecordClass.IN, ttl, rdata)) {
                return false;
            }
        }
        for (final byte[] signature : signatures) {
            if (!writer.record(section, owner, RecordType.RRSIG, RecordClass.IN, ttl, signature)) {
                return false;
            }
        }
        return true;
    }

    private record Key(Name owner, int type) {}

    private static final class Builder {
        private final Set<ByteBuffer> seen = new HashSet<>();
        private final List<byte[]> rdatas = new ArrayList<>(2);
        private final List<byte[]> signatures = new ArrayList<>(1);
        private long ttl = Long.MAX_VALUE;

        void add(List<byte[]> to, byte[] rdata, long recordTtl) {
            ttl = Math.min(ttl, recordTtl);
            if (seen.add(ByteBuffer.wrap(rdata))) {
                to.add(rdata);
            }
        }
    }

    /** The rdata of a record with its names uncompressed; null if it is too long like that. */
    private static byte @Nullable [] rdata(MessageView view, int record) {
        final byte[] room = new byte[view.rdataLength(record) + 2 * MessageLayout.MAX_NAME];
        final int end = view.expandRdata(record, room, 0);
        return end < 0 ? null : Arrays.copyOf(room, end);
    }

    /**
     * The RRsets of a section at and below {@code bailiwick}, in the order of their first records;
     * of unequal TTLs the lowest counts. Signatures without what they sign are left out, unless
     * they are asked for.
     *
     * @param signaturesAlone whether RRSIG records are an RRset like any other
     * @param longestTtl seconds; TTLs above it are cut, those with the high bit too (RFC 8767,
     *     section 4)
     */
    static List<RRset> read(
            MessageView view,
            int section,
            Name bailiwick,
            boolean signaturesAlone,
            long longestTtl) {
        final Map<Key, Builder> builders = new LinkedHashMap<>();
        for (int i = view.firstRecord(section); i < view.endRecord(section); i++) {
            final Name owner = view.owner(i);
            if (view.recordClass(i) != RecordClass.IN || !owner.isSubdomainOf(bailiwick)) {
                continue;
            }
            final byte[] rdata = rdata(view, i);
            if (rdata == null) {
                continue;
            }
            final boolean signature = view.type(i) == RecordType.RRSIG && !signaturesAlone;
            if (signature && rdata.length < 18) {
                continue;
            }
            final int type = signature ? Wire.u16(rdata, 0) : view.type(i);
            final Builder builder =
                    builders.computeIfAbsent(new Key(owner, type), key -> new Builder());
            builder.add(
                    signature ? builder.signatures : builder.rdatas,
                    rdata,
                    Math.min(view.ttl(i), longestTtl));
        }
        final List<RRset> sets = new ArrayList<>(builders.size());
        builders.forEach((key, builder) -> {
            if (!builder.rdatas.isEmpty()) {
                sets.add(
                        new RRset(
                                key.owner,
                                key.type,
                                builder.ttl,
                                builder.rdatas,
                                builder.signatures));
            }
        });
        return sets;
    }
}
