package io.ananas.recursor;

import io.ananas.message.Name;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The servers of one delegation, for one question: which to ask next.
 *
 * <p>The fastest is asked; of one never heard little time is expected, so each has its turn, and
 * now and then another is asked to see whether it has become better. A server that did not respond
 * is asked again, for longer, after others had their try. One that is lame, fails, or is known to
 * be dead is not asked; one dead until lately has a single try. Servers whose address is not known
 * are looked up when none of the others has responded. For one thread.
 */
final class ServerChoice {
    private static final int MAX_ATTEMPTS = 6;
    private static final int EXPLORE_ONE_IN = 20;

    private static final class Candidate {
        private final ServerRecord record;
        private final boolean probed;
        private int attempts;
        private int unreachable;
        private boolean out;

        Candidate(ServerRecord record) {
            this.record = record;
            probed = record.isProbed();
        }

        boolean isOpen() {
            return !out && attempts < (probed ? 1 : MAX_ATTEMPTS);
        }

        long cost() {
            final long waiting = attempts == 0 ? 0 : attempts * record.timeout(attempts).toNanos();
            return record.score() + waiting;
        }
    }

    private final Delegation delegation;
    private final RecursorOptions options;
    private final Infrastructure infrastructure;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Set<InetSocketAddress> avoided;
    private final List<Candidate> candidates = new ArrayList<>();
    private final Deque<Name> unknown = new ArrayDeque<>();
    private @Nullable Candidate current;
    private int lame;
    private int dead;

    ServerChoice(
            Delegation delegation,
            RecursorOptions options,
            Infrastructure infrastructure,
            LinkCache links,
            InstantSource clock,
            RandomGenerator random,
            Set<InetSocketAddress> avoided) {
        this.delegation = delegation;
        this.options = options;
        this.infrastructure = infrastructure;
        this.clock = clock;
        this.random = random;
        this.avoided = avoided;
        final List<Name> withoutAddress = new ArrayList<>();
        for (final NameServer server : delegation.servers()) {
            final List<InetSocketAddress> known =
                    ServerAddresses.known(server, delegation, links, options);
            known.forEach(this::add);
            if (known.isEmpty()) {
                withoutAddress.add(server.name());
            }
        }
        Collections.shuffle(withoutAddress, Random.from(random));
        unknown.addAll(withoutAddress);
    }

    /** Adds an address, if it may be asked. */
    void add(InetSocketAddress address) {
        if (!mayAsk(address) || avoided.contains(address)) {
            return;
        }
        for (final Candidate known : candidates) {
            if (known.record.address().equals(address)) {
                return;
            }
        }
        if (infrastructure.isLame(address, delegation.zone())) {
            lame++;
        } else if (infrastructure.isDead(address)) {
            dead++;
        } else {
            candidates.add(new Candidate(infrastructure.server(address)));
        }
    }

    private boolean mayAsk(InetSocketAddress address) {
        final boolean family =
                address.getAddress() instanceof Inet4Address ? options.ipv4() : options.ipv6();
        final boolean local =
                delegation.localAllowed()
                        || options.queryLocalNetworks()
                        || !Addresses.isLocal(address.getAddress());
        return family
                && local
                && infrastructure.isReachable(address)
                && !Addresses.isImpossible(address.getAddress());
    }

    /** The server to ask next; null if others have to be looked up first, or none is left. */
    @Nullable ServerRecord next() {
        final List<Candidate> open = candidates.stream().filter(Candidate::isOpen).toList();
        @Nullable Candidate best = null;
        for (final Candidate candidate : open) {
            if (best == null || candidate.cost() < best.cost()) {
                best = candidate;
            }
        }
        if (best == null || (best.attempts > 0 && !unknown.isEmpty())) {
            return null;
        }
        if (best.attempts == 0 && open.size() > 1 && random.nextInt(EXPLORE_ONE_IN) == 0) {
            best = open.get(random.nextInt(open.size()));
        }
        current = best;
        return best.record;
    }

    /** How often the server of {@link #next} was asked before; counts this time. */
    int attempt() {
        return current == null ? 0 : current.attempts++;
    }

    /** A server whose address is to be looked up; null if there is none. */
    @Nullable Name nextUnknown() {
        return unknown.poll();
    }

    /** Whether there are servers whose address could be looked up. */
    boolean hasUnknown() {
        return !unknown.isEmpty();
    }

    /** No more servers are looked up. */
    void stopLookingUp() {
        unknown.clear();
    }

    /** The server of {@link #next} could not even be sent to. */
    void isUnreachable() {
        if (current != null && ++current.unreachable > 1) {
            current.out = true;
            current.record.gaveUp(clock.millis());
        }
        if (current != null) {
            infrastructure.isUnreachable(current.record.address());
        }
    }

    /** The server of {@link #next} is of no use for this question. */
    void exclude() {
        if (current != null) {
            current.out = true;
        }
    }

    /** The server of {@link #next} is of no use for this zone. */
    void excludeLame() {
        if (current != null) {
            current.out = true;
            infrastructure.markLame(current.record.address(), delegation.zone());
        }
    }

    /** The server of {@link #next} answered. */
    void isSound() {
        if (current != null) {
            infrastructure.isReached(current.record.address());
            infrastructure.markSound(current.record.address(), delegation.zone());
            current.attempts = 0;
        }
    }

    /** The question is given up: those that were asked more than once in vain count as dead. */
    void giveUp() {
        for (final Candidate candidate : candidates) {
            if (!candidate.out
                    && (candidate.attempts > 1 || (candidate.probed && candidate.attempts > 0))) {
                candidate.record.gaveUp(clock.millis());
            }
        }
    }

    /** Why there is nobody to ask, for people. */
    String text() {
        if (lame + dead == 0) {
            return candidates.isEmpty()
                    ? "no address of a server of %s".formatted(delegation.zone())
                    : "";
        }
        return "left alone for a while: %d silent and %d lame servers of %s"
                .formatted(dead, lame, delegation.zone());
    }
}
