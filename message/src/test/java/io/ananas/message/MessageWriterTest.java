package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageWriterTest {
    private static final Name WWW = Name.of("www.Example.test");
    private static final Name ZONE = Name.of("example.test");

    private final MessageView view = new MessageView();

    private static MessageWriter start(int limit) {
        return new MessageWriter(limit)
                .header(0x1234, MessageLayout.QR | MessageLayout.RD | MessageLayout.RA)
                .question(WWW, RecordType.A, RecordClass.IN);
    }

    private static byte[] octets(int... values) {
        final byte[] octets = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            octets[i] = (byte) values[i];
        }
        return octets;
    }

    private void parse(byte[] message) {
        assertThat(view.parse(message, message.length)).isEqualTo(Fault.NONE);
        assertThat(view.end()).isEqualTo(message.length);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        final MessageWriter writer = start(4096);
        writer.record(0, WWW, RecordType.A, RecordClass.IN, 300, octets(192, 0, 2, 1));
        writer.record(1, ZONE, RecordType.NS, RecordClass.IN, 4294967295L, WWW.wire());
        writer.record(2, WWW, 65300, RecordClass.IN, 5, octets(0xc0, 0x0c, 0, 1));
        writer.edns(Edns.of(1232, true).with(EdnsOption.of(65001, octets(1, 2, 3))));
        writer.responseCode(ResponseCode.BADCOOKIE);
        final byte[] message = writer.toByteArray();
        parse(message);

        assertThat(view.id()).isEqualTo(0x1234);
        assertThat(view.flags() & MessageLayout.QR).isNotZero();
        assertThat(view.responseCode()).isEqualTo(ResponseCode.BADCOOKIE);
        assertThat(view.questionCount()).isEqualTo(1);
        assertThat(view.name(view.questionName())).hasToString("www.Example.test.");
        assertThat(view.questionType()).isEqualTo(RecordType.A);
        assertThat(view.questionClass()).isEqualTo(RecordClass.IN);
        assertThat(view.recordCount()).isEqualTo(3);
        for (int section = 0; section < 3; section++) {
            assertThat(view.firstRecord(section)).isEqualTo(section);
            assertThat(view.endRecord(section)).isEqualTo(section + 1);
            assertThat(view.section(section)).isEqualTo(section);
        }
        assertThat(view.ttl(0)).isEqualTo(300);
        assertThat(view.ttl(1)).isEqualTo(4294967295L);
        assertThat(view.rdata(1)).isEqualTo(WWW.wire());
        assertThat(view.rdataLength(1)).as("compressed").isEqualTo(2);
        assertThat(view.rdata(2)).isEqualTo(octets(0xc0, 0x0c, 0, 1));
        assertThat(view.sameName(view.ownerOffset(0), view.questionName())).isTrue();
        assertThat(view.sameName(view.ownerOffset(1), view.questionName())).isFalse();
        assertThat(view.dnssecOk()).isTrue();
        assertThat(view.payloadSize()).isEqualTo(1232);
        final int option = view.option(65001);
        assertThat(view.optionLength(option)).isEqualTo(3);
        assertThat(message[view.optionData(option)]).isEqualTo((byte) 1);
    }

    @Test
    void compressesOnlyWhereItIsPermitted() {
        final MessageWriter writer = start(4096);
        final byte[] srv = Arrays.copyOf(octets(0, 1, 0, 2, 0, 53), 6 + WWW.length());
        WWW.copyTo(srv, 6);
        writer.record(0, WWW, RecordType.SRV, RecordClass.IN, 1, srv);
        writer.record(0, WWW, RecordType.DNAME, RecordClass.IN, 1, WWW.wire());
        parse(writer.toByteArray());
        assertThat(view.rdataLength(0)).isEqualTo(srv.length);
        assertThat(view.rdataLength(1)).isEqualTo(WWW.length());
        assertThat(view.rdata(0)).isEqualTo(srv);
    }

    @Test
    void suffixesAreFoundInAnyCase() {
        final MessageWriter writer = start(4096);
        writer.record(0, Name.of("mail.EXAMPLE.TEST"), 16, 1, 0, octets(0));
        final byte[] message = writer.toByteArray();
        assertThat(message).hasSize(12 + 18 + 4 + 5 + 2 + 10 + 1);
        parse(message);
        assertThat(view.owner(0)).isEqualTo(Name.of("mail.example.test"));
    }

    @Test
    void withoutCompressionNamesStandInFull() {
        final MessageWriter writer = start(4096).withoutCompression();
        writer.record(0, WWW, RecordType.CNAME, RecordClass.IN, 1, WWW.wire());
        parse(writer.toByteArray());
        assertThat(view.rdataLength(0)).isEqualTo(WWW.length());
        assertThat(view.rdataOffset(0) - view.ownerOffset(0)).isEqualTo(WWW.length() + 10);
    }

    @Test
    void aRecordBeyondTheLimitLeavesTheMessageAsItWas() {
        final MessageWriter writer = start(12 + 18 + 4 + 16 + 11 + 15);
        writer.edns(Edns.of(1232, false));
        assertThat(writer.record(0, WWW, RecordType.A, 1, 1, octets(192, 0, 2, 1))).isTrue();
        final byte[] before = writer.toByteArray();
        assertThat(writer.record(0, Name.of("a.b"), RecordType.A, 1, 1, octets(192, 0, 2, 2)))
                .isFalse();
        assertThat(writer.toByteArray()).isEqualTo(before);
        writer.truncated();
        parse(writer.toByteArray());
        assertThat(view.flags() & MessageLayout.TC).isNotZero();
        assertThat(view.recordCount()).isEqualTo(1);
    }

    @Test
    void aNameThatWasRolledBackIsNotPointedTo() {
        final MessageWriter writer = start(100);
        final Name other = Name.of("other.invalid");
        assertThat(writer.record(0, other, RecordType.TXT, 1, 1, new byte[200])).isFalse();
        assertThat(writer.record(0, other, RecordType.TXT, 1, 1, octets(0))).isTrue();
        parse(writer.toByteArray());
        assertThat(view.owner(0)).isEqualTo(other);
    }

    @Test
    void namesBeyondThePointersReachAreWrittenInFull() {
        final MessageWriter writer = start(65535);
        writer.record(0, WWW, RecordType.TXT, 1, 1, new byte[20_000]);
        final Name far = Name.of("far.away");
        writer.record(0, far, RecordType.TXT, 1, 1, octets(0));
        writer.record(0, far, RecordType.TXT, 1, 1, octets(0));
        parse(writer.toByteArray());
        assertThat(view.owner(2)).isEqualTo(far);
        assertThat(view.rdataOffset(2) - view.ownerOffset(2)).isEqualTo(far.length() + 10);
    }

    @Test
    void sectionsComeInOrder() {
        final MessageWriter writer = start(4096);
        writer.record(1, WWW, RecordType.TXT, 1, 1, octets(0));
        assertThatThrownBy(() -> writer.record(0, WWW, RecordType.TXT, 1, 1, octets(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("section 0 cannot stand behind section 1");
        assertThatThrownBy(() -> writer.question(WWW, 1, 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aHighResponseCodeNeedsEdns() {
        final MessageWriter writer = start(4096).responseCode(ResponseCode.BADVERS);
        assertThatThrownBy(writer::toByteArray).hasMessageContaining("BADVERS needs an OPT record");
    }

    @Test
    void rdataWithUnsoundNamesIsRefused() {
        assertThatThrownBy(
                        () -> start(512).record(0, WWW, RecordType.CNAME, 1, 1, octets(0xc0, 12)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> start(512).record(0, WWW, RecordType.MX, 1, 1, octets(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rdata of MX");
    }

    @Test
    void ednsKeepsItsRoom() {
        assertThatThrownBy(() -> start(40).edns(Edns.of(1232, false)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no room for 11 octets of OPT");
        assertThat(new Edns(512, 0, false, List.of()).length()).isEqualTo(11);
    }
}
