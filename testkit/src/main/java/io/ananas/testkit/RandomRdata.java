package io.ananas.testkit;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random rdata, well formed for its type, with names uncompressed. */
final class RandomRdata {
    /** Types that it knows, but for CNAME, DNAME, SOA and the signatures. */
    static final int[] TYPES = {
        RecordType.A,
        RecordType.AAAA,
        RecordType.NS,
        RecordType.PTR,
        RecordType.MX,
        RecordType.TXT,
        RecordType.SRV,
        RecordType.NAPTR,
        RecordType.CAA,
        RecordType.TLSA,
        RecordType.SSHFP,
        RecordType.DS,
        RecordType.DNSKEY,
        RecordType.NSEC3PARAM,
        RecordType.SVCB,
        RecordType.HTTPS,
        RecordType.RP,
        RecordType.AFSDB,
        RecordType.KX,
        RecordType.MINFO,
        RecordType.HINFO,
        RecordType.URI,
        65300
    };

    private final Random random;
    private final RandomNames names;
    private ByteArrayOutputStream out = new ByteArrayOutputStream();

    RandomRdata(Random random, RandomNames names) {
        this.random = random;
        this.names = names;
    }

    byte[] next(int type) {
        out = new ByteArrayOutputStream();
        switch (type) {
            case RecordType.A -> octets(4);
            case RecordType.AAAA -> octets(16);
            case RecordType.NS, RecordType.PTR, RecordType.CNAME, RecordType.DNAME -> name();
            case RecordType.MX, RecordType.AFSDB, RecordType.KX -> {
                octets(2);
                name();
            }
            case RecordType.RP, RecordType.MINFO -> {
                name();
                name();
            }
            case RecordType.SRV -> {
                octets(6);
                name();
            }
            case RecordType.TXT -> strings(1 + random.nextInt(4), 255);
            case RecordType.HINFO -> strings(2, 20);
            case RecordType.SVCB, RecordType.HTTPS -> serviceBinding();
            case RecordType.NAPTR -> naptr();
            case RecordType.SOA -> soa();
            default -> others(type);
        }
        return out.toByteArray();
    }

    private void others(int type) {
        switch (type) {
            case RecordType.CAA -> {
                u8(random.nextBoolean() ? 128 : 0);
                string("issue");
                octets(random.nextInt(40));
            }
            case RecordType.TLSA -> {
                u8(random.nextInt(4));
                u8(random.nextInt(2));
                u8(1);
                octets(32);
            }
            case RecordType.SSHFP -> {
                u8(4);
                u8(2);
                octets(32);
            }
            case RecordType.DS -> {
                octets(2);
                u8(13);
                u8(2);
                octets(32);
            }
            case RecordType.DNSKEY -> {
                u16(random.nextBoolean() ? 256 : 257);
                u8(3);
                u8(13);
                octets(64);
            }
            case RecordType.NSEC3PARAM -> nsec3Head();
            case RecordType.URI -> {
                octets(4);
                out.writeBytes("https://example.test/".getBytes(StandardCharsets.US_ASCII));
            }
            default -> octets(random.nextInt(60));
        }
    }

    /** A signature over {@code covered}. */
    byte[] signature(int covered, Name owner, long ttl) {
        out = new ByteArrayOutputStream();
        u16(covered);
        u8(13);
        u8(owner.labelCount());
        u32(ttl);
        u32(1_800_000_000L + random.nextInt(1_000_000));
        u32(1_700_000_000L + random.nextInt(1_000_000));
        octets(2);
        out.writeBytes(owner.isRoot() ? owner.wire() : owner.parent().wire());
        octets(random.nextBoolean() ? 64 : 256);
        return out.toByteArray();
    }

    byte[] nsec(Name next) {
        out = new ByteArrayOutputStream();
        out.writeBytes(next.wire());
        typeBitmap();
        return out.toByteArray();
    }

    byte[] nsec3() {
        out = new ByteArrayOutputStream();
        nsec3Head();
        u8(20);
        octets(20);
        typeBitmap();
        return out.toByteArray();
    }

    byte[] text(int strings, int lengthEach) {
        out = new ByteArrayOutputStream();
        for (int i = 0; i < strings; i++) {
            u8(lengthEach);
            octets(lengthEach);
        }
        return out.toByteArray();
    }

    private void nsec3Head() {
        u8(1);
        u8(random.nextInt(2));
        u16(random.nextInt(3));
        final int salt = random.nextInt(9);
        u8(salt);
        octets(salt);
    }

    private void typeBitmap() {
        u8(0);
        u8(6);
        octets(5);
        u8(1 + random.nextInt(255));
        u8(1);
        u8(1);
        u8(0x40);
    }

    private void soa() {
        name();
        name();
        octets(4);
        for (int i = 0; i < 4; i++) {
            u32(random.nextInt(100_000));
        }
    }

    private void naptr() {
        octets(4);
        string("u");
        string("E2U+sip");
        string(random.nextBoolean() ? "!^.*$!sip:info@example.com!" : "");
        name();
    }

    private void serviceBinding() {
        u16(random.nextInt(3));
        name();
        if (random.nextInt(4) == 0) {
            return;
        }
        u16(1);
        u16(6);
        string("h2");
        string("h3");
        if (random.nextBoolean()) {
            u16(3);
            u16(2);
            octets(2);
        }
        u16(4);
        u16(8);
        octets(8);
        if (random.nextBoolean()) {
            u16(6);
            u16(16);
            octets(16);
        }
    }

    private void strings(int count, int longest) {
        for (int i = 0; i < count; i++) {
            final int length = random.nextInt(longest + 1);
            u8(length);
            octets(length);
        }
    }

    private void string(String text) {
        u8(text.length());
        text.chars().forEach(out::write);
    }

    private void name() {
        out.writeBytes(names.next().wire());
    }

    private void octets(int count) {
        final byte[] octets = new byte[count];
        random.nextBytes(octets);
        out.writeBytes(octets);
    }

    private void u8(int value) {
        out.write(value);
    }

    private void u16(int value) {
        u8(value >> 8);
        u8(value);
    }

    private void u32(long value) {
        u16((int) (value >> 16));
        u16((int) value);
    }
}
