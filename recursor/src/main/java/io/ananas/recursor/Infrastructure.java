package io.ananas.recursor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.ananas.message.Name;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * What is known of the servers of the world: one {@link ServerRecord} per address, and for which
 * zones an address is of no use. Where several packets over IPv6 in a row could not even be sent,
 * this host has none, and IPv6 is left alone for a minute. Bounded; thread-safe.
 */
final class Infrastructure {
    private static final long FIRST_LAME_MILLIS = 5_000;

    private static final int UNREACHABLE_6 = 4;
    private static final long QUIET_6_MILLIS = 60_000;

    private record Service(InetSocketAddress address, Name zone) {}

    private final Cache<InetSocketAddress, ServerRecord> servers;
    private final Cache<Service, BackOff> lame;
    private final UpstreamFactory upstreams;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final AtomicInteger unreachable6 = new AtomicInteger();
    private volatile long quiet6Until;

    Infrastructure(
            long maximum, UpstreamFactory upstreams, InstantSource clock, RandomGenerator random) {
        this.upstreams = upstreams;
        this.clock = clock;
        this.random = random;
        servers = Caffeine.newBuilder().maximumSize(maximum).executor(Runnable::run).build();
        lame = Caffeine.newBuilder().maximumSize(maximum).executor(Runnable::run).build();
    }

    /** A packet to it could not even be sent. */
    void isUnreachable(InetSocketAddress address) {
        if (address.getAddress() instanceof Inet6Address
                && unreachable6.incrementAndGet() >= UNREACHABLE_6) {
            quiet6Until = clock.millis() + QUIET_6_MILLIS;
            unreachable6.set(0);
        }
    }

    /** It responded. */
    void isReached(InetSocketAddress address) {
        if (address.getAddress() instanceof Inet6Address) {
            unreachable6.set(0);
            quiet6Until = 0;
        }
    }

    /** Whether the family of the address is believed to work here. */
    boolean isReachable(InetSocketAddress address) {
        return !(address.getAddress() instanceof Inet6Address) || clock.millis() >= quiet6Until;
    }

    ServerRecord server(InetSocketAddress address) {
        return servers.get(
                address,
                key ->
                        new ServerRecord(
                                address, upstreams.udp(address), upstreams.tcp(address), random));
    }

    boolean isDead(InetSocketAddress address) {
        final ServerRecord known = servers.getIfPresent(address);
        return known != null && known.isDead(clock.millis());
    }

    boolean isLame(InetSocketAddress address, Name zone) {
        final BackOff backOff = lame.getIfPresent(new Service(address, zone));
        return backOff != null && backOff.holds(clock.millis());
    }

    /** The server does not serve the zone that it is said to. */
    void markLame(InetSocketAddress address, Name zone) {
        final long now = clock.millis();
        lame.asMap()
                .compute(
                        new Service(address, zone),
                        (key, before) ->
                                before == null
                                        ? BackOff.first(now, FIRST_LAME_MILLIS)
                                        : before.next(now, FIRST_LAME_MILLIS));
    }

    void markSound(InetSocketAddress address, Name zone) {
        lame.invalidate(new Service(address, zone));
    }

    /** Forgets for which zones at and below a name servers are lame. */
    void forget(Name subtree) {
        lame.asMap().keySet().removeIf(service -> service.zone().isSubdomainOf(subtree));
    }

    long size() {
        servers.cleanUp();
        return servers.estimatedSize();
    }
}
