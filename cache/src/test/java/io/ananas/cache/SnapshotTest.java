package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
    private static final int NOW = 1_700_000_000;
    private static final int ENTRIES = 20_000;

    @TempDir private Path directory;

    private static AnswerCache filled(int entries, int ttl) {
        final AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(4 << 20), new Random(1));
        for (int i = 0; i < entries; i++) {
            cache.insert(
                    i % 5 == 0
                            ? Answers.numbered(name(i), i, 2)
                            : Packets.addresses(name(i), ttl, i << 8, 3),
                    NOW);
        }
        return cache;
    }

    private static Name name(int i) {
        return Name.of("name-" + i + ".example.");
    }

    private static AnswerCache empty() {
        return AnswerCache.open(CacheOptions.ofSize(4 << 20), new Random(2));
    }

    @Test
    void everythingComesBackWithItsAge() throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        try (AnswerCache before = filled(ENTRIES, 60);
                AnswerCache after = empty();
                CacheReader reader = after.newReader();
                Packets packets = new Packets()) {
            before.save(file, NOW + 10);
            assertThat(after.load(file, NOW + 40)).isEqualTo(before.stats().entries());
            for (int i = 1; i < ENTRIES; i += 5) {
                assertThat(packets.firstAddress(reader, name(i), NOW + 40) & 0xffff_ff00)
                        .isEqualTo(i << 8);
            }
            assertThat(after.list(name(1), false, 1, NOW + 40).getFirst().remaining())
                    .isEqualTo(20);
        }
    }

    @Test
    void whatExpiredMeanwhileIsGoneAndAClockSetBackLengthensNothing() throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        try (AnswerCache before = filled(10, 60);
                Packets packets = new Packets()) {
            before.save(file, NOW + 10);
            try (AnswerCache late = empty();
                    CacheReader reader = late.newReader()) {
                late.load(file, NOW + 90);
                assertThat(packets.firstAddress(reader, name(1), NOW + 90)).isEqualTo(-1);
            }
            try (AnswerCache early = empty()) {
                early.load(file, NOW - 3_600);
                assertThat(early.list(name(1), false, 1, NOW - 3_600).getFirst().remaining())
                        .isEqualTo(50);
            }
            try (AnswerCache muchLater = empty()) {
                assertThat(muchLater.load(file, NOW + 30 * 86_400)).isZero();
            }
        }
    }

    @Test
    void whatCameMeanwhileIsNewerAndStays() throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        try (AnswerCache before = filled(10, 60);
                AnswerCache after = empty();
                CacheReader reader = after.newReader();
                Packets packets = new Packets()) {
            before.save(file, NOW);
            after.insert(Packets.addresses(name(1), 60, 77 << 8, 1), NOW);
            after.load(file, NOW);
            assertThat(packets.firstAddress(reader, name(1), NOW)).isEqualTo(77 << 8);
        }
    }

    @Test
    void aFullRingIsSavedInWhole() throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        try (AnswerCache before = AnswerCache.open(CacheOptions.ofSize(1 << 20), new Random(3));
                AnswerCache after = empty()) {
            for (int i = 0; i < 100_000; i++) {
                before.insert(Packets.addresses(name(i), 60, i << 8, 1 + i % 6), NOW);
            }
            before.save(file, NOW);
            assertThat(after.load(file, NOW)).isEqualTo(before.stats().entries());
        }
    }

    @Test
    void aFileCutAnywhereIsRefusedAndTheCacheStaysEmpty() throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        final Path cut = directory.resolve("cut.snapshot");
        try (AnswerCache before = filled(ENTRIES, 60);
                AnswerCache after = empty()) {
            before.save(file, NOW);
            final byte[] octets = Files.readAllBytes(file);
            for (int length = 0; length < octets.length; length += 4_096) {
                Files.write(cut, Arrays.copyOf(octets, length));
                assertThatThrownBy(() -> after.load(cut, NOW))
                        .as("cut to %d octets", length)
                        .isInstanceOf(SnapshotException.class)
                        .hasMessageContaining("cut.snapshot is not used")
                        .hasMessageNotContaining("\n");
            }
            assertThat(after.stats().entries()).isZero();
        }
    }

    @Test
    void anyOctetThatIsDamagedIsFound() throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        final Random random = new Random(4);
        try (AnswerCache before = filled(2_000, 60);
                AnswerCache after = empty()) {
            before.save(file, NOW);
            final long length = Files.size(file);
            for (int round = 0; round < 300; round++) {
                final long at = round < 28 ? round : random.nextLong(length);
                flip(file, at);
                assertThatThrownBy(() -> after.load(file, NOW))
                        .as("octet %d", at)
                        .isInstanceOf(SnapshotException.class);
                flip(file, at);
            }
            assertThat(after.stats().entries()).isZero();
            assertThat(after.load(file, NOW)).isEqualTo(2_000);
        }
    }

    private static void flip(Path file, long at) throws IOException {
        try (RandomAccessFile octets = new RandomAccessFile(file.toFile(), "rw")) {
            octets.seek(at);
            final int octet = octets.read();
            octets.seek(at);
            octets.write(octet ^ 0x41);
        }
    }

    /** Whatever a crash leaves of the new file, the old one is what is loaded. */
    @Test
    void aCrashWhileSavingLeavesTheOldFile() throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        try (AnswerCache old = filled(100, 60);
                AnswerCache fresh = filled(ENTRIES, 60)) {
            fresh.save(file, NOW);
            final byte[] octets = Files.readAllBytes(file);
            old.save(file, NOW);
            for (int length = 0; length < octets.length; length += 4_096) {
                Files.write(directory.resolve("cache.snapshot.new"), Arrays.copyOf(octets, length));
                try (AnswerCache after = empty()) {
                    assertThat(after.load(file, NOW)).isEqualTo(100);
                }
            }
            fresh.save(file, NOW);
            assertThat(Files.readAllBytes(file)).hasSameSizeAs(octets);
        }
    }

    @Test
    void marksComeBack() throws Exception {
        final Path file = directory.resolve("cache.snapshot");
        try (AnswerCache before = filled(10, 60);
                AnswerCache after = empty();
                CacheReader reader = before.newReader();
                CacheReader again = after.newReader();
                Packets packets = new Packets()) {
            for (int i = 0; i < 3; i++) {
                packets.firstAddress(reader, name(1), NOW);
            }
            before.save(file, NOW);
            after.load(file, NOW);
            packets.ask(name(1), RecordType.A, 0x100, 0, false);
            packets.firstAddress(again, name(1), NOW + 56);
            assertThat(again.notes(0) & CacheReader.RENEW).isNotZero();
            packets.firstAddress(again, name(2), NOW + 56);
            assertThat(again.notes(0) & CacheReader.RENEW).isZero();
        }
    }
}
