package io.ananas.cache;

import io.ananas.message.ClientSubnet;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answer cache: any DNS answer, exact, in as few octets as we know how, within a budget that is
 * kept.
 *
 * <p>All entries lie in one piece of native memory of the size that {@link CacheOptions#size}
 * names, cut into {@link Shard shards}. {@link #insert} may be called by any thread. Lookups go
 * through a {@link CacheReader}, one per thread, take no lock and allocate nothing.
 *
 * <p>The key is name (in any case), type and class IN; the DO bit, payload size, cookies and
 * message id never split an entry. An answer that came for CD=1 is kept apart, and given to clients
 * that set CD only (RFC 6840, section 5.9).
 *
 * <p>Times are seconds since 1970, given by the caller.
 */
public final class AnswerCache implements AutoCloseable {
    /** Answers for subnets that one question may have. */
    public static final int MAX_SUBNETS = 1_024;

    private static final int CACHE_LINE = 64;
    private static final long SMALL = 16L << 20;
    private static final int WRITERS = 4;
    private static final int LEAST_SHARD = 64 << 10;
    private static final long LEAST_SCRATCH_SHARE = 192 << 10;
    private static final long MOST_SCRATCH_SHARE = 768 << 10;

    private final CacheOptions options;
    private final Mapping mapping;
    private final Scratch scratch = new Scratch();
    private final KeyHash hashes;
    private final Shard[] shards;
    private final Contents contents;
    private final int shardSize;
    private final int writers;
    private final BlockingQueue<CacheWriter> idleWriters = new LinkedBlockingQueue<>();
    private final Set<CacheReader> readers = ConcurrentHashMap.newKeySet();
    private volatile long limit;
    private final AtomicLong lent = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    private AnswerCache(CacheOptions options, RandomGenerator random) {
        this.options = options;
        limit = options.size();
        final long size = options.size() - scratchShare(options.size());
        final int count = Math.toIntExact((size + ShardLayout.MAX_SIZE - 1) / ShardLayout.MAX_SIZE);
        shardSize = (int) (size / count) & -CACHE_LINE;
        mapping = Mapping.reserve((long) shardSize * count, options.hugePages());
        hashes = new KeyHash(random);
        shards = new Shard[count];
        final long entryScratch = scratch.allocate((long) EntryReader.SCRATCH * count);
        for (int i = 0; i < count; i++) {
            shards[i] =
                    new Shard(
                            mapping.address() + (long) i * shardSize,
                            shardSize,
                            options.meanEntry(),
                            hashes,
                            new EntryReader(entryScratch + (long) i * EntryReader.SCRATCH));
        }
        contents = new Contents(shards);
        writers = options.size() < SMALL ? 1 : WRITERS;
        for (int i = 0; i < writers; i++) {
            idleWriters.add(newWriter());
        }
    }

    /** The part of the budget that readers and writers work in. */
    private static long scratchShare(long size) {
        return Math.clamp(size / 6, LEAST_SCRATCH_SHARE, MOST_SCRATCH_SHARE);
    }

    /**
     * Opens a cache and reserves its memory.
     *
     * @throws IllegalStateException if the system does not give the memory
     */
    public static AnswerCache open(CacheOptions options) {
        return open(options, new SecureRandom());
    }

    /**
     * As {@link #open(CacheOptions)}, with the source of the secret hash seed; for tests that want
     * to repeat a run.
     */
    public static AnswerCache open(CacheOptions options, RandomGenerator random) {
        return new AnswerCache(options, random);
    }

    /** What the cache was opened with. */
    public CacheOptions options() {
        return options;
    }

    /** A reader for one thread; it is closed with the cache if not before. */
    public CacheReader newReader() {
        requireOpen();
        final CacheReader reader =
                new CacheReader(this, hashes, mapping.address(), shardSize, shards.length);
        readers.add(reader);
        return reader;
    }

    void forget(CacheReader reader) {
        readers.remove(reader);
    }

    /** A writer for one thread that inserts much; others call {@link #insert}. */
    public CacheWriter newWriter() {
        requireOpen();
        return new CacheWriter(scratch, hashes, shards, options);
    }

    /**
     * Keeps an answer under its own question. Thread-safe.
     *
     * @param answer a response that was parsed without fault
     * @param now seconds since 1970
     * @return what became of it
     */
    public Insertion insert(MessageView answer, int now) {
        return withWriter(writer -> writer.insert(answer, now));
    }

    /**
     * Keeps an answer that an upstream gave for a client subnet (RFC 7871, section 7.3.1). With
     * scope 0 it serves everyone, unless the question itself had shown no address (source 0): then
     * only those who do not want to be known either. Thread-safe.
     *
     * @param subnet what was sent upstream, with the scope that came back
     */
    public Insertion insert(MessageView answer, ClientSubnet subnet, int now) {
        return withWriter(writer -> writer.insert(answer, subnet, now));
    }

    /**
     * As {@link #insert(MessageView, ClientSubnet, int)}, with bounds of its own for the lifetime,
     * such as those of a zone.
     *
     * @param subnet null for an answer that knows no subnets
     */
    public Insertion insert(
            MessageView answer, @Nullable ClientSubnet subnet, TtlBounds bounds, int now) {
        return withWriter(writer -> writer.insert(answer, subnet, bounds, now));
    }

    /**
     * Remembers that a question could not be answered (RFC 9520): for 1 second, then about twice as
     * long each time it fails again, at most 30. An answer, should there be one, stays beside it.
     * With CD in the response it holds for queries with CD only, otherwise for those without.
     * Thread-safe.
     *
     * @param failure the response that clients shall get, with its reasons
     * @return seconds for which it is remembered; 0 if it was not
     */
    public int insertFailure(MessageView failure, int now) {
        return withWriter(writer -> writer.insertFailure(failure, now));
    }

    private <T> T withWriter(Function<CacheWriter, T> work) {
        final CacheWriter writer = borrowWriter();
        try {
            requireOpen();
            return work.apply(writer);
        } finally {
            idleWriters.add(writer);
        }
    }

    /** A writer that nobody uses; waits for one where all are at work. */
    private CacheWriter borrowWriter() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return idleWriters.take();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Removes what expired long ago; to be called at least once a day, else lookups miss rather
     * than trust an expiry time that might have wrapped.
     */
    public void sweep(int now) {
        requireOpen();
        for (Shard shard : shards) {
            shard.sweep(now);
        }
    }

    /** What is held of a name, of all types and variants, and below it if wanted. */
    public List<CachedAnswer> list(Name name, boolean subtree, int limit, int now) {
        requireOpen();
        return contents.list(name, subtree, limit, now);
    }

    /** What is held of a name, of all types and variants, with its records. */
    public List<HeldAnswer> show(Name name, int now) {
        requireOpen();
        return contents.show(name, now);
    }

    /** Forgets all of a name, and what is below it if wanted; returns how many entries went. */
    public long flush(Name name, boolean subtree) {
        requireOpen();
        return contents.removeIf(entry -> Contents.concerns(entry, name, subtree));
    }

    /** Forgets what is held of a name and type, for all subnets; returns how many entries went. */
    public long flush(Name name, int type) {
        requireOpen();
        return contents.removeIf(
                entry -> entry.type() == type && Contents.concerns(entry, name, false));
    }

    /** Forgets denials and failures; returns how many entries went. */
    public long flushNegatives() {
        requireOpen();
        return contents.removeIf(entry -> entry.isNegative() || entry.isFailure());
    }

    /** The budget that holds now, in octets. */
    public long limit() {
        return limit;
    }

    /** The smallest budget that {@link #resize} takes. */
    public long leastLimit() {
        return workingShare() + (long) shards.length * LEAST_SHARD;
    }

    /** What readers and writers work in, or what is set aside for that if it is more. */
    private long workingShare() {
        return Math.max(scratchShare(options.size()), working());
    }

    private long working() {
        return scratch.octets() + readers.size() * CacheReader.SCRATCH + lent.get();
    }

    /**
     * Changes the budget while the cache is used. Who has to leave leaves at once, answers that
     * were not asked for first, and the memory goes back to the system; when this returns, no more
     * than the new budget is in use. One shard after the other is written anew; lookups that meet
     * it miss for that moment. Thread-safe.
     *
     * @param octets {@link #leastLimit} to {@link CacheOptions#size}
     */
    public synchronized void resize(long octets, int now) {
        requireOpen();
        if (octets < leastLimit() || octets > options.size()) {
            throw new IllegalArgumentException(
                    "the limit of a cache that was opened with %d octets: found %d, expected %d to %d"
                            .formatted(options.size(), octets, leastLimit(), options.size()));
        }
        final long share = (octets - workingShare()) / shards.length;
        for (Shard shard : shards) {
            shard.resize((int) Math.min(shardSize, share & -CACHE_LINE), now, mapping);
        }
        limit = octets;
    }

    /** Forgets everything. */
    public void flushAll() {
        requireOpen();
        for (Shard shard : shards) {
            shard.clear();
        }
    }

    /** Answers held; unlike {@link #stats}, which asks the system for memory, this is cheap. */
    public long entries() {
        requireOpen();
        return CacheStats.Sum.of(shards).entries;
    }

    /** The figures of this moment. */
    public CacheStats stats() {
        requireOpen();
        final CacheStats.Sum sum = CacheStats.Sum.of(shards);
        final long working = working();
        return new CacheStats(
                limit,
                mapping.resident() + working,
                working,
                sum.entries,
                sum.entryOctets,
                sum.logOctets,
                sum.indexOctets,
                sum.evictions,
                sum.expiredEvictions,
                shards.length,
                sum.rings,
                mapping.hugePages().name());
    }

    /**
     * Writes all answers to a file, beside the old one and then in its place; a crash leaves one of
     * the two. Lookups go on meanwhile.
     *
     * @return octets of the answers saved
     */
    public long save(Path file, int now) throws IOException {
        requireOpen();
        lent.addAndGet(Snapshot.BLOCK);
        try {
            return Snapshot.save(shards, file, now);
        } finally {
            lent.addAndGet(-Snapshot.BLOCK);
        }
    }

    /**
     * Loads what {@link #save} wrote, with the time since then taken off every TTL. Lookups and
     * insertions may go on meanwhile; what they brought is newer and stays.
     *
     * @return entries that were added
     * @throws SnapshotException if the file is damaged or not of this version; nothing of it is
     *     used
     * @throws IOException if it cannot be read
     */
    public long load(Path file, int now) throws IOException {
        requireOpen();
        lent.addAndGet(SnapshotLoader.BUFFERS);
        try {
            return new SnapshotLoader(file, shards, hashes, now).load();
        } finally {
            lent.addAndGet(-SnapshotLoader.BUFFERS);
        }
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new CacheClosedException();
        }
    }

    /**
     * Gives the memory back. Insertions, sweeps, flushes and the like that are under way in other
     * threads are waited for or end with an {@link CacheClosedException}; readers, and writers of
     * {@link #newWriter}, may not be in use any more.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        for (Shard shard : shards) {
            shard.close();
        }
        final List<CacheWriter> idle = Stream.generate(this::borrowWriter).limit(writers).toList();
        List.copyOf(readers).forEach(CacheReader::close);
        scratch.close();
        mapping.close();
        idleWriters.addAll(idle); // for those who wait for one, to find the cache closed
    }
}
