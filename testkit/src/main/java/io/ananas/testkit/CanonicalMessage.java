package io.ananas.testkit;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.message.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * Compares the contents of two messages as DNS sees them: names in any case, compression of no
 * account, the order of records within an RRset free, RRsets in their order within a section. TTLs
 * are what a function makes of the expected ones.
 *
 * <p>Of the signatures of an owner those over each type count as an RRset of their own. Message ids
 * are not compared.
 */
public final class CanonicalMessage {
    /** QR, opcode, AA, TC, RD, RA, Z, AD, CD. */
    public static final int ALL_FLAGS = 0xfff0;

    private record Key(Name owner, int type, int recordClass, int covered) {
        @Override
        public String toString() {
            return owner
                    + " "
                    + RecordClass.text(recordClass)
                    + " "
                    + RecordType.text(type)
                    + (covered == 0 ? "" : " over " + RecordType.text(covered));
        }
    }

    private final DnsMessage expected;
    private final DnsMessage actual;
    private final LongUnaryOperator ttl;
    private final List<String> differences = new ArrayList<>();

    private CanonicalMessage(DnsMessage expected, DnsMessage actual, LongUnaryOperator ttl) {
        this.expected = expected;
        this.actual = actual;
        this.ttl = ttl;
    }

    /**
     * What is different between two messages, a line each; empty if nothing is.
     *
     * @param flags the header flags that count, see {@link MessageLayout}
     * @param ttl the TTL that is expected in the place of one in {@code expected}
     */
    public static String diff(
            DnsMessage expected, DnsMessage actual, int flags, LongUnaryOperator ttl) {
        final CanonicalMessage comparison = new CanonicalMessage(expected, actual, ttl);
        comparison.header(flags);
        for (int section = MessageView.ANSWER; section <= MessageView.ADDITIONAL; section++) {
            comparison.section(section);
        }
        return String.join("\n", comparison.differences);
    }

    /** What is different, with all flags and the TTLs as they stand, and the options of EDNS. */
    public static String diff(DnsMessage expected, DnsMessage actual) {
        final String records = diff(expected, actual, ALL_FLAGS, LongUnaryOperator.identity());
        return Objects.equals(expected.edns(), actual.edns())
                ? records
                : records + "\nedns: expected " + expected.edns() + ", found " + actual.edns();
    }

    private void header(int mask) {
        if (expected.responseCode() != actual.responseCode()) {
            differences.add(
                    "response code: expected %s, found %s"
                            .formatted(
                                    ResponseCode.text(expected.responseCode()),
                                    ResponseCode.text(actual.responseCode())));
        }
        if ((expected.flags() & mask) != (actual.flags() & mask)) {
            differences.add(
                    "flags: expected 0x%04x, found 0x%04x"
                            .formatted(expected.flags() & mask, actual.flags() & mask));
        }
        if (!Objects.equals(expected.question(), actual.question())) {
            differences.add(
                    "question: expected %s, found %s"
                            .formatted(expected.question(), actual.question()));
        }
    }

    private void section(int section) {
        final String title = List.of("answer", "authority", "additional").get(section);
        final Map<Key, List<ResourceRecord>> wanted = rrsets(expected.section(section));
        final Map<Key, List<ResourceRecord>> found = rrsets(actual.section(section));
        wanted.forEach((key, records) -> {
            if (found.containsKey(key)) {
                rrset(title + ", " + key, records, found.get(key));
            } else {
                differences.add(title + ": " + key + " is missing: " + records);
            }
        });
        found.forEach((key, records) -> {
            if (!wanted.containsKey(key)) {
                differences.add(title + ": " + key + " is too many: " + records);
            }
        });
        final List<Key> order = new ArrayList<>(found.keySet());
        if (wanted.keySet().equals(found.keySet()) && !order.equals(List.copyOf(wanted.keySet()))) {
            differences.add(
                    title + ": expected the RRsets as " + wanted.keySet() + ", found " + order);
        }
    }

    private void rrset(String title, List<ResourceRecord> wanted, List<ResourceRecord> found) {
        final List<ResourceRecord> left = new ArrayList<>(found);
        for (final ResourceRecord record : wanted) {
            final ResourceRecord aged = record.withTtl(ttl.applyAsLong(record.ttl()));
            if (!left.remove(aged)) {
                differences.add(title + ": expected " + aged + ", found " + sameRdata(aged, found));
            }
        }
        if (found.size() > wanted.size()) {
            differences.add(
                    "%s: expected %d records, found %d, among them %s"
                            .formatted(title, wanted.size(), found.size(), left));
        }
    }

    private static Object sameRdata(ResourceRecord record, List<ResourceRecord> found) {
        return found.stream()
                .filter(one -> Arrays.equals(one.canonicalRdata(), record.canonicalRdata()))
                .findFirst()
                .<Object>map(one -> "it with TTL " + one.ttl())
                .orElse(found);
    }

    private static Map<Key, List<ResourceRecord>> rrsets(List<ResourceRecord> records) {
        final Map<Key, List<ResourceRecord>> rrsets = new LinkedHashMap<>();
        for (final ResourceRecord record : records) {
            final byte[] rdata = record.rdata();
            final int covered =
                    record.type() == RecordType.RRSIG && rdata.length > 1 ? Wire.u16(rdata, 0) : 0;
            final Key key = new Key(record.owner(), record.type(), record.recordClass(), covered);
            rrsets.computeIfAbsent(key, absent -> new ArrayList<>()).add(record);
        }
        return rrsets;
    }
}
