package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageViewTest {
    private static final int QUESTION = 12;
    private static final byte[] ADDRESS = {(byte) 192, 0, 2, 1};

    private final MessageView view = new MessageView();

    private Fault parse(Packet wire) {
        return parse(wire.toBytes());
    }

    /** Parses, and once more with octets behind the end, which must not matter. */
    private Fault parse(byte[] message) {
        final byte[] padded = new byte[message.length + 300];
        Arrays.fill(padded, (byte) 0xc0);
        System.arraycopy(message, 0, padded, 0, message.length);
        final Fault withPadding = view.parse(padded, message.length);
        final Fault fault = view.parse(message, message.length);
        assertThat(fault).isEqualTo(withPadding);
        return fault;
    }

    private static Packet response(int... counts) {
        return Packet.header(7, MessageLayout.QR, counts)
                .name("www.example.test")
                .u16(RecordType.A)
                .u16(RecordClass.IN);
    }

    private static byte[] rdata(Packet wire) {
        return wire.toBytes();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 11})
    void lessThanAHeader(int length) {
        assertThat(parse(new byte[length])).isEqualTo(Fault.HEADER);
        assertThat(view.length()).isZero();
        assertThat(view.id()).isZero();
        assertThat(view.flags()).isZero();
        assertThat(view.responseCode()).isZero();
        assertThat(view.hasEdns()).isFalse();
        assertThat(view.questionType()).isZero();
    }

    @Test
    void moreThanAMessage() {
        assertThat(view.parse(new byte[65536], 65536)).isEqualTo(Fault.HEADER);
        assertThat(view.parse(new byte[12], 13)).isEqualTo(Fault.HEADER);
        assertThat(view.parse(new byte[65535], 65535)).isEqualTo(Fault.NONE);
    }

    @Test
    void aHeaderAloneIsSound() {
        assertThat(parse(Packet.header(9, 0x8001))).isEqualTo(Fault.NONE);
        assertThat(view.questionCount()).isZero();
        assertThat(view.questionEnd()).isEqualTo(12);
        assertThat(view.responseCode()).isEqualTo(ResponseCode.FORMERR);
        assertThat(view.recordCount()).isZero();
        assertThat(view.end()).isEqualTo(12);
    }

    @Test
    void twoQuestions() {
        final Packet wire = Packet.header(7, 0x8000, 2);
        wire.name("a").u16(1).u16(1).name("a").u16(1).u16(1);
        assertThat(parse(wire)).isEqualTo(Fault.QUESTIONS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void countsThatPromiseTooMuch(int section) {
        final int[] counts = {1, 0, 0, 0};
        counts[section] = 2;
        final Packet wire = response(counts).pointer(QUESTION).record(1, 60, ADDRESS);
        assertThat(parse(wire)).isEqualTo(Fault.TRUNCATED);
        counts[section] = 65535;
        assertThat(parse(response(counts))).isEqualTo(Fault.TRUNCATED);
    }

    @Test
    void everyPrefixOfAMessageIsAFault() {
        final byte[] message =
                response(1, 1, 0, 1)
                        .pointer(QUESTION)
                        .record(RecordType.MX, 60, rdata(new Packet().u16(1).pointer(QUESTION)))
                        .opt(1232, 0, 0, rdata(new Packet().u16(10).u16(8).u32(1).u32(2)))
                        .toBytes();
        assertThat(parse(message)).isEqualTo(Fault.NONE);
        for (int length = 0; length < message.length; length++) {
            assertThat(view.parse(message, length))
                    .as("%d octets", length)
                    .isNotEqualTo(Fault.NONE);
        }
    }

    @Test
    void octetsBehindTheLastRecordHaveNoMeaning() {
        assertThat(parse(response(1).hex("ffffff"))).isEqualTo(Fault.NONE);
        assertThat(view.end()).isEqualTo(view.length() - 3);
    }

    // B019: pointers

    @Test
    void pointersThatDoNotGoBackwards() {
        // a) to itself, as question and as owner
        assertThat(parse(Packet.header(7, 0x8000, 1).pointer(12).u16(1).u16(1)))
                .isEqualTo(Fault.POINTER);
        final int owner = response(1).size();
        assertThat(parse(response(1, 1).pointer(owner).record(1, 60, ADDRESS)))
                .isEqualTo(Fault.POINTER);
        // b) a label, then a pointer to that label
        assertThat(parse(response(1, 1).u8(1, 'a').pointer(owner).record(1, 60, ADDRESS)))
                .isEqualTo(Fault.POINTER);
        // c) two pointers to each other
        assertThat(parse(Packet.header(7, 0x8000, 1).pointer(14).pointer(12).u16(1).u16(1)))
                .isEqualTo(Fault.POINTER);
        // d) to a later offset
        assertThat(parse(Packet.header(7, 0x8000, 1).pointer(20).u16(1).u16(1).hex("000000")))
                .isEqualTo(Fault.POINTER);
        // f) beyond the end
        assertThat(parse(response(1, 1).pointer(0x3fff).record(1, 60, ADDRESS)))
                .isEqualTo(Fault.POINTER);
        // into the header
        assertThat(parse(response(1, 1).pointer(11).record(1, 60, ADDRESS)))
                .isEqualTo(Fault.POINTER);
        // the first octet of a pointer is the last of the message
        assertThat(parse(Packet.header(7, 0x8000, 1).u8(0xc0))).isEqualTo(Fault.TRUNCATED);
    }

    @Test
    void aChainOfForwardPointers() {
        final Packet wire = Packet.header(7, 0x8000, 1);
        for (int i = 0; i < 200; i++) {
            wire.pointer(wire.size() + 2);
        }
        assertThat(parse(wire.u8(0).u16(1).u16(1))).isEqualTo(Fault.POINTER);
    }

    /** Rdata of an opaque type holds a chain of pointers, and an owner uses the last of it. */
    private static Packet chain(int pointers) {
        final Packet wire = response(1, 2).pointer(QUESTION);
        final Packet chain = new Packet().u8(0);
        final int start = wire.size() + 10;
        for (int i = 0; i < pointers; i++) {
            chain.pointer(start + Math.max(0, chain.size() - 2));
        }
        wire.record(65300, 60, chain.toBytes());
        return wire.pointer(start + chain.size() - 2).record(1, 60, ADDRESS);
    }

    @Test
    void backwardChainsAreBounded() {
        final Packet wire = chain(100);
        assertThat(parse(wire)).isEqualTo(Fault.NONE);
        assertThat(view.owner(1)).isEqualTo(Name.ROOT);
        assertThat(parse(chain(125))).isEqualTo(Fault.NONE);
        assertThat(view.owner(1)).isEqualTo(Name.ROOT);
        assertThat(parse(chain(126))).isEqualTo(Fault.NAME);
        assertThat(parse(chain(8000))).isEqualTo(Fault.NAME);
    }

    // B021: long names

    @Test
    void theLongestNameIsAcceptedAndOneOctetMoreIsNot() {
        final String longest = ("a".repeat(63) + ".").repeat(3) + "a".repeat(61);
        final Packet wire = Packet.header(7, 0x8000, 1, 1).name(longest).u16(1).u16(1);
        assertThat(parse(wire.pointer(12).record(1, 60, ADDRESS))).isEqualTo(Fault.NONE);
        assertThat(view.owner(0).length()).isEqualTo(255);
        assertThat(view.questionEnd()).isEqualTo(12 + 255 + 4);

        final Packet tooLong = Packet.header(7, 0x8000, 1).u8(62).hex("61".repeat(62));
        tooLong.name(("a".repeat(63) + ".").repeat(3)).u16(1).u16(1);
        assertThat(tooLong.size()).isEqualTo(12 + 256 + 4);
        assertThat(parse(tooLong)).isEqualTo(Fault.NAME);

        final Packet byPointer = Packet.header(7, 0x8000, 1, 1).name(longest).u16(1).u16(1);
        assertThat(parse(byPointer.u8(1, 'b').pointer(12).record(1, 60, ADDRESS)))
                .isEqualTo(Fault.NAME);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x7f, 0x80, 0xbf})
    void labelTypesThatNobodyUses(int label) {
        final Packet wire = Packet.header(7, 0x8000, 1).u8(label).hex("00".repeat(80));
        assertThat(parse(wire)).isEqualTo(Fault.LABEL);
    }

    @Test
    void fourThousandRecordsThatPointAtALongName() {
        final String longest = "a.".repeat(127);
        final Packet wire = Packet.header(7, 0x8000, 1, 4000).name(longest).u16(1).u16(1);
        for (int i = 0; i < 4000; i++) {
            wire.pointer(12).record(1, 60, ADDRESS);
        }
        assertThat(parse(wire)).isEqualTo(Fault.NONE);
        assertThat(view.recordCount()).isEqualTo(4000);
        assertThat(view.owner(3999).labelCount()).isEqualTo(127);
    }

    @Test
    void namesInAMessageExpandToAMebibyteAtMost() {
        final Packet wire = Packet.header(7, 0x8000, 1, 3900).name("a.".repeat(127)).u16(1).u16(1);
        for (int i = 0; i < 3900; i++) {
            // alternating targets, which the last one remembered does not help
            wire.pointer(12 + i % 2 * 2)
                    .record(RecordType.RP, 60, rdata(new Packet().pointer(12).pointer(14)));
        }
        assertThat(wire.size()).isLessThan(65536);
        assertThat(parse(wire)).isEqualTo(Fault.WORK);
        assertThat(view.recordCount()).isLessThan(1500);
    }

    // B029: unknown types

    @Test
    void unknownTypesPassUnchanged() {
        final byte[] looksLikeAPointer = rdata(new Packet().hex("c00c0001"));
        final Packet wire = response(1, 1, 0, 1).pointer(QUESTION);
        wire.record(65300, 60, looksLikeAPointer).pointer(QUESTION);
        assertThat(parse(wire.record(65300, 60, looksLikeAPointer))).isEqualTo(Fault.NONE);
        assertThat(view.rdata(0)).isEqualTo(looksLikeAPointer);
        assertThat(view.section(1)).isEqualTo(MessageView.ADDITIONAL);
        assertThat(view.rdata(1)).isEqualTo(looksLikeAPointer);
    }

    @ParameterizedTest
    @CsvSource({
        "NS, '', ''",
        "CNAME, '', ''",
        "PTR, '', ''",
        "DNAME, '', ''",
        "MB, '', ''",
        "MD, '', ''",
        "MX, 000a, ''",
        "AFSDB, 0001, ''",
        "RT, 0001, ''",
        "KX, 0001, ''",
        "SRV, 000100020035, ''",
        "NAPTR, 0001000201550341424300, ''",
        "SIG, 000101020000000300000004000000050006, 01020304",
        "NXT, '', 6201",
    })
    void namesInRdataAreDecompressed(String type, String before, String behind) {
        final int number = RecordType.parse(type);
        final Packet compressed =
                new Packet().hex(before).u8(1, 'X').pointer(QUESTION + 4).hex(behind);
        final Packet wire = response(1, 1).pointer(QUESTION);
        assertThat(parse(wire.record(number, 60, rdata(compressed)))).isEqualTo(Fault.NONE);
        final byte[] plain = rdata(new Packet().hex(before).name("X.example.test").hex(behind));
        assertThat(view.rdata(0)).isEqualTo(plain);
        final byte[] target = new byte[plain.length];
        assertThat(view.expandRdata(0, target, 0)).isEqualTo(plain.length);
        assertThat(view.expandRdata(0, target, 1)).as("no room").isEqualTo(-1);
        assertThat(view.expandRdata(0, new byte[plain.length - 1], 0)).isEqualTo(-1);

        final byte[] cut = rdata(new Packet().hex(before));
        assertThat(parse(response(1, 1).pointer(QUESTION).record(number, 60, cut)))
                .as("without its name")
                .isEqualTo(Fault.RDATA);
        if (behind.isEmpty()) {
            final byte[] more = rdata(new Packet().hex(before).pointer(QUESTION).u8(0));
            assertThat(parse(response(1, 1).pointer(QUESTION).record(number, 60, more)))
                    .as("one octet more")
                    .isEqualTo(Fault.RDATA);
        }
        final byte[] loop = rdata(new Packet().hex(before).pointer(0x3fff).hex(behind));
        assertThat(parse(response(1, 1).pointer(QUESTION).record(number, 60, loop)))
                .isEqualTo(Fault.POINTER);
    }

    @ParameterizedTest
    @CsvSource({"SOA, '', 0000000100000002000000030000000400000005", "MINFO, '', ''", "RP,'',''"})
    void twoNamesInRdata(String type, String before, String behind) {
        final int number = RecordType.parse(type);
        final Packet compressed = new Packet().hex(before).pointer(QUESTION).u8(1, 'Y');
        compressed.pointer(QUESTION + 4).hex(behind);
        final Packet wire = response(1, 1).pointer(QUESTION);
        assertThat(parse(wire.record(number, 60, rdata(compressed)))).isEqualTo(Fault.NONE);
        assertThat(view.rdata(0))
                .isEqualTo(
                        rdata(
                                new Packet()
                                        .hex(before)
                                        .name("www.example.test")
                                        .name("Y.example.test")
                                        .hex(behind)));
        final byte[] one = rdata(new Packet().hex(before).pointer(QUESTION));
        assertThat(parse(response(1, 1).pointer(QUESTION).record(number, 60, one)))
                .isNotEqualTo(Fault.NONE);
    }

    @Test
    void aNameInRdataMustNotReachBeyondIt() {
        final Packet wire = response(1, 2).pointer(QUESTION);
        // RDLENGTH 2 ends within the label; the octets go on
        wire.u16(RecordType.CNAME).u16(1).u32(60).u16(2).u8(3, 'a', 'b', 'c', 0);
        assertThat(parse(wire.hex("00".repeat(20)))).isEqualTo(Fault.RDATA);
        final Packet soa = response(1, 1).pointer(QUESTION);
        soa.u16(RecordType.SOA).u16(1).u32(60).u16(2).pointer(QUESTION).pointer(QUESTION);
        assertThat(parse(soa.hex("00".repeat(20)))).isEqualTo(Fault.RDATA);
    }

    @ParameterizedTest
    @CsvSource({"A, 3", "A, 5", "A, 0", "AAAA, 15", "AAAA, 17", "AAAA, 4"})
    void addressesOfAWrongLength(String type, int length) {
        final Packet wire = response(1, 1).pointer(QUESTION);
        wire.record(RecordType.parse(type), 60, new byte[length]);
        assertThat(parse(wire)).isEqualTo(Fault.RDATA);
    }

    @Test
    void anAddressOfAnotherClassMayHaveAnyLength() {
        final Packet wire = response(1, 1).pointer(QUESTION);
        wire.u16(RecordType.A).u16(RecordClass.CH).u32(60).u16(3).u8(0, 1, 2);
        assertThat(parse(wire)).isEqualTo(Fault.NONE);
        assertThat(view.recordClass(0)).isEqualTo(RecordClass.CH);
    }

    @Test
    void rdataThatGrowsBeyondItsLimitIsNotExpanded() {
        final String longest = "a.".repeat(127);
        final Packet wire = Packet.header(7, 0x8000, 1, 1).name(longest).u16(1).u16(1).pointer(12);
        final Packet sig = new Packet().hex("00".repeat(18)).pointer(12);
        sig.hex("00".repeat(65535 - wire.size() - 10 - sig.size()));
        assertThat(parse(wire.record(RecordType.SIG, 60, rdata(sig)))).isEqualTo(Fault.NONE);
        assertThat(view.end()).isEqualTo(65535);
        final int length = view.rdataLength(0) + 253;
        if (length <= 65535) {
            assertThat(view.rdata(0)).hasSize(length);
        } else {
            assertThat(view.expandRdata(0, new byte[70_000], 0)).isEqualTo(-1);
        }
    }

    // EDNS

    @Test
    void ednsIsReadAndIsNoRecord() {
        final byte[] options =
                rdata(
                        new Packet()
                                .hex("0008 0007 0001 18 18 cb0071")
                                .hex("fde9 0000")
                                .hex("000f 0006 0016 61626364")
                                .hex("000f 0001 00")
                                .hex("000f 0002 0003"));
        final Packet wire = response(1, 0, 0, 3).pointer(QUESTION).record(1, 60, ADDRESS);
        wire.opt(100, 0, MessageLayout.DO, options).pointer(QUESTION).record(1, 61, ADDRESS);
        assertThat(parse(wire)).isEqualTo(Fault.NONE);
        assertThat(view.recordCount()).isEqualTo(2);
        assertThat(view.ttl(1)).isEqualTo(61);
        assertThat(view.hasEdns()).isTrue();
        assertThat(view.payloadSize()).isEqualTo(512);
        assertThat(view.dnssecOk()).isTrue();
        assertThat(view.ednsVersion()).isZero();
        assertThat(view.optLength()).isEqualTo(11 + options.length);
        assertThat(view.message()[view.optOffset()]).isZero();
        assertThat(Objects.requireNonNull(view.clientSubnet())).hasToString("203.0.113.0/24/24");
        assertThat(view.option(65001)).isNotZero();
        assertThat(view.option(65002)).isZero();
        assertThat(view.reasons())
                .containsExactly(new MessageView.Reason(22, "abcd"), new MessageView.Reason(3, ""));
    }

    @Test
    void upperBitsOfTheResponseCode() {
        final Packet wire = Packet.header(7, 0x8000, 0, 0, 0, 1);
        wire.u8(0).u16(RecordType.OPT).u16(1232).u8(1, 0).u16(0).u16(0);
        assertThat(parse(wire)).isEqualTo(Fault.NONE);
        assertThat(view.responseCode()).isEqualTo(ResponseCode.BADVERS);
        assertThat(view.firstOption()).isZero();
        assertThat(view.clientSubnet()).isNull();
        assertThat(view.reasons()).isEmpty();
    }

    @Test
    void malformedClientSubnetInAResponseIsAsIfAbsent() {
        final byte[] option = rdata(new Packet().hex("0008 0007 0001 16 00 cb0071"));
        assertThat(parse(response(1, 0, 0, 1).opt(1232, 0, 0, option))).isEqualTo(Fault.NONE);
        assertThat(view.option(EdnsOption.CLIENT_SUBNET)).isNotZero();
        assertThat(view.clientSubnet()).isNull();
    }

    @Test
    void optOutOfPlace() {
        final byte[] none = new byte[0];
        assertThat(parse(response(1, 0, 0, 2).opt(1232, 0, 0, none).opt(1232, 0, 0, none)))
                .isEqualTo(Fault.EDNS);
        assertThat(view.hasEdns()).isTrue();
        assertThat(parse(response(1, 1).opt(1232, 0, 0, none))).isEqualTo(Fault.EDNS);
        assertThat(parse(response(1, 0, 1).opt(1232, 0, 0, none))).isEqualTo(Fault.EDNS);
        assertThat(parse(response(1, 0, 0, 1).name("a").record(RecordType.OPT, 0, none)))
                .isEqualTo(Fault.EDNS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "000a00", "000a0001", "000a000801020304050607"})
    void optionsBeyondTheirRecord(String options) {
        final Packet wire = response(1, 0, 0, 2).opt(1232, 0, 0, rdata(new Packet().hex(options)));
        wire.pointer(QUESTION).record(1, 60, ADDRESS);
        assertThat(parse(wire)).isEqualTo(Fault.OPTION);
    }

    // Names

    @Test
    void namesCompareThroughPointers() {
        final Packet wire = response(1, 4);
        final int first = wire.size();
        wire.name("WWW.EXAMPLE.TEST").record(1, 60, ADDRESS);
        final int second = wire.size();
        wire.u8(3, 'w', 'w', 'W').pointer(QUESTION + 4).record(1, 60, ADDRESS);
        wire.pointer(second).record(1, 60, ADDRESS);
        wire.u8(3, 'w', 'w', 'w').pointer(QUESTION + 12).record(1, 60, ADDRESS);
        assertThat(parse(wire)).isEqualTo(Fault.NONE);
        assertThat(view.ownerOffset(0)).isEqualTo(first);
        for (int i = 0; i < 3; i++) {
            assertThat(view.sameName(QUESTION, view.ownerOffset(i))).isTrue();
            assertThat(view.sameName(view.ownerOffset(i), view.ownerOffset(2))).isTrue();
        }
        assertThat(view.owner(2)).hasToString("wwW.example.test.");
        assertThat(view.owner(3)).hasToString("www.test.");
        assertThat(view.sameName(view.ownerOffset(3), QUESTION)).isFalse();
        assertThat(view.sameName(QUESTION + 17, QUESTION)).isFalse();
    }

    @Test
    void offsetsOfNoNameAreRefused() {
        assertThat(parse(response(1))).isEqualTo(Fault.NONE);
        assertThatThrownBy(() -> view.name(13)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> view.name(4000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> view.name(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(view.expandName(4000, new byte[255], 0)).isEqualTo(-1);
        assertThat(view.skipName(4000)).isEqualTo(-1);
        assertThat(view.sameName(4000, 4000)).isFalse();
    }

    @Test
    void aViewMovesToAnotherMessage() {
        assertThat(parse(response(1, 0, 0, 1).opt(1232, 0, 0x8000, new byte[0])))
                .isEqualTo(Fault.NONE);
        assertThat(parse(response(1, 1).pointer(QUESTION).record(1, 60, ADDRESS)))
                .isEqualTo(Fault.NONE);
        assertThat(view.hasEdns()).isFalse();
        assertThat(view.recordCount()).isEqualTo(1);
        assertThat(parse(new byte[3])).isEqualTo(Fault.HEADER);
        assertThat(view.recordCount()).isZero();
        assertThat(view.endRecord(MessageView.ADDITIONAL)).isZero();
    }
}
