package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Memory;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Asking for a line changes nothing, and is the processor's own instruction where it can be. */
class PrefetchTest {
    private static final int OCTETS = 1 << 16;
    private static final int CALLS = 200_000;

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void isTheInstruction() {
        assertThat(Prefetch.isNative()).isTrue();
    }

    @Test
    void changesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            final long memory = arena.allocate(OCTETS, 64).address();
            for (int i = 0; i < OCTETS; i++) {
                Memory.putByte(memory + i, i * 31 / 8);
            }
            int sum = 0;
            for (int i = 0; i < CALLS; i++) {
                sum += Prefetch.lines(memory + i * 64 % OCTETS, memory + OCTETS - 1);
            }
            if (Prefetch.isNative()) {
                assertThat(sum).isZero();
            }
            for (int i = 0; i < OCTETS; i++) {
                assertThat(Memory.getByte(memory + i)).isEqualTo((byte) (i * 31 / 8));
            }
        }
    }
}
