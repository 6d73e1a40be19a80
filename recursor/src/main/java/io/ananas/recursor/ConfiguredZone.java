package io.ananas.recursor;

import io.ananas.message.Name;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A zone whose servers the configuration names; of several the one with most labels counts.
 *
 * @param forward whether the servers resolve, so that they are asked with RD for all names at and
 *     below {@code name}; else they are authoritative, and their referrals are followed
 * @param servers at least one
 * @param fallback whether names are resolved from the root when no server helps
 */
public record ConfiguredZone(
        Name name, boolean forward, List<InetSocketAddress> servers, boolean fallback) {
    public ConfiguredZone {
        servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s zone %s needs at least one server"
                            .formatted(forward ? "forward" : "stub", name));
        }
    }

    /** A zone with authoritative servers, without fallback. */
    public static ConfiguredZone stub(Name name, List<InetSocketAddress> servers) {
        return new ConfiguredZone(name, false, servers, false);
    }

    /** A zone with resolving servers, without fallback. */
    public static ConfiguredZone forward(Name name, List<InetSocketAddress> servers) {
        return new ConfiguredZone(name, true, servers, false);
    }

    Delegation delegation() {
        return new Delegation(
                name,
                forward ? Delegation.Source.FORWARD : Delegation.Source.STUB,
                List.of(new NameServer(name, servers)),
                Long.MAX_VALUE,
                true);
    }
}
