package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a reader does with an entry that is replaced under its hands: whatever it finds, it writes
 * within the reply's bounds, and validation tells afterwards.
 */
class TornEntryTest {
    private static final int[] SHORT_TYPES = {RecordType.A, RecordType.AAAA, RecordType.TXT};
    private static final byte UNTOUCHED = 0x5a;
    private static final int GUARD = 16_384;

    private final Arena arena = Arena.ofConfined();
    private final long entry = arena.allocate(GUARD, 8).address();
    private final Packets packets = new Packets();
    private final EntryKey key = new EntryKey();

    @AfterEach
    void release() {
        packets.close();
        arena.close();
    }

    @Test
    void theHeaderThatMatchedIsTheOneThatCounts() {
        final QueryView asked = asked(RecordType.A);
        putHeader(EntryLayout.FORM_A + 2);
        assertThat(key.matches(entry)).isTrue();
        putHeader(EntryLayout.FORM_MASK);
        assertThat(key.count()).isEqualTo(3);
        assertThat(EntryLayout.form(key.header())).isEqualTo(EntryLayout.FORM_A + 2);
        assertThat(key.matches(entry)).as("%d", asked.type()).isFalse();
    }

    @Test
    void noHeaderThatMatchesHasMoreRecordsThanItsTypeMayHave() {
        for (int type : SHORT_TYPES) {
            asked(type);
            int matching = 0;
            for (int form = 1; form <= EntryLayout.FORM_MASK; form++) {
                putHeader(form);
                if (key.matches(entry)) {
                    matching++;
                    assertThat(key.count()).isBetween(1, EntryLayout.maxCount(type));
                    assertThat(EntryLayout.typeOf(form)).isEqualTo(type);
                }
            }
            assertThat(matching).isEqualTo(EntryLayout.maxCount(type));
        }
    }

    @Test
    void noBodyMakesAShortAnswerWriteBehindItsCapacity() {
        final byte[] ones = new byte[GUARD - EntryLayout.HEADER - 512];
        java.util.Arrays.fill(ones, (byte) 0xff);
        final long reply = packets.replyAddress();
        for (int type : SHORT_TYPES) {
            final QueryView asked = asked(type);
            putHeader(EntryLayout.firstForm(type) + EntryLayout.maxCount(type) - 1);
            assertThat(key.matches(entry)).isTrue();
            final long body = entry + EntryLayout.HEADER + key.codeLength();
            Memory.copyFrom(ones, 0, body, ones.length);
            fillBehind(reply + AnswerWriter.SHORT_CAPACITY);
            final int length =
                    AnswerWriter.write(
                            asked, key.header(), key.count(), body, 1, 0, true, reply, 65_535);
            assertThat(length).isBetween(1, AnswerWriter.SHORT_CAPACITY);
            assertThat(untouchedBehind(reply + AnswerWriter.SHORT_CAPACITY)).isTrue();
        }
    }

    /** Asks for the longest name, and puts its code into the entry. */
    private QueryView asked(int type) {
        final String label = "n".repeat(61);
        final Name name = Name.of(String.join(".", label, label, label, label) + ".12345.");
        final QueryView query = packets.ask(name, type, MessageLayout.RD, 4_096, false);
        NameCode.encode(query.nameAddress(), query.nameLength() - 1, entry + EntryLayout.HEADER);
        key.set(query.nameAddress(), query.nameLength(), type, 0);
        return query;
    }

    private void putHeader(int form) {
        Memory.putIntLE(entry, EntryLayout.header(1, 1, form, false));
    }

    private static void fillBehind(long from) {
        for (int i = 0; i < GUARD; i++) {
            Memory.putByte(from + i, UNTOUCHED);
        }
    }

    private static boolean untouchedBehind(long from) {
        for (int i = 0; i < GUARD; i++) {
            if (Memory.getByte(from + i) != UNTOUCHED) {
                return false;
            }
        }
        return true;
    }
}
