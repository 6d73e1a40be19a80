package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Memory;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyHashTest {
    private static final int LONGEST = 255;

    private final Arena arena = Arena.ofConfined();
    private final long name = arena.allocate(512, 8).address() + 16;
    private final KeyHash hashes = new KeyHash(new Random(1));

    @BeforeEach
    void fill() {
        for (int i = 0; i < LONGEST; i++) {
            Memory.putByte(name + i, 'a' + i % 26);
        }
    }

    @AfterEach
    void release() {
        arena.close();
    }

    @Test
    void everyOctetOfANameOfEveryLengthCounts() {
        final Set<Long> seen = new HashSet<>();
        int expected = 0;
        for (int length = 1; length <= LONGEST; length++) {
            assertThat(seen.add(hash(length))).as("%d octets", length).isTrue();
            expected++;
            for (int i = 0; i < length; i++) {
                Memory.putByte(name + i, '-');
                assertThat(seen.add(hash(length))).as("octet %d of %d", i, length).isTrue();
                expected++;
                Memory.putByte(name + i, 'a' + i % 26);
            }
        }
        assertThat(seen).hasSize(expected);
    }

    @Test
    void caseDoesNotCount() {
        for (int length = 1; length <= LONGEST; length++) {
            final long small = hash(length);
            for (int i = 0; i < length; i++) {
                Memory.putByte(name + i, 'A' + i % 26);
                assertThat(hash(length)).as("octet %d of %d", i, length).isEqualTo(small);
                Memory.putByte(name + i, 'a' + i % 26);
            }
        }
    }

    @Test
    void whatStandsAroundTheNameDoesNotCount() {
        for (int length = 1; length < LONGEST; length++) {
            final long alone = hash(length);
            Memory.putLongLE(name - 8, ~Memory.getLongLE(name - 8));
            Memory.putByte(name + length, '-');
            assertThat(hash(length)).as("%d octets", length).isEqualTo(alone);
            Memory.putByte(name + length, 'a' + length % 26);
        }
    }

    @Test
    void typeAndVariantCount() {
        final Set<Long> seen = new HashSet<>();
        for (int type = 0; type < 65_536; type += 257) {
            for (int variant = 0; variant < 4; variant++) {
                assertThat(seen.add(hashes.of(name, 20, type, variant))).isTrue();
            }
        }
    }

    private long hash(int length) {
        return hashes.of(name, length, 1, 0);
    }
}
