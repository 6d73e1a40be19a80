package io.ananas.cache;

import io.ananas.message.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Reads what {@link Snapshot} has written; format and rules stand there. For one file. */
final class SnapshotLoader {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int BEYOND_END = 1 << 10;

    private final Path file;
    private final Shard[] shards;
    private final KeyHash hashes;
    private final int now;

    SnapshotLoader(Path file, Shard[] shards, KeyHash hashes, int now) {
        this.file = file;
        this.shards = shards;
        this.hashes = hashes;
        this.now = now;
    }

    /**
     * Loads the file; returns the number of entries that are in the cache now and were not before.
     *
     * @throws SnapshotException if the file is damaged or foreign
     */
    long load() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            final MemorySegment octets =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            final long blocks = check(octets);
            final int saved = octets.get(INT, 12);
            final long scratch = arena.allocate(EntryReader.SCRATCH, 8).address();
            final EntryReader reader = new EntryReader(scratch);
            long loaded = 0;
            long at = Snapshot.HEADER_LENGTH;
            for (long block = 0; block < blocks; block++) {
                final int length = octets.get(INT, at);
                // a copy, because reading may go some octets beyond an entry's end
                final MemorySegment copy = arena.allocate((long) length + BEYOND_END, 8);
                MemorySegment.copy(octets, at + Snapshot.BLOCK_HEAD, copy, 0, length);
                loaded += loadBlock(reader, copy.address(), length, saved);
                at += Snapshot.BLOCK_HEAD + length;
            }
            return loaded;
        }
    }

    /** Looks at all of the file; returns the number of its blocks. */
    private long check(MemorySegment octets) throws SnapshotException {
        if (octets.byteSize() < Snapshot.HEADER_LENGTH + Snapshot.TRAILER_LENGTH
                || octets.get(LONG, 0) != Snapshot.MAGIC) {
            throw refuse("it is not a snapshot of this cache");
        }
        if (octets.get(INT, 8) != Snapshot.VERSION) {
            throw refuse(
                    "it has version %d, expected %d"
                            .formatted(octets.get(INT, 8), Snapshot.VERSION));
        }
        if (octets.get(INT, 24) != checksum(octets, 0, 24)) {
            throw refuse("its header is damaged");
        }
        if (octets.get(LONG, 16) != NameModel.standard().fingerprint()) {
            throw refuse("its names are in another code");
        }
        return checkBlocks(octets);
    }

    private long checkBlocks(MemorySegment octets) throws SnapshotException {
        final CRC32C sums = new CRC32C();
        long at = Snapshot.HEADER_LENGTH;
        long blocks = 0;
        while (true) {
            if (at + Snapshot.TRAILER_LENGTH > octets.byteSize()) {
                throw refuse("it is cut at octet " + octets.byteSize());
            }
            final int length = octets.get(INT, at);
            if (length == 0) {
                break;
            }
            final long end = at + Snapshot.BLOCK_HEAD + length;
            if (length < 0 || end > octets.byteSize()) {
                throw refuse("it is cut at octet " + octets.byteSize());
            }
            final int sum = octets.get(INT, at + 4);
            if (sum != checksum(octets, at + Snapshot.BLOCK_HEAD, length)) {
                throw refuse("the block at octet " + at + " is damaged");
            }
            Snapshot.updateInt(sums, sum);
            blocks++;
            at = end;
        }
        if (octets.get(INT, at + 12) != (int) sums.getValue()
                || at + Snapshot.TRAILER_LENGTH != octets.byteSize()) {
            throw refuse("its end is damaged");
        }
        return blocks;
    }

    private static int checksum(MemorySegment octets, long from, long length) {
        return Snapshot.checksum(octets.asSlice(from, length).asByteBuffer());
    }

    private SnapshotException refuse(String why) {
        return new SnapshotException(
                "snapshot " + file + " is not used: " + why + "; the cache starts empty");
    }

    private long loadBlock(EntryReader reader, long block, int length, int saved) {
        final EntryKey key = new EntryKey();
        final long end = block + length;
        long loaded = 0;
        long at = block;
        while (at + 1 + EntryLayout.HEADER < end) {
            final long entry = at + 1;
            if (!reader.read(entry, end)) {
                throw new IllegalStateException(
                        "a sound block of " + file + " holds no sound entry; please report this");
            }
            final int octets = reader.lengthOfHashed();
            if (age(entry, saved)) {
                final long hash = reader.hash(entry, end, hashes);
                reader.nameKey(key);
                final Shard shard = shards[(int) (((hash >>> 40) * shards.length) >>> 24)];
                loaded +=
                        shard.restore(entry, octets, hash, key, Memory.getByte(at) & 3, now)
                                ? 1
                                : 0;
            }
            at = entry + octets;
        }
        return loaded;
    }

    /** Lets the time away pass for an entry; false if it is not worth keeping any more. */
    private boolean age(long entry, int saved) {
        final int header = Memory.getIntLE(entry);
        final int away = Math.max(0, now - saved);
        final int remaining = EntryLayout.remaining(header, saved);
        if (remaining > CacheOptions.MAX_TTL || (long) remaining - away < -Shard.MAX_STALE) {
            return false;
        }
        Memory.putIntLE(
                entry,
                header & ~EntryLayout.EXPIRY_MASK
                        | (now + remaining - away) & EntryLayout.EXPIRY_MASK);
        return true;
    }
}
