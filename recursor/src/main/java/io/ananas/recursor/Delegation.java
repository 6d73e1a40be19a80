package io.ananas.recursor;

import io.ananas.message.Name;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who serves a zone, as its parent or the configuration says. Immutable.
 *
 * <p>The parent alone decides how long: what the servers of the zone say of themselves may add
 * servers, but not time, or a zone that its parent has withdrawn could keep itself alive for ever
 * (ghost domains: Jiang et al., NDSS 2012).
 *
 * @param expiresAt milliseconds since 1970
 * @param localAllowed whether its servers may have loopback and private addresses
 */
record Delegation(
        Name zone, Source source, List<NameServer> servers, long expiresAt, boolean localAllowed) {
    private static final int MAX_SERVERS = 64;

    enum Source {
        /** Root hints, built in or configured, and what the root servers say of themselves. */
        ROOT,
        /** A referral of the parent. */
        REFERRAL,
        /** Configured: authoritative servers. */
        STUB,
        /** Configured: servers that resolve. */
        FORWARD
    }

    Delegation {
        servers =
                List.copyOf(
                        servers.size() > MAX_SERVERS ? servers.subList(0, MAX_SERVERS) : servers);
    }

    /** With more servers, and more addresses of those it has. */
    Delegation with(List<NameServer> more) {
        final Map<Name, NameServer> byName = new LinkedHashMap<>();
        servers.forEach(server -> byName.put(server.name(), server));
        for (final NameServer server : more) {
            byName.merge(server.name(), server, Delegation::joined);
        }
        return new Delegation(
                zone, source, new ArrayList<>(byName.values()), expiresAt, localAllowed);
    }

    /** Octets of heap, about. */
    int weight() {
        int weight = 120 + zone.length();
        for (final NameServer server : servers) {
            weight += 100 + server.name().length() + 100 * server.glue().size();
        }
        return weight;
    }

    private static NameServer joined(NameServer old, NameServer fresh) {
        final List<InetSocketAddress> glue = new ArrayList<>(old.glue());
        for (final InetSocketAddress address : fresh.glue()) {
            if (!glue.contains(address)) {
                glue.add(address);
            }
        }
        return new NameServer(old.name(), glue);
    }
}
