package io.ananas.testkit;

import io.ananas.message.Name;
import io.ananas.message.RdataLayout;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.xbill.DNS.Master;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * One resource record of a test: owner, type, class, TTL, and rdata with its names uncompressed.
 *
 * <p>Immutable. Equal are records with the same owner (in any case), type, class, TTL, and rdata
 * but for the case of names that may be compressed.
 */
public final class ResourceRecord {
    private static final long DEFAULT_TTL = 300;

    private final Name owner;
    private final int type;
    private final int recordClass;
    private final long ttl;
    private final byte[] rdata;

    private ResourceRecord(Name owner, int type, int recordClass, long ttl, byte[] rdata) {
        this.owner = owner;
        this.type = type;
        this.recordClass = recordClass;
        this.ttl = ttl;
        this.rdata = rdata;
    }

    /** A record of class IN. */
    public static ResourceRecord of(Name owner, int type, long ttl, byte[] rdata) {
        return of(owner, type, RecordClass.IN, ttl, rdata);
    }

    /** Any record; {@code ttl} up to 4,294,967,295. */
    public static ResourceRecord of(Name owner, int type, int recordClass, long ttl, byte[] rdata) {
        return new ResourceRecord(owner, type, recordClass, ttl, rdata.clone());
    }

    /**
     * Records in master file form (RFC 1035, section 5), such as {@code "www.example.test. 300 IN A
     * 192.0.2.1"}; several lines, {@code $ORIGIN}, parentheses and {@code TYPE65300 \# 4 c00c0001}
     * are understood. Names without a dot at the end are below the root; a TTL left out is 300 s.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static List<ResourceRecord> parse(String text) {
        final List<ResourceRecord> records = new ArrayList<>();
        final byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        try (Master master =
                new Master(
                        new ByteArrayInputStream(octets), org.xbill.DNS.Name.root, DEFAULT_TTL)) {
            for (Record next = master.nextRecord(); next != null; next = master.nextRecord()) {
                records.add(of(next));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "no records in master file form: " + e.getMessage() + "\n" + text, e);
        }
        return List.copyOf(records);
    }

    private static ResourceRecord of(Record record) {
        final byte[] wire = record.toWire(Section.ANSWER);
        final Name owner = Name.ofWire(wire, 0);
        return new ResourceRecord(
                owner,
                record.getType(),
                record.getDClass(),
                record.getTTL(),
                Arrays.copyOfRange(wire, owner.length() + 10, wire.length));
    }

    public Name owner() {
        return owner;
    }

    public int type() {
        return type;
    }

    public int recordClass() {
        return recordClass;
    }

    /** Seconds, 0 to 4,294,967,295. */
    public long ttl() {
        return ttl;
    }

    /** A copy of the rdata. */
    public byte[] rdata() {
        return rdata.clone();
    }

    public ResourceRecord withTtl(long other) {
        return new ResourceRecord(owner, type, recordClass, other, rdata);
    }

    public ResourceRecord withOwner(Name other) {
        return new ResourceRecord(other, type, recordClass, ttl, rdata);
    }

    /** The rdata with names that may be compressed in lower case. */
    byte[] canonicalRdata() {
        final byte[] canonical = rdata.clone();
        int at = 0;
        for (int i = 0; i < RdataLayout.nameCount(type); i++) {
            at = i == 0 ? RdataLayout.firstName(rdata, type, 0, rdata.length) : at;
            if (at < 0) {
                return canonical;
            }
            at = Name.ofWire(rdata, at).toLowerCase().copyTo(canonical, at);
        }
        return canonical;
    }

    /** Owner, type and rdata: what it says, whatever its TTL. */
    public String brief() {
        return "%s %s %s".formatted(owner, RecordType.text(type), rdataText());
    }

    /** The rdata in master file form; where that fails in that of unknown types (RFC 3597). */
    public String rdataText() {
        try {
            return Record.newRecord(
                            new org.xbill.DNS.Name(owner.wire()), type, recordClass, 0, rdata)
                    .rdataToString();
        } catch (IOException | RuntimeException e) {
            return "\\# " + rdata.length + " " + HexFormat.of().formatHex(rdata);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResourceRecord that
                && that.type == type
                && that.recordClass == recordClass
                && that.ttl == ttl
                && that.owner.equals(owner)
                && Arrays.equals(that.canonicalRdata(), canonicalRdata());
    }

    @Override
    public int hashCode() {
        return 31 * (31 * owner.hashCode() + type) + Arrays.hashCode(canonicalRdata());
    }

    /** Master file form: owner, TTL, class, type, rdata. */
    @Override
    public String toString() {
        return owner
                + " "
                + ttl
                + " "
                + RecordClass.text(recordClass)
                + " "
                + RecordType.text(type)
                + " "
                + rdataText();
    }
}
