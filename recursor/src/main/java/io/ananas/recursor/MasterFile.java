package io.ananas.recursor;

import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.Master;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;

/** Reads records in master file form (RFC 1035, section 5). */
final class MasterFile {
    private static final int RECORD_FIXED = 10;

    private MasterFile() {}

    static List<RRset> parse(String text, Name origin, long ttl) {
        final Map<QuestionKey, List<byte[]>> rdatas = new LinkedHashMap<>();
        final Map<QuestionKey, Long> ttls = new LinkedHashMap<>();
        final byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        try (Master master =
                new Master(
                        new ByteArrayInputStream(octets),
                        new org.xbill.DNS.Name(origin.wire()),
                        ttl)) {
            for (Record next = master.nextRecord(); next != null; next = master.nextRecord()) {
                add(next, rdatas, ttls);
            }
        } catch (TextParseException e) {
            throw new IllegalArgumentException("not in master file form: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("records cannot be read: " + e.getMessage(), e);
        }
        final List<RRset> sets = new ArrayList<>();
        rdatas.forEach((key, list) ->
                sets.add(
                        new RRset(
                                key.name(),
                                key.type(),
                                ttls.getOrDefault(key, ttl),
                                list,
                                List.of())));
        return sets;
    }

    private static void add(
            Record record, Map<QuestionKey, List<byte[]>> rdatas, Map<QuestionKey, Long> ttls) {
        if (record.getDClass() != RecordClass.IN) {
            throw new IllegalArgumentException("only class IN is served, and found: " + record);
        }
        final byte[] wire = record.toWire(Section.ANSWER);
        final Name owner = Name.ofWire(wire, 0);
        final byte[] rdata = new byte[wire.length - owner.length() - RECORD_FIXED];
        System.arraycopy(wire, wire.length - rdata.length, rdata, 0, rdata.length);
        final QuestionKey key = new QuestionKey(owner, record.getType());
        rdatas.computeIfAbsent(key, any -> new ArrayList<>()).add(rdata);
        ttls.merge(key, record.getTTL(), Math::min);
    }
}
