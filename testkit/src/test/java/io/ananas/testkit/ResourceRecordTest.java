package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceRecordTest {
    private static ResourceRecord one(String text) {
        final List<ResourceRecord> records = ResourceRecord.parse(text);
        assertThat(records).hasSize(1);
        return records.getFirst();
    }

    @Test
    void masterFileForm() {
        final ResourceRecord record = one("www 600 IN MX 10 Mail.example.test.");
        assertThat(record.owner()).isEqualTo(Name.of("www"));
        assertThat(record.type()).isEqualTo(RecordType.MX);
        assertThat(record.ttl()).isEqualTo(600);
        assertThat(record).hasToString("www. 600 IN MX 10 Mail.example.test.");
        assertThat(one("a. IN A 192.0.2.1").ttl()).isEqualTo(300);
        assertThat(one("a. 5 IN TYPE65300 \\# 4 c00c0001").rdata())
                .containsExactly(0xc0, 0x0c, 0, 1);
        assertThat(ResourceRecord.parse("$ORIGIN x.test.\n@ 1 A 192.0.2.1\nb 1 A 192.0.2.2"))
                .extracting(ResourceRecord::toString)
                .containsExactly("x.test. 1 IN A 192.0.2.1", "b.x.test. 1 IN A 192.0.2.2");
        assertThatThrownBy(() -> ResourceRecord.parse("a. 1 IN A 192.0.2.300"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("192.0.2.300");
    }

    @Test
    void equalityIsThatOfDns() {
        assertThat(one("A.test. 1 IN CNAME B.test.")).isEqualTo(one("a.TEST. 1 IN CNAME b.TEST."));
        assertThat(one("A.test. 1 IN CNAME B.test."))
                .hasSameHashCodeAs(one("a.TEST. 1 IN CNAME b.TEST."));
        assertThat(one("a. 1 IN TXT x")).isNotEqualTo(one("a. 1 IN TXT X"));
        assertThat(one("a. 1 IN TXT x")).isNotEqualTo(one("a. 2 IN TXT x"));
        assertThat(one("a. 1 IN TXT x").withTtl(4294967295L).ttl()).isEqualTo(4294967295L);
        assertThat(one("a. 1 IN TXT x").withOwner(Name.ROOT)).hasToString(". 1 IN TXT x");
    }

    @Test
    void rdataThatHasNoTextIsShownAsOctets() {
        final ResourceRecord broken =
                ResourceRecord.of(Name.ROOT, RecordType.SVCB, 1, new byte[] {1});
        assertThat(broken).hasToString(". 1 IN SVCB \\# 1 01");
    }
}
