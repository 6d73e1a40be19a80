package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the kernel is asked about a mapping, beside what it tells of the whole process. */
class MappingTest {
    private static final int SIZE = 32 << 20;
    private static final Path STATUS = Path.of("/proc/self/status");

    @Test
    void whatIsTouchedIsResidentAndNothingElse() throws IOException {
        assumeTrue(Files.isReadable(STATUS), "skipped: only Linux tells what is resident");
        try (Mapping mapping = Mapping.reserve(SIZE, false)) {
            assertThat(mapping.resident()).isZero();
            final long before = residentInProcess();
            final int touched = SIZE / 2;
            memory(mapping).asSlice(0, touched).fill((byte) 1);
            assertThat(mapping.resident()).isEqualTo(touched);
            assertThat(residentInProcess() - before)
                    .as("what the whole process grew by")
                    .isBetween((long) touched * 3 / 4, (long) touched * 5 / 4);
        }
    }

    @Test
    void whatIsGivenBackIsNotResidentAndReadsAsZero() throws IOException {
        assumeTrue(Files.isReadable(STATUS), "skipped: only Linux tells what is resident");
        try (Mapping mapping = Mapping.reserve(SIZE, true)) {
            memory(mapping).fill((byte) 1);
            assertThat(mapping.resident()).isEqualTo(SIZE);
            final long from = mapping.address() + SIZE / 4;
            final long to = mapping.address() + SIZE / 2;
            mapping.giveBack(mapping.address(), SIZE, from, to);
            assertThat(mapping.resident()).isEqualTo(SIZE * 3L / 4);
            assertThat(memory(mapping).get(ValueLayout.JAVA_BYTE, SIZE / 4)).isZero();
            assertThat(memory(mapping).get(ValueLayout.JAVA_BYTE, SIZE / 4 - 1))
                    .isEqualTo((byte) 1);
            assertThat(memory(mapping).get(ValueLayout.JAVA_BYTE, SIZE / 2)).isEqualTo((byte) 1);
        }
    }

    private static MemorySegment memory(Mapping mapping) {
        return MemorySegment.ofAddress(mapping.address()).reinterpret(mapping.size());
    }

    private static long residentInProcess() throws IOException {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("RssAnon:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }
}
