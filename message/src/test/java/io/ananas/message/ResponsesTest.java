package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResponsesTest {
    private final MessageView view = new MessageView();

    private byte[] sound(byte[] message) {
        assertThat(view.parse(message, message.length)).isEqualTo(Fault.NONE);
        assertThat(view.end()).isEqualTo(message.length);
        return message;
    }

    private static byte[] query(int flags, byte[] options) {
        return Packet.header(0xabcd, flags, 1, 0, 0, 1)
                .name("Www.Example.Test")
                .u16(RecordType.AAAA)
                .u16(RecordClass.IN)
                .opt(4096, 0, MessageLayout.DO, options)
                .toBytes();
    }

    private byte[] error(byte[] query, int code, @Nullable ExtendedError error, String text) {
        return sound(
                Objects.requireNonNull(
                        Responses.error(query, MessageLayout.RA, code, error, text)));
    }

    @Test
    void anErrorEchoesWhatTheQueryAsked() {
        error(
                query(MessageLayout.RD | MessageLayout.CD | MessageLayout.AD, new byte[0]),
                ResponseCode.SERVFAIL,
                ExtendedError.NO_REACHABLE_AUTHORITY,
                "tried 3 servers of example.test");
        assertThat(view.id()).isEqualTo(0xabcd);
        assertThat(view.flags())
                .isEqualTo(
                        MessageLayout.QR
                                | MessageLayout.RD
                                | MessageLayout.CD
                                | MessageLayout.RA
                                | ResponseCode.SERVFAIL);
        assertThat(view.name(view.questionName())).hasToString("Www.Example.Test.");
        assertThat(view.questionType()).isEqualTo(RecordType.AAAA);
        assertThat(view.hasEdns()).isTrue();
        assertThat(view.dnssecOk()).isTrue();
        assertThat(view.payloadSize()).isEqualTo(1232);
        assertThat(view.reasons())
                .containsExactly(new MessageView.Reason(22, "tried 3 servers of example.test"));
    }

    @Test
    void badVersionIsAnExtendedCode() {
        final byte[] query = query(0, new byte[0]);
        query[query.length - 5] = 1;
        error(query, ResponseCode.BADVERS, null, "");
        assertThat(view.responseCode()).isEqualTo(ResponseCode.BADVERS);
        assertThat(view.ednsVersion()).isZero();
        assertThat(view.questionCount()).isEqualTo(1);
    }

    @Test
    void withoutEdnsThereIsNoExtendedError() {
        final byte[] query = Packet.header(1, 0x0900, 1).name("a").u16(1).u16(1).toBytes();
        error(query, ResponseCode.NOTIMP, ExtendedError.NOT_SUPPORTED, "x");
        assertThat(view.hasEdns()).isFalse();
        assertThat(view.flags() & MessageLayout.OPCODE_MASK).isEqualTo(0x0800);
        assertThat(view.responseCode()).isEqualTo(ResponseCode.NOTIMP);
    }

    @Test
    void anUnreadableQuestionIsNotEchoed() {
        final byte[] query = Packet.header(5, MessageLayout.RD, 1).pointer(12).u32(1).toBytes();
        final byte[] response = error(query, ResponseCode.FORMERR, null, "");
        assertThat(response).hasSize(12);
        assertThat(view.id()).isEqualTo(5);
    }

    @Test
    void aFaultBehindTheQuestionStillEchoesIt() {
        final byte[] query = query(0, new Packet().hex("00080000").toBytes());
        error(Arrays.copyOf(query, query.length - 1), ResponseCode.FORMERR, null, "");
        assertThat(view.questionCount()).isEqualTo(1);
    }

    @Test
    void nothingIsSaidToResponsesAndFragments() {
        assertThat(Responses.error(new byte[11], 0, 1, null, "")).isNull();
        assertThat(Responses.error(Packet.header(1, 0x8000).toBytes(), 0, 1, null, "")).isNull();
    }

    private static byte[] large(int answers, int additional, boolean edns, int optionLength) {
        final Name owner = Name.of("www.example.test");
        final MessageWriter writer =
                new MessageWriter(65535)
                        .header(3, MessageLayout.QR | MessageLayout.AA)
                        .question(owner, RecordType.A, RecordClass.IN);
        for (int i = 0; i < answers; i++) {
            writer.record(0, owner, RecordType.A, 1, 60, new byte[] {10, 0, 0, (byte) i});
        }
        writer.record(1, owner.parent(), RecordType.NS, 1, 60, Name.of("ns.example.test").wire());
        for (int i = 0; i < additional; i++) {
            writer.record(2, Name.of("ns.example.test"), RecordType.A, 1, 60, new byte[4]);
        }
        if (edns) {
            writer.edns(Edns.of(1232, true).with(EdnsOption.of(65001, new byte[optionLength])));
        }
        return writer.toByteArray();
    }

    @Test
    void whatFitsIsLeftAsItIs() {
        final byte[] response = large(2, 2, true, 4);
        assertThat(Responses.truncate(response, response.length)).isSameAs(response);
    }

    @Test
    void theAdditionalSectionGoesFirstAndWithoutTc() {
        final byte[] response = large(10, 40, true, 4);
        final byte[] cut = sound(Responses.truncate(response, 512));
        assertThat(cut.length).isLessThanOrEqualTo(512);
        assertThat(view.flags() & MessageLayout.TC).isZero();
        assertThat(view.endRecord(MessageView.ANSWER)).isEqualTo(10);
        assertThat(view.endRecord(MessageView.AUTHORITY)).isEqualTo(11);
        assertThat(view.recordCount()).isEqualTo(11);
        assertThat(view.option(65001)).isNotZero();
        assertThat(view.rdata(10)).isEqualTo(Name.of("ns.example.test").wire());
    }

    @Test
    void otherwiseOnlyHeaderQuestionAndOptStay() {
        final byte[] cut = sound(Responses.truncate(large(200, 5, true, 4), 512));
        assertThat(view.flags() & MessageLayout.TC).isNotZero();
        assertThat(view.flags() & MessageLayout.AA).isNotZero();
        assertThat(view.recordCount()).isZero();
        assertThat(view.questionCount()).isEqualTo(1);
        assertThat(view.hasEdns()).isTrue();
        assertThat(cut).hasSize(view.questionEnd() + 11 + 8);
        sound(Responses.truncate(large(200, 5, false, 0), 512));
        assertThat(view.hasEdns()).isFalse();
    }

    @Test
    void optionsThatDoNotFitGoToo() {
        final byte[] cut = sound(Responses.truncate(large(200, 5, true, 1000), 512));
        assertThat(cut).hasSize(view.questionEnd() + 11);
        assertThat(view.dnssecOk()).isTrue();
        assertThat(view.firstOption()).isZero();
    }

    @Test
    void onlySoundResponsesAreCut() {
        assertThatThrownBy(() ->
                        Responses.truncate(
                                Packet.header(1, 0, 2).hex("00".repeat(600)).toBytes(), 512))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than one question");
    }
}
