package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryViewTest {
    private final Arena arena = Arena.ofConfined();
    private final QueryView view = new QueryView();

    @AfterEach
    void release() {
        arena.close();
    }

    /** Parses among octets of three kinds, none of which may matter. */
    private int parse(Packet wire) {
        final byte[] message = wire.toBytes();
        final int result = parse(message, 0);
        assertThat(parse(message, 0xff)).isEqualTo(result);
        assertThat(parse(message, 0xc0)).isEqualTo(result);
        return result;
    }

    private int parse(byte[] message, int filler) {
        final MemorySegment memory = arena.allocate(message.length + 600L);
        memory.fill((byte) filler);
        MemorySegment.copy(message, 0, memory, ValueLayout.JAVA_BYTE, 300, message.length);
        return view.parse(memory.address() + 300, message.length);
    }

    private static Packet query(int additional) {
        return Packet.header(0xbeef, MessageLayout.RD, 1, 0, 0, additional)
                .name("www.Example.test")
                .u16(RecordType.AAAA)
                .u16(RecordClass.IN);
    }

    private static byte[] hex(String hex) {
        return new Packet().hex(hex).toBytes();
    }

    @Test
    void aPlainQuery() {
        final Packet wire = query(0);
        assertThat(parse(wire)).isEqualTo(QueryView.ANSWERABLE);
        assertThat(view.id()).isEqualTo(0xbeef);
        assertThat(view.recursionDesired()).isTrue();
        assertThat(view.checkingDisabled()).isFalse();
        assertThat(view.type()).isEqualTo(RecordType.AAAA);
        assertThat(view.queryClass()).isEqualTo(RecordClass.IN);
        assertThat(view.nameLength()).isEqualTo(18);
        assertThat(view.questionEnd()).isEqualTo(wire.size());
        assertThat(view.length()).isEqualTo(wire.size());
        assertThat(Memory.getUnsignedByte(view.nameAddress() + 5)).isEqualTo('E');
        assertThat(view.hasEdns()).isFalse();
        assertThat(view.dnssecOk()).isFalse();
        assertThat(view.payloadSize()).isEqualTo(512);
        assertThat(view.ecsOffset()).isZero();
        assertThat(view.cookieOffset()).isZero();
    }

    @Test
    void theRootAndTheLongestName() {
        assertThat(parse(Packet.header(1, 0, 1).name(".").u16(2).u16(1)))
                .isEqualTo(QueryView.ANSWERABLE);
        assertThat(view.nameLength()).isEqualTo(1);
        final String longest = ("a".repeat(63) + ".").repeat(3) + "a".repeat(61);
        assertThat(parse(Packet.header(1, 0, 1).name(longest).u16(2).u16(1)))
                .isEqualTo(QueryView.ANSWERABLE);
        assertThat(view.nameLength()).isEqualTo(255);
        assertThat(parse(Packet.header(1, 0, 1).name("a.".repeat(127)).u16(2).u16(1)))
                .isEqualTo(QueryView.ANSWERABLE);
        final Packet octet256 = Packet.header(1, 0, 1).u8(62).hex("61".repeat(62));
        assertThat(parse(octet256.name(("a".repeat(63) + ".").repeat(3)).u32(0x10001)))
                .isEqualTo(QueryView.FORMERR);
        assertThat(view.nameLength()).isZero();
        assertThat(view.questionEnd()).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 11})
    void fragmentsAreDropped(int length) {
        assertThat(parse(new byte[length], 0)).isEqualTo(QueryView.DROP);
    }

    @Test
    void responsesAreDropped() {
        assertThat(parse(Packet.header(1, MessageLayout.QR, 1).name("a").u32(0x10001)))
                .isEqualTo(QueryView.DROP);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 6, 15})
    void otherOpcodes(int opcode) {
        assertThat(parse(Packet.header(1, opcode << 11, 1).name("a").u32(0x10001)))
                .isEqualTo(QueryView.NOTIMP);
        assertThat(view.questionEnd()).as("nothing to echo").isEqualTo(12);
        assertThat(parse(Packet.header(1, opcode << 11, 7))).isEqualTo(QueryView.NOTIMP);
    }

    @ParameterizedTest
    @CsvSource({"0,0,0", "2,0,0", "65535,0,0", "1,1,0", "1,0,1", "1,65535,0", "257,0,0"})
    void countsThatNoQueryHas(int questions, int answers, int authorities) {
        final Packet wire = Packet.header(1, 0, questions, answers, authorities);
        assertThat(parse(wire.name("a").u32(0x10001).name("a").u32(0x10001).hex("00".repeat(30))))
                .isEqualTo(QueryView.FORMERR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c00c", "c00e", "c000", "ffff", "40", "80", "bf", "0161c00c", "3f61"})
    void questionNamesThatAreNone(String name) {
        assertThat(parse(Packet.header(1, 0, 1).hex(name).u32(0x10001)))
                .isEqualTo(QueryView.FORMERR);
    }

    @Test
    void everyPrefixOfAQueryIsAFault() {
        final byte[] message =
                query(2).opt(4096, 0, 0, hex("000a00080102030405060708"))
                        .pointer(12)
                        .record(RecordType.TSIG, 0, new byte[5])
                        .toBytes();
        assertThat(parse(message, 0)).isEqualTo(QueryView.ANSWERABLE);
        for (int length = 0; length < message.length; length++) {
            final byte[] cut = Arrays.copyOf(message, length);
            final int expected = length < 12 ? QueryView.DROP : QueryView.FORMERR;
            assertThat(parse(cut, 0)).as("%d octets", length).isEqualTo(expected);
            assertThat(parse(cut, 0xff)).as("%d octets", length).isEqualTo(expected);
        }
    }

    @Test
    void edns() {
        final Packet wire = query(1);
        final int opt = wire.size();
        final String options = "fde90003010203 0008000700011800cb0071 000a00080102030405060708";
        assertThat(parse(wire.opt(1400, 0, MessageLayout.DO, hex(options))))
                .isEqualTo(QueryView.ANSWERABLE);
        assertThat(view.hasEdns()).isTrue();
        assertThat(view.payloadSize()).isEqualTo(1400);
        assertThat(view.dnssecOk()).isTrue();
        assertThat(view.ecsOffset()).isEqualTo(opt + 11 + 7);
        assertThat(view.cookieOffset()).isEqualTo(opt + 11 + 7 + 11);
        assertThat(parse(query(1).opt(0, 0, 0, hex("")))).isEqualTo(QueryView.ANSWERABLE);
        assertThat(view.payloadSize()).isEqualTo(512);
    }

    // B027

    @Test
    void versionsAboveZero() {
        assertThat(parse(query(1).opt(1232, 1, 0, hex("")))).isEqualTo(QueryView.BADVERS);
        assertThat(view.questionEnd()).isEqualTo(12 + 18 + 4);
        assertThat(view.hasEdns()).isTrue();
        assertThat(parse(query(1).opt(1232, 100, 0, hex("fde90001ff"))))
                .isEqualTo(QueryView.BADVERS);
        assertThat(parse(query(1).opt(1232, 0, 0, hex("fde90001ff"))))
                .isEqualTo(QueryView.ANSWERABLE);
        assertThat(parse(query(2).opt(1232, 1, 0, hex("")).opt(1232, 1, 0, hex(""))))
                .isEqualTo(QueryView.FORMERR);
    }

    @Test
    void twoOptRecords() {
        assertThat(parse(query(2).opt(1232, 0, 0, hex("")).opt(1232, 0, 0, hex(""))))
                .isEqualTo(QueryView.FORMERR);
        assertThat(view.hasEdns()).isTrue();
        assertThat(view.questionEnd()).isEqualTo(12 + 18 + 4);
    }

    @Test
    void anOptNotAtTheRoot() {
        assertThat(parse(query(1).pointer(12).record(RecordType.OPT, 0, hex(""))))
                .isEqualTo(QueryView.FORMERR);
        // a pointer to the root label of the question is no root owner either
        assertThat(parse(query(1).pointer(29).record(RecordType.OPT, 0, hex(""))))
                .isEqualTo(QueryView.FORMERR);
    }

    // B037

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0008 0003 000118",
                "0008 0007 0001 16 00 cb0071",
                "0008 0006 0001 18 00 cb00",
                "0008 0008 0001 18 00 cb007100",
                "0008 0008 0001 21 00 cb007100",
                "0008 0007 0001 18 01 cb0071",
                "0008 0004 0003 00 00",
                "0008 0005 0000 08 00 00",
                "0008 0004 0001 00 00 0009",
                "000a 0007 01020304050607",
                "000a 0009 010203040506070809",
                "000a 0000",
                "00",
                "000a00",
                "000a0001",
                "fde9ffff",
            })
    void malformedOptions(String options) {
        assertThat(parse(query(1).opt(1232, 0, 0, hex(options)))).isEqualTo(QueryView.FORMERR);
        assertThat(view.hasEdns()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0008 0007 0001 16 00 cb0070",
                "0008 0004 0001 00 00",
                "0008 0004 0002 00 00",
                "0008 0004 0000 00 00",
                "0008 0008 0001 20 00 cb007101",
                "0008 000b 0002 38 00 20010db8120034",
                "0008 0014 0002 80 00 20010db8120034000000000000000001",
            })
    void soundClientSubnets(String option) {
        assertThat(parse(query(1).opt(1232, 0, 0, hex(option)))).isEqualTo(QueryView.ANSWERABLE);
        assertThat(view.ecsOffset()).isEqualTo(12 + 18 + 4 + 11);
    }

    @Test
    void ofSeveralOptionsTheFirstCounts() {
        final String first = "000a00080102030405060708";
        assertThat(parse(query(1).opt(1232, 0, 0, hex(first + "000a0001ff"))))
                .isEqualTo(QueryView.ANSWERABLE);
        assertThat(view.cookieOffset()).isEqualTo(12 + 18 + 4 + 11);
    }

    @Test
    void octetsBehindTheEndAreIgnored() {
        assertThat(parse(query(0).hex("ffffffff"))).isEqualTo(QueryView.ANSWERABLE);
        assertThat(view.questionEnd()).isEqualTo(12 + 18 + 4);
    }

    // B019, in the additional section

    @Test
    void ownersWithPointers() {
        final byte[] key = new byte[3];
        assertThat(parse(query(1).u8(1, 'k').pointer(16).record(RecordType.TSIG, 0, key)))
                .isEqualTo(QueryView.ANSWERABLE);
        final int owner = query(1).size();
        for (final int target : new int[] {owner, owner + 2, 0x3fff, 11, 0}) {
            assertThat(parse(query(1).pointer(target).record(RecordType.TSIG, 0, key)))
                    .as("pointer to %d", target)
                    .isEqualTo(QueryView.FORMERR);
        }
        assertThat(parse(query(1).u8(1, 'k').pointer(owner).record(RecordType.TSIG, 0, key)))
                .isEqualTo(QueryView.FORMERR);
        assertThat(parse(query(1).u8(0x41).hex("61".repeat(90)))).isEqualTo(QueryView.FORMERR);
        // the second octet of a pointer lies behind the end
        assertThat(parse(query(1).u8(0xc0))).isEqualTo(QueryView.FORMERR);
    }

    @Test
    void anOwnerThatPointersMakeTooLong() {
        final Packet wire = Packet.header(1, 0, 1, 0, 0, 1).name("a.".repeat(127)).u32(0x10001);
        assertThat(parse(wire.u8(1, 'b').pointer(12).record(RecordType.TSIG, 0, new byte[0])))
                .isEqualTo(QueryView.FORMERR);
    }

    @Test
    void manyRecordsThatPointAtALongName() {
        final Packet wire = Packet.header(1, 0, 1, 0, 0, 1000).name("a.".repeat(127)).u32(0x10001);
        for (int i = 0; i < 1000; i++) {
            wire.pointer(12).record(RecordType.TSIG, 0, new byte[0]);
        }
        assertThat(parse(wire)).as("more than 512 labels").isEqualTo(QueryView.FORMERR);
    }
}
