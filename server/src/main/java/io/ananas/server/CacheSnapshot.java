package io.ananas.server;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheClosedException;
import io.ananas.cache.SnapshotException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the cache over a restart: loads it in the background while clients are served already, and
 * saves it every so often and at the end. A file that is damaged or of another version is left
 * alone with one line in the log, and so is one that cannot be written. Thread-safe.
 */
final class CacheSnapshot {
    private static final Logger LOG = LoggerFactory.getLogger(CacheSnapshot.class);

    private final AnswerCache cache;
    private final Path file;
    private final InstantSource clock;
    private @Nullable Thread loading;

    CacheSnapshot(AnswerCache cache, Path file, InstantSource clock) {
        this.cache = cache;
        this.file = file;
        this.clock = clock;
    }

    /** Begins to load, and to save at an interval. */
    void start(Duration interval, Housekeeping housekeeping) {
        loading = Thread.ofPlatform().name("snapshot").daemon().start(this::load);
        housekeeping.everyInBackground(interval, "snapshot", this::save);
    }

    private int now() {
        return (int) (clock.millis() / 1_000);
    }

    private synchronized void load() {
        if (!Files.exists(file)) {
            return;
        }
        try {
            final long start = System.nanoTime();
            final long entries = cache.load(file, now());
            LOG.info(
                    "{} answers from {} in {} ms",
                    entries,
                    file,
                    (System.nanoTime() - start) / 1_000_000);
        } catch (CacheClosedException e) {
            LOG.info("the server ended before all of {} was loaded", file);
        } catch (SnapshotException e) {
            LOG.warn("{}", e.getMessage());
        } catch (IOException e) {
            LOG.warn("starting with an empty cache: {} cannot be read: {}", file, e.toString());
        }
    }

    /** Waits until the file is loaded. */
    void awaitLoaded() throws InterruptedException {
        if (loading != null) {
            loading.join();
        }
    }

    private synchronized void save() {
        try {
            cache.save(file, now());
        } catch (IOException e) {
            LOG.warn("the cache could not be saved to {}: {}", file, e.toString());
        }
    }

    /** Saves for the last time; not if what is there is still being read, for it holds more. */
    void finish() {
        if (loading == null || !loading.isAlive()) {
            save();
        }
    }
}
