package io.ananas.server;

import io.ananas.cache.AnswerCache;
import io.ananas.message.Name;
import io.ananas.message.QueryHandler;
import io.ananas.recursor.LocalZones;
import io.ananas.transport.Addresses;
import io.ananas.transport.TcpListener;
import io.ananas.transport.UdpListener;
import io.ananas.transport.UpstreamSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running resolver: listeners, pipeline, cache, and sockets towards upstream.
 *
 * <p>It ends in the order that lets clients have their answers: first nothing more is received,
 * then who waits is answered, for a while, then everything is closed.
 */
final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    private static final Duration DRAIN = Duration.ofSeconds(1);
    private static final Duration AFTER_DRAIN = Duration.ofMillis(300);
    private static final Duration SWEEPS = Duration.ofHours(1);
    private static final Duration ANCHOR_CHECKS = Duration.ofSeconds(1);
    private static final int PORT_ATTEMPTS = 20;

    private final AnswerCache cache;
    private final UpstreamSockets sockets;
    private final @Nullable Recursion recursion;
    private final List<ForwardServer> forwardServers;
    private final AnswerStore store;
    private final LongAdder cut = new LongAdder();
    private final Forwarder forwarder;
    private final PipelineParts parts;
    private final Housekeeping housekeeping = new Housekeeping();
    private final List<UdpListener> udp = new ArrayList<>();
    private final List<TcpListener> tcp = new ArrayList<>();
    private final @Nullable CacheSnapshot snapshot;
    private @Nullable AdminListener admin;
    private boolean closed;

    private Server(Configuration configuration, InstantSource clock) throws IOException {
        final SecureRandom random = new SecureRandom();
        cache = AnswerCache.open(configuration.cache());
        sockets = UpstreamSockets.open();
        final Configuration.Caching caching = configuration.caching();
        final SubnetPolicy subnets = configuration.subnets();
        final LocalZones local = configuration.localZones();
        store = new AnswerStore(cache, clock, caching.zones());
        forwardServers =
                configuration.forward().stream()
                        .map(a -> new ForwardServer(sockets.udp(a), subnets.tells(a)))
                        .toList();
        recursion =
                forwardServers.isEmpty()
                        ? new Recursion(configuration, sockets, clock, random)
                        : null;
        final CacheProbe probe = new CacheProbe(cache, clock);
        forwarder =
                new Forwarder(
                        recursion != null
                                ? cuts(recursion, probe, caching)
                                : new AnswerCompletion(
                                        new LocalFirst(
                                                local,
                                                cuts(
                                                        forwarding(configuration, probe, random),
                                                        probe,
                                                        caching))),
                        store,
                        new Forwarder.Service(
                                configuration.resolving().maxWaiting(),
                                configuration.cache().stale().maxAge() == 0
                                        ? null
                                        : caching.clientTimeout(),
                                caching.renewals(),
                                subnets),
                        housekeeping);
        parts =
                new PipelineParts(
                        clock,
                        AccessList.of(configuration.access()),
                        rateLimiter(configuration.rateLimit(), random.nextLong()),
                        new Identity(
                                configuration.identity().version(), configuration.identity().id()),
                        new LocalNames(local),
                        cache,
                        forwarder,
                        subnets,
                        new ServerCounters());
        snapshot =
                caching.snapshot() == null
                        ? null
                        : new CacheSnapshot(cache, caching.snapshot(), clock);
    }

    private AnswerSource cuts(
            AnswerSource source, CacheProbe probe, Configuration.Caching caching) {
        return NameCuts.before(source, store, probe, caching.cuts(), cut);
    }

    private AnswerSource forwarding(
            Configuration configuration, CacheProbe probe, SecureRandom random) {
        return new KnownRedirects(
                new Forwarding(forwardServers, configuration.resolving().timeout(), random),
                store,
                probe);
    }

    private static RateLimiter rateLimiter(Configuration.RateLimit limit, long seed) {
        return limit.perSecond() == 0
                ? RateLimiter.none()
                : RateLimiter.of(limit.perSecond(), limit.burst(), seed);
    }

    /**
     * Starts a server.
     *
     * @throws IOException if an address cannot be bound; nothing is left running then
     */
    static Server start(Configuration configuration, InstantSource clock) throws IOException {
        final Server server = new Server(configuration, clock);
        try {
            server.listen(configuration);
            server.housekeep(configuration, clock);
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private void listen(Configuration configuration) throws IOException {
        final Supplier<QueryHandler> handlers = () -> Pipeline.of(parts);
        for (InetSocketAddress address : configuration.listen()) {
            listen(address, configuration, handlers);
        }
    }

    /** On the same port for UDP and TCP; where any free one will do, one that both can have. */
    private void listen(
            InetSocketAddress address, Configuration configuration, Supplier<QueryHandler> handlers)
            throws IOException {
        for (int attempt = 1; ; attempt++) {
            final UdpListener datagrams = UdpListener.open(address, configuration.udp(), handlers);
            try {
                tcp.add(TcpListener.open(datagrams.address(), configuration.tcp(), handlers));
                udp.add(datagrams);
                return;
            } catch (IOException e) {
                datagrams.close();
                if (address.getPort() != 0 || attempt == PORT_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void housekeep(Configuration configuration, InstantSource clock) throws IOException {
        if (configuration.admin().listen() != null) {
            admin =
                    AdminListener.open(
                            configuration.admin().listen(),
                            new AdminApi(cache, clock, Figures.of(this), memory()));
        }
        if (snapshot != null) {
            snapshot.start(configuration.caching().snapshotInterval(), housekeeping);
        }
        housekeeping.everyInBackground(
                SWEEPS, "sweep", () -> cache.sweep((int) (clock.millis() / 1_000)));
        if (recursion != null) {
            housekeeping.every(ANCHOR_CHECKS, "trust anchors", recursion::keepAnchors);
        }
    }

    /** Where it listens, for UDP and TCP alike, with the ports it got. */
    List<InetSocketAddress> addresses() {
        return udp.stream().map(UdpListener::address).toList();
    }

    AnswerCache cache() {
        return cache;
    }

    Forwarder forwarder() {
        return forwarder;
    }

    /** Who is asked, where answers are not found by recursion. */
    List<ForwardServer> forwardServers() {
        return forwardServers;
    }

    /** Who finds answers by recursion; null if they are asked of forwarders. */
    @Nullable Recursion recursion() {
        return recursion;
    }

    private AdminApi.Memory memory() {
        return new AdminApi.Memory() {
            @Override
            public void forget(Name subtree) {
                if (recursion != null) {
                    recursion.forget(subtree);
                }
            }

            @Override
            public void forgetDenials() {
                if (recursion != null) {
                    recursion.forgetDenials();
                }
            }
        };
    }

    /** Where it is managed; null for nowhere. */
    @Nullable InetSocketAddress adminAddress() {
        return admin == null ? null : admin.address();
    }

    @Nullable CacheSnapshot snapshot() {
        return snapshot;
    }

    /** Answers that came from a name error at or above the asked name. */
    long cut() {
        return cut.sum();
    }

    AnswerStore store() {
        return store;
    }

    ServerCounters counters() {
        return parts.counters();
    }

    /** Exceptions out of the pipeline, over UDP and TCP. */
    long handlerFailures() {
        return udp.stream().mapToLong(l -> l.statistics().handlerFailures()).sum()
                + tcp.stream().mapToLong(l -> l.statistics().handlerFailures()).sum();
    }

    /** Ends within two seconds; whoever waits is answered as far as that time goes. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        udp.forEach(UdpListener::stop);
        tcp.forEach(TcpListener::stop);
        boolean idle = drain(DRAIN);
        sockets.close();
        idle = idle || drain(AFTER_DRAIN);
        housekeeping.close();
        if (admin != null) {
            admin.close();
        }
        udp.forEach(UdpListener::close);
        tcp.forEach(TcpListener::close);
        if (snapshot != null) {
            snapshot.finish();
        }
        if (idle) {
            cache.close();
        } else {
            LOG.warn("{} clients were left without an answer", forwarder.waiting());
        }
    }

    private boolean drain(Duration limit) {
        try {
            return forwarder.drain(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What to tell who has started it. */
    List<String> greeting(Configuration configuration) {
        final List<String> lines = new ArrayList<>();
        lines.add(
                "listening on "
                        + String.join(", ", addresses().stream().map(Addresses::format).toList())
                        + " (UDP and TCP)");
        lines.add(
                recursion != null
                        ? recursion.greeting()
                        : "forwarding to "
                                + String.join(
                                        ", ",
                                        forwardServers.stream().map(ForwardServer::name).toList()));
        lines.add("caching within " + ConfigValues.describeSize(configuration.cache().size()));
        final InetSocketAddress managed = adminAddress();
        if (managed != null) {
            lines.add("managed through http://" + Addresses.format(managed));
        }
        final InetSocketAddress first = addresses().getFirst();
        final String host =
                first.getAddress().isAnyLocalAddress()
                        ? "127.0.0.1"
                        : first.getAddress().getHostAddress();
        lines.add("try: dig @%s -p %d example.com".formatted(host, first.getPort()));
        return lines;
    }
}
