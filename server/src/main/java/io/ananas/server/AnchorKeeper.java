package io.ananas.server;

import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.recursor.Recursor;
import io.ananas.recursor.Resolution;
import io.ananas.recursor.dnssec.ManagedKeys;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for the keys of the trust anchors when their time has come (RFC 5011, section 2.3): at the
 * start, and then as the keys themselves say. Thread-safe.
 */
final class AnchorKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(AnchorKeeper.class);
    private static final int RETRY_SECONDS = 3_600;

    private final ManagedKeys keys;
    private final Recursor recursor;
    private final InstantSource clock;
    private final Map<Name, Instant> due = new ConcurrentHashMap<>();
    private final AtomicBoolean busy = new AtomicBoolean();

    AnchorKeeper(ManagedKeys keys, Recursor recursor, InstantSource clock) {
        this.keys = keys;
        this.recursor = recursor;
        this.clock = clock;
        keys.zones().forEach(zone -> due.put(zone, clock.instant()));
    }

    /** Refreshes what is due, on a thread of its own. */
    void tick() {
        final Instant now = clock.instant();
        if (due.values().stream().anyMatch(time -> !time.isAfter(now))
                && busy.compareAndSet(false, true)) {
            Thread.ofVirtual().name("trust-anchors").start(() -> refreshDue(now));
        }
    }

    private void refreshDue(Instant now) {
        try {
            due.replaceAll((zone, time) -> time.isAfter(now) ? time : refresh(zone, now));
        } finally {
            busy.set(false);
        }
    }

    private Instant refresh(Name zone, Instant now) {
        try {
            return keys.refresh(zone, this::fetch);
        } catch (IOException e) {
            LOG.error(
                    "The state of the trust anchors cannot be written and is kept in memory, to be tried again in an hour: {}",
                    e.toString());
            return now.plusSeconds(RETRY_SECONDS);
        }
    }

    private @Nullable MessageView fetch(Name name, int type) {
        final Resolution resolution = recursor.refresh(name, type, true);
        return resolution.isFailure() ? null : resolution.view();
    }
}
