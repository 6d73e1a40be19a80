package io.ananas.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A cache on disk, for a warm restart.
 *
 * <pre>
 *  file    = header block* trailer               all numbers little-endian
 *  header  = magic (8) version (4) saved (4, seconds since 1970) name model (8) CRC-32C of it (4)
 *  block   = octets (4, above 0) CRC-32C of the entries (4) entry*
 *  entry   = mark (1) and the entry as it stands in the log ({@link EntryLayout})
 *  trailer = 0 (4) octets of all blocks (8) CRC-32C of all block checksums (4)
 * </pre>
 *
 * <p><b>Saving</b> writes a file beside the old one, forces it to disk and renames it over the old
 * one, so that a crash at any octet leaves the old one or the new one. Each shard is copied under
 * its monitor and written outside.
 *
 * <p><b>Loading</b> looks at the whole file first; a file that is cut, damaged, of another version
 * or of another name model is refused and nothing of it is used. Then entries go in one by one,
 * beside the traffic, and never in place of one that came meanwhile, through buffers of a block
 * each. An expiry is what it was less the time away; a clock that was set back does not lengthen
 * any.
 */
final class Snapshot {
    static final int HEADER_LENGTH = 28;
    static final int BLOCK_HEAD = 8;
    static final int TRAILER_LENGTH = 16;
    static final long MAGIC = 0x31_50_4e_53_41_4e_41_41L; // "AANASNP1"
    static final int VERSION = 2;

    /** A block with its head has at most so many octets. */
    static final int BLOCK = 128 << 10;

    private static final int MAX_BLOCKS = 4 * ShardLayout.MAX_SIZE / BLOCK;

    private Snapshot() {}

    /** Writes all shards; returns the octets of their entries. */
    static long save(Shard[] shards, Path file, int now) throws IOException {
        final Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + " is no file in a directory");
        }
        Files.createDirectories(directory);
        final Path fresh = directory.resolve(file.getFileName() + ".new");
        final long octets;
        try (FileChannel out =
                FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            octets = write(shards, out, now);
            out.force(true);
        }
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel forced = FileChannel.open(directory, StandardOpenOption.READ)) {
            forced.force(true);
        }
        return octets;
    }

    private static long write(Shard[] shards, FileChannel out, int now) throws IOException {
        writeAll(out, header(now));
        final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
        final CRC32C sums = new CRC32C();
        long octets = 0;
        for (Shard shard : shards) {
            long at = 0;
            for (int blocks = 0; at >= 0 && blocks < MAX_BLOCKS; blocks++) {
                block.clear().position(BLOCK_HEAD);
                at = shard.copyTo(block, at);
                octets += writeBlock(out, block, sums);
            }
        }
        final ByteBuffer trailer =
                ByteBuffer.allocate(TRAILER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        trailer.putInt(0).putLong(octets).putInt((int) sums.getValue());
        writeAll(out, trailer.flip());
        return octets;
    }

    private static int writeBlock(FileChannel out, ByteBuffer block, CRC32C sums)
            throws IOException {
        final int octets = block.position() - BLOCK_HEAD;
        if (octets > 0) {
            final int sum =
                    checksum(block.duplicate().position(BLOCK_HEAD).limit(BLOCK_HEAD + octets));
            block.putInt(0, octets).putInt(4, sum);
            updateInt(sums, sum);
            writeAll(out, block.flip());
        }
        return octets;
    }

    private static ByteBuffer header(int now) {
        final ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC).putInt(VERSION).putInt(now);
        header.putLong(NameModel.standard().fingerprint());
        header.putInt(checksum(header.duplicate().flip()));
        return header.flip();
    }

    static int checksum(ByteBuffer octets) {
        final CRC32C sum = new CRC32C();
        sum.update(octets);
        return (int) sum.getValue();
    }

    static void updateInt(CRC32C sum, int value) {
        sum.update(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).flip());
    }

    private static void writeAll(FileChannel out, ByteBuffer octets) throws IOException {
        while (octets.hasRemaining()) {
            out.write(octets);
        }
    }
}
