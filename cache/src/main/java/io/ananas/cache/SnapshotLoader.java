package io.ananas.cache;

import io.ananas.message.Memory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/** Reads what {@link Snapshot} has written; format and rules stand there. For one file. */
final class SnapshotLoader {
    private static final int BEYOND_END = 1 << 10;
    private static final int THREADS = Math.min(2, Runtime.getRuntime().availableProcessors());

    /** Octets of native memory that loading takes meanwhile. */
    static final long BUFFERS = (long) THREADS * (Snapshot.BLOCK + BEYOND_END);

    private static final ThreadFactory LOADERS =
            Thread.ofPlatform().name("snapshot-", 0).daemon().factory();

    private final Path file;
    private final Shard[] shards;
    private final KeyHash hashes;
    private final int now;
    private int saved;

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
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            final long[] blocks = check(channel);
            final int count = Math.clamp(blocks.length, 1, THREADS);
            final AtomicInteger next = new AtomicInteger();
            try (ExecutorService loaders = Executors.newFixedThreadPool(count, LOADERS)) {
                final List<Future<Long>> parts = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    parts.add(loaders.submit(() -> loadSome(channel, blocks, next)));
                }
                long loaded = 0;
                for (Future<Long> part : parts) {
                    loaded += part.get();
                }
                return loaded;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException io) {
                    throw io;
                }
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while loading " + file);
            }
        }
    }

    /** Loads block after block until none is left, through a buffer of one block. */
    private long loadSome(FileChannel channel, long[] blocks, AtomicInteger next)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final EntryReader reader =
                    new EntryReader(arena.allocate(EntryReader.SCRATCH, 8).address());
            // reading may go some octets beyond an entry's end
            final MemorySegment room = arena.allocate(Snapshot.BLOCK + BEYOND_END, 8);
            final ByteBuffer block = buffer(room);
            long loaded = 0;
            for (int i = next.getAndIncrement(); i < blocks.length; i = next.getAndIncrement()) {
                readBlock(channel, block, blocks[i]);
                final int length = block.getInt(0);
                final long entries = room.address() + Snapshot.BLOCK_HEAD;
                if (checksum(block, Snapshot.BLOCK_HEAD, length) != block.getInt(4)) {
                    throw new IOException(file + " was changed while it was loaded");
                }
                loaded += loadBlock(reader, entries, length);
            }
            return loaded;
        }
    }

    private static ByteBuffer buffer(MemorySegment room) {
        return room.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Reads as much as there is of a block at an octet of the file. */
    private static void readBlock(FileChannel channel, ByteBuffer block, long at)
            throws IOException {
        block.clear().limit(Snapshot.BLOCK);
        long from = at;
        while (block.hasRemaining()) {
            final int octets = channel.read(block, from);
            if (octets < 0) {
                break;
            }
            from += octets;
        }
        block.flip();
    }

    /** Looks at all of the file; returns where its blocks begin. */
    private long[] check(FileChannel channel) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final ByteBuffer block = buffer(arena.allocate(Snapshot.BLOCK, 8));
            readBlock(channel, block, 0);
            if (channel.size() < Snapshot.HEADER_LENGTH + Snapshot.TRAILER_LENGTH
                    || block.getLong(0) != Snapshot.MAGIC) {
                throw refuse("it is not a snapshot of this cache");
            }
            if (block.getInt(8) != Snapshot.VERSION) {
                throw refuse(
                        "it has version %d, expected %d"
                                .formatted(block.getInt(8), Snapshot.VERSION));
            }
            if (block.getInt(24) != checksum(block, 0, 24)) {
                throw refuse("its header is damaged");
            }
            if (block.getLong(16) != NameModel.standard().fingerprint()) {
                throw refuse("its names are in another code");
            }
            saved = block.getInt(12);
            return checkBlocks(channel, block);
        }
    }

    private long[] checkBlocks(FileChannel channel, ByteBuffer block) throws IOException {
        final CRC32C sums = new CRC32C();
        final LongStream.Builder blocks = LongStream.builder();
        long at = Snapshot.HEADER_LENGTH;
        while (true) {
            readBlock(channel, block, at);
            if (block.limit() < Snapshot.TRAILER_LENGTH) {
                throw refuse("it is cut at octet " + channel.size());
            }
            final int length = block.getInt(0);
            if (length == 0) {
                break;
            }
            if (length < 0 || length > Snapshot.BLOCK - Snapshot.BLOCK_HEAD) {
                throw refuse("the block at octet " + at + " is damaged");
            }
            if (Snapshot.BLOCK_HEAD + length > block.limit()) {
                throw refuse("it is cut at octet " + channel.size());
            }
            final int sum = block.getInt(4);
            if (sum != checksum(block, Snapshot.BLOCK_HEAD, length)) {
                throw refuse("the block at octet " + at + " is damaged");
            }
            Snapshot.updateInt(sums, sum);
            blocks.add(at);
            at += Snapshot.BLOCK_HEAD + length;
        }
        if (block.getInt(12) != (int) sums.getValue()
                || at + Snapshot.TRAILER_LENGTH != channel.size()) {
            throw refuse("its end is damaged");
        }
        return blocks.build().toArray();
    }

    private static int checksum(ByteBuffer block, int from, int length) {
        return Snapshot.checksum(block.slice(from, length));
    }

    private SnapshotException refuse(String why) {
        return new SnapshotException(
                "snapshot " + file + " is not used: " + why + "; the cache starts empty");
    }

    private long loadBlock(EntryReader reader, long block, int length) {
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
            if (age(entry)) {
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
    private boolean age(long entry) {
        final int header = Memory.getIntLE(entry);
        final int away = Math.max(0, now - saved);
        final int remaining = EntryLayout.remaining(header, saved);
        if (remaining > CacheOptions.MAX_TTL || (long) remaining - away < -Shard.MAX_STALE) {
            return false;
        }
        Memory.putIntLE(
                entry,
                (header & ~EntryLayout.EXPIRY_MASK)
                        | ((now + remaining - away) & EntryLayout.EXPIRY_MASK));
        return true;
    }
}
