package io.ananas.server;

import io.ananas.cache.CacheOptions;
import io.ananas.recursor.LocalZones;
import io.ananas.transport.TcpOptions;
import io.ananas.transport.UdpOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a server is started with. Immutable.
 *
 * @param listen addresses for UDP and TCP
 * @param forward servers to ask; none to find answers by recursion
 * @param cache size and lifetimes
 * @param udp how UDP is received, with the threads per address
 * @param tcp how TCP is received
 * @param access networks that may ask
 * @param rateLimit how often each client may ask
 * @param identity what is said to version.bind and id.server
 * @param resolving bounds of the work for one question and for all
 * @param caching how the server uses its cache
 * @param subnets for which questions the client's subnet is told upstream
 * @param admin the listener for who manages the server
 * @param recursion how answers are found by recursion, and what is answered here
 */
record Configuration(
        List<InetSocketAddress> listen,
        List<InetSocketAddress> forward,
        CacheOptions cache,
        UdpOptions udp,
        TcpOptions tcp,
        List<String> access,
        RateLimit rateLimit,
        IdentityTexts identity,
        Resolving resolving,
        Caching caching,
        SubnetPolicy subnets,
        Admin admin,
        RecursionSettings recursion) {
    static final int DEFAULT_PORT = 5_300;
    static final int DEFAULT_ADMIN_PORT = 5_380;
    static final int DNS_PORT = 53;
    private static final long DEFAULT_CACHE = 256L << 20;

    /**
     * @param perSecond queries per second and client; 0 for no limit
     * @param burst queries at once after a pause
     */
    record RateLimit(int perSecond, int burst) {}

    /** Empty texts are not told. */
    record IdentityTexts(String version, String id) {}

    /**
     * @param timeout for one question, all servers and tries together
     * @param maxWaiting clients that may wait for an answer at a time
     */
    record Resolving(Duration timeout, int maxWaiting) {}

    /**
     * @param clientTimeout how long clients wait for a fresh answer where there is a stale one;
     *     zero gives it at once, before anybody is asked
     * @param renewals popular answers that may be fetched anew before their end, per second; 0 for
     *     none
     * @param zones lifetimes that hold for some names only
     * @param cuts whose name errors answer for the names below
     * @param snapshot where the cache is saved; null for nowhere
     * @param snapshotInterval how often, besides at the end
     */
    record Caching(
            Duration clientTimeout,
            int renewals,
            List<AnswerStore.Zone> zones,
            NameCuts.Trust cuts,
            @Nullable Path snapshot,
            Duration snapshotInterval) {
        static final Caching DEFAULT =
                new Caching(
                        Duration.ofMillis(1_800),
                        100,
                        List.of(),
                        NameCuts.Trust.NONE,
                        null,
                        Duration.ofMinutes(10));

        Caching {
            zones = List.copyOf(zones);
        }

        Caching withClientTimeout(Duration other) {
            return new Caching(other, renewals, zones, cuts, snapshot, snapshotInterval);
        }

        Caching withRenewals(int perSecond) {
            return new Caching(clientTimeout, perSecond, zones, cuts, snapshot, snapshotInterval);
        }

        Caching withZones(List<AnswerStore.Zone> other) {
            return new Caching(clientTimeout, renewals, other, cuts, snapshot, snapshotInterval);
        }

        Caching withCuts(NameCuts.Trust other) {
            return new Caching(clientTimeout, renewals, zones, other, snapshot, snapshotInterval);
        }

        Caching withSnapshot(Path file) {
            return new Caching(clientTimeout, renewals, zones, cuts, file, snapshotInterval);
        }
    }

    /**
     * @param listen where; null for nowhere
     */
    record Admin(@Nullable InetSocketAddress listen) {
        static final Admin OFF = new Admin(null);
    }

    Configuration {
        listen = List.copyOf(listen);
        forward = List.copyOf(forward);
        access = List.copyOf(access);
    }

    /** What holds where neither the file nor the command line says anything. */
    static Configuration defaults() {
        return new Configuration(
                List.of(ConfigValues.listener("127.0.0.1")),
                List.of(),
                CacheOptions.ofSize(DEFAULT_CACHE),
                UdpOptions.of(Runtime.getRuntime().availableProcessors()),
                TcpOptions.DEFAULT.withThreads(Runtime.getRuntime().availableProcessors()),
                AccessList.DEFAULT,
                new RateLimit(0, 1),
                new IdentityTexts("Ananas", ""),
                new Resolving(Duration.ofSeconds(5), 10_000),
                Caching.DEFAULT,
                SubnetPolicy.OFF,
                Admin.OFF,
                RecursionSettings.DEFAULT);
    }

    Configuration withListen(List<InetSocketAddress> other) {
        return new Configuration(
                other, forward, cache, udp, tcp, access, rateLimit, identity, resolving, caching,
                subnets, admin, recursion);
    }

    Configuration withForward(List<InetSocketAddress> other) {
        return new Configuration(
                listen, other, cache, udp, tcp, access, rateLimit, identity, resolving, caching,
                subnets, admin, recursion);
    }

    Configuration withCache(CacheOptions other) {
        return new Configuration(
                listen, forward, other, udp, tcp, access, rateLimit, identity, resolving, caching,
                subnets, admin, recursion);
    }

    Configuration withUdp(UdpOptions other) {
        return new Configuration(
                listen, forward, cache, other, tcp, access, rateLimit, identity, resolving, caching,
                subnets, admin, recursion);
    }

    /** Threads per address, for UDP and for TCP. */
    Configuration withWorkers(int threads) {
        return withUdp(new UdpOptions(udp.engine(), threads, udp.receiveBuffer()))
                .withTcp(tcp.withThreads(threads));
    }

    Configuration withTcp(TcpOptions other) {
        return new Configuration(
                listen, forward, cache, udp, other, access, rateLimit, identity, resolving, caching,
                subnets, admin, recursion);
    }

    Configuration withAccess(List<String> other) {
        return new Configuration(
                listen, forward, cache, udp, tcp, other, rateLimit, identity, resolving, caching,
                subnets, admin, recursion);
    }

    Configuration withRateLimit(RateLimit other) {
        return new Configuration(
                listen, forward, cache, udp, tcp, access, other, identity, resolving, caching,
                subnets, admin, recursion);
    }

    Configuration withResolving(Resolving other) {
        return new Configuration(
                listen, forward, cache, udp, tcp, access, rateLimit, identity, other, caching,
                subnets, admin, recursion);
    }

    Configuration withCaching(Caching other) {
        return new Configuration(
                listen, forward, cache, udp, tcp, access, rateLimit, identity, resolving, other,
                subnets, admin, recursion);
    }

    Configuration withSubnets(SubnetPolicy other) {
        return new Configuration(
                listen, forward, cache, udp, tcp, access, rateLimit, identity, resolving, caching,
                other, admin, recursion);
    }

    Configuration withAdmin(Admin other) {
        return new Configuration(
                listen, forward, cache, udp, tcp, access, rateLimit, identity, resolving, caching,
                subnets, other, recursion);
    }

    Configuration withRecursion(RecursionSettings other) {
        return new Configuration(
                listen, forward, cache, udp, tcp, access, rateLimit, identity, resolving, caching,
                subnets, admin, other);
    }

    /**
     * What is answered without asking anybody. Names below {@code test.} are asked of forwarders
     * and root servers that the operator has named.
     */
    LocalZones localZones() {
        return recursion.localZones(
                !forward.isEmpty()
                        || recursion.options().rootHints()
                                != RecursionSettings.DEFAULT.options().rootHints());
    }
}
