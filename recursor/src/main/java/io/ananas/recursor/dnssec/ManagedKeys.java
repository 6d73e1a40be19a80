package io.ananas.recursor.dnssec;

import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.recursor.AnswerValidator.Fetcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trust anchors that follow the roll-over of their keys (RFC 5011), remembered in a file.
 *
 * <pre>
 *                  seen                30 days on, seen again
 *   (unknown) -----------> PENDING ---------------------------> VALID <--+
 *                 |  gone     |                       | gone |           | back
 *                 +-----------+                       v      |           |
 *                                     revoke bit   MISSING --|-----------+
 *                                          |          |      |
 *                                          v          v      v
 *                                       REVOKED  <--- revoke bit, signed by itself
 *                                          |  30 days on, gone
 *                                          v
 *                                       REMOVED
 * </pre>
 *
 * <p>Only keys with the SEP bit count. What is seen counts only in a DNSKEY RRset that a valid
 * anchor has signed. The configured anchors stay anchors besides the valid and the missing keys,
 * until their key is revoked; so a first start needs no state, and neither does a key that comes
 * with an update of this software.
 *
 * <p>Somebody must call {@link #refresh} when the time that it gives has come. Thread-safe.
 */
public final class ManagedKeys implements AnchorSource {
    /** A key is an anchor after it has been seen for so long (RFC 5011, section 2.4.1). */
    static final Duration ADD_HOLD_DOWN = Duration.ofDays(30);

    /** A revoked key is forgotten after so long (section 2.4.2). */
    static final Duration REMOVE_HOLD_DOWN = Duration.ofDays(30);

    private static final Duration SHORTEST = Duration.ofHours(1);
    private static final Duration LONGEST = Duration.ofDays(15);
    private static final Logger LOG = LoggerFactory.getLogger(ManagedKeys.class);

    private final TrustAnchors configured;
    private final Path file;
    private final InstantSource clock;
    private final RrsetVerifier verifier = new RrsetVerifier(1);
    private final ZoneKeys zoneKeys = new ZoneKeys(verifier);
    private final Map<Name, List<ManagedKey>> keys = new TreeMap<>();
    private boolean unsaved;

    /**
     * Reads the state from {@code file} if it is there; otherwise starts with what is configured.
     *
     * @throws IOException if the file is there and cannot be read
     * @throws IllegalArgumentException if it holds something else; the message says which line
     */
    public ManagedKeys(TrustAnchors configured, Path file, InstantSource clock) throws IOException {
        this.configured = configured;
        this.file = file;
        this.clock = clock;
        if (Files.exists(file)) {
            final List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                final String line = lines.get(i).strip();
                if (!line.isEmpty() && !line.startsWith(";")) {
                    final ManagedKey key = ManagedKey.parse(line, file + ", line " + (i + 1));
                    keysOf(key.zone()).add(key);
                }
            }
        }
    }

    private List<ManagedKey> keysOf(Name zone) {
        return keys.computeIfAbsent(zone, it -> new ArrayList<>());
    }

    /** The zones to be refreshed. */
    public List<Name> zones() {
        return configured.zones().stream().sorted().toList();
    }

    /** One line per key with its state, for people. */
    public synchronized List<String> state() {
        return keys.values().stream().flatMap(List::stream).map(ManagedKey::toString).toList();
    }

    @Override
    public synchronized @Nullable Name closestAnchor(Name name) {
        Name at = configured.closestAnchor(name);
        while (at != null && at(at) == null) {
            at = at.isRoot() ? null : configured.closestAnchor(at.parent());
        }
        return at;
    }

    /** The anchors of a zone; null if there are none, or none is left. */
    synchronized @Nullable TrustPoint at(Name zone) {
        final TrustPoint point = configured.at(zone);
        if (point == null) {
            return null;
        }
        final List<ManagedKey> managed = keys.getOrDefault(zone, List.of());
        final List<DelegationSigner> signers = new ArrayList<>(point.delegationSigners());
        final List<Dnskey> anchors = new ArrayList<>(point.keys());
        for (final ManagedKey key : managed) {
            if (key.isRevoked()) {
                signers.removeIf(ds -> ds.matches(zone, key.key()));
                anchors.removeIf(it -> it.isSameKey(key.key()));
            }
        }
        managed.stream().filter(ManagedKey::isAnchor).map(ManagedKey::key).forEach(anchors::add);
        return signers.isEmpty() && anchors.isEmpty()
                ? null
                : new TrustPoint(zone, signers, anchors);
    }

    /**
     * Asks for the keys of {@code zone}, and moves every key on that its time has come for. What
     * changed is written to the file.
     *
     * @return when to ask again: within an hour to 15 days (RFC 5011, section 2.3); an hour from
     *     now if the keys could not be fetched or validated
     * @throws IOException if the file cannot be written; the new state counts all the same, and is
     *     written with the next refresh
     */
    public Instant refresh(Name zone, Fetcher fetcher) throws IOException {
        try {
            return refresh(zone, fetcher, clock.instant());
        } catch (WorkExhausted e) {
            LOG.warn("The keys of {} could not be refreshed: {}", zone, e.getMessage());
            return clock.instant().plus(SHORTEST);
        }
    }

    private Instant refresh(Name zone, Fetcher fetcher, Instant now) throws IOException {
        final Work work =
                new Work(
                        ValidationLimits.DEFAULT,
                        new ValidationStatistics(),
                        fetcher,
                        now.getEpochSecond());
        final TrustPoint point = at(zone);
        if (point == null) {
            LOG.warn("All trust anchors of {} are revoked: nothing is validated by them", zone);
            return now.plus(LONGEST);
        }
        final MessageView response = work.fetch(zone, RecordType.DNSKEY);
        final ZoneTrust trust = zoneKeys.read(point.usable(), Long.MAX_VALUE, response, work);
        if (response == null || !(trust instanceof ZoneTrust.Secure)) {
            LOG.warn("The keys of {} could not be refreshed: {}", zone, trust);
            return now.plus(SHORTEST);
        }
        final Rrset set = Section.of(response, MessageView.ANSWER).get(zone, RecordType.DNSKEY);
        if (set == null) {
            return now.plus(SHORTEST);
        }
        update(point, set, now, work);
        save();
        return now.plus(interval(set, now));
    }

    private synchronized void update(TrustPoint point, Rrset set, Instant now, Work work) {
        final Name zone = point.zone();
        final List<Dnskey> seen = ZoneKeys.parse(set);
        final List<ManagedKey> known = keysOf(zone);
        final List<ManagedKey> next = new ArrayList<>();
        for (final ManagedKey key : known) {
            final Dnskey found = find(seen, key.key());
            final boolean revoked =
                    found != null && found.isRevoked() && signedItself(set, zone, found, work);
            final ManagedKey moved =
                    revoked
                            ? key.revoke(now)
                            : key.observe(found != null && !found.isRevoked(), now);
            if (moved != null) {
                next.add(moved);
            }
        }
        final List<Dnskey> entries = ZoneKeys.entryPoints(point, seen, work);
        for (final Dnskey key : seen) {
            if (known.stream().noneMatch(it -> it.key().isSameKey(key))) {
                final ManagedKey.State state = first(key, entries, point, set, work);
                if (state != null) {
                    next.add(new ManagedKey(zone, key, state, now));
                }
            }
        }
        if (!next.equals(known)) {
            next.stream()
                    .filter(it -> !known.contains(it))
                    .forEach(it -> LOG.info("Trust anchor {}", it));
            keys.put(zone, next);
            unsaved = true;
        }
    }

    /** The state of a key seen for the first time; null if it is not to be followed. */
    private ManagedKey.@Nullable State first(
            Dnskey key, List<Dnskey> entries, TrustPoint point, Rrset set, Work work) {
        if (key.maySignZone() && key.isSecureEntryPoint()) {
            return entries.contains(key) ? ManagedKey.State.VALID : ManagedKey.State.PENDING;
        }
        return isRevokedAnchor(point, set, key, work) ? ManagedKey.State.REVOKED : null;
    }

    private static @Nullable Dnskey find(List<Dnskey> seen, Dnskey key) {
        for (final Dnskey it : seen) {
            if (it.isSameKey(key)) {
                return it;
            }
        }
        return null;
    }

    /** A configured anchor that comes revoked when it is seen for the first time. */
    private boolean isRevokedAnchor(TrustPoint point, Rrset set, Dnskey key, Work work) {
        if (!key.isRevoked() || !key.isSecureEntryPoint()) {
            return false;
        }
        final Dnskey before = key.withoutRevocation();
        final boolean anchor =
                point.keys().contains(before)
                        || point.delegationSigners().stream()
                                .anyMatch(ds -> ds.matches(point.zone(), before));
        return anchor && signedItself(set, point.zone(), key, work);
    }

    private boolean signedItself(Rrset set, Name zone, Dnskey key, Work work) {
        return verifier.verify(set, zone, List.of(key), work) instanceof Valid;
    }

    private static Duration interval(Rrset set, Instant now) {
        long seconds = set.ttl() / 2;
        for (final Rrsig signature : set.signatures()) {
            final int left = signature.expiration() - (int) now.getEpochSecond();
            seconds = Math.min(seconds, left / 2);
        }
        return Duration.ofSeconds(Math.clamp(seconds, SHORTEST.toSeconds(), LONGEST.toSeconds()));
    }

    private synchronized void save() throws IOException {
        if (!unsaved) {
            return;
        }
        final List<String> lines = new ArrayList<>();
        lines.add(
                "; Trust anchors that are managed (RFC 5011). Written by the resolver: do not edit");
        lines.add("; while it runs. zone, flags, protocol, algorithm, key, state, since when.");
        keys.values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(ManagedKey::zone))
                .map(ManagedKey::toLine)
                .forEach(lines::add);
        final Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.write(fresh, lines);
        Files.move(
                fresh,
                file,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING,
                java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        unsaved = false;
    }
}
