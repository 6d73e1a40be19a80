package io.ananas.cache;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * An owner that is the asked name is known however it is written: as a pointer to the question,
 * spelled out, in other case, as a label and a pointer into the question. The entry is as short.
 */
class OwnerTest {
    private static final int NOW = 1_700_000_000;
    private static final int INTO_QUESTION =
            0xc000 | MessageLayout.HEADER_LENGTH + 1 + "www".length();
    private static final int TO_QUESTION = 0xc000 | MessageLayout.HEADER_LENGTH;
    private static final Name ASKED = Name.of("www.example.org.");

    @Test
    void allWaysToWriteTheAskedNameAreOne() {
        final byte[] shouted = text(ASKED).toUpperCase(Locale.ROOT).getBytes(US_ASCII);
        final Stored pointer = store(pointer(TO_QUESTION));
        assertThat(pointer.octets).isLessThan(32);
        assertThat(store(ASKED.wire())).isEqualTo(pointer);
        assertThat(store(shouted)).isEqualTo(pointer);
        assertThat(store(labelAndPointer("www"))).isEqualTo(pointer);
        assertThat(store(labelAndPointer("wWw"))).isEqualTo(pointer);
    }

    @Test
    void anotherOwnerIsKept() {
        final Stored other = store(labelAndPointer("ww2"));
        assertThat(other.octets).isGreaterThan(store(pointer(TO_QUESTION)).octets);
        assertThat(other.response).contains(HexFormat.of().formatHex("ww2".getBytes(US_ASCII)));
    }

    /** What a question gets, and what the answer takes in the log. */
    private record Stored(String response, long octets) {}

    private static Stored store(byte[] owner) {
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(8 << 20), new Random(1));
                CacheReader reader = cache.newReader();
                Packets packets = new Packets()) {
            assertThat(cache.insert(answer(owner), NOW)).isEqualTo(Insertion.STORED);
            final byte[] response =
                    packets.answer(
                            reader,
                            packets.ask(ASKED, RecordType.A, MessageLayout.RD, 0, false),
                            NOW,
                            512);
            return new Stored(HexFormat.of().formatHex(response), cache.stats().entryOctets());
        }
    }

    private static MessageView answer(byte[] owner) {
        final ByteBuffer out = ByteBuffer.allocate(512);
        out.putInt(0x8180).putShort((short) 1).putShort((short) 1).putInt(0);
        out.put(ASKED.wire()).putShort((short) RecordType.A).putShort((short) 1);
        out.put(owner).putShort((short) RecordType.A).putShort((short) 1).putInt(300);
        out.putShort((short) 4).putInt(0xc0000201);
        return Packets.parse(out);
    }

    private static String text(Name name) {
        return new String(name.wire(), US_ASCII);
    }

    private static byte[] pointer(int target) {
        return new byte[] {(byte) (target >> 8), (byte) target};
    }

    private static byte[] labelAndPointer(String label) {
        final ByteBuffer out = ByteBuffer.allocate(1 + label.length() + 2);
        out.put((byte) label.length()).put(label.getBytes(US_ASCII));
        return out.put(pointer(INTO_QUESTION)).array();
    }
}
