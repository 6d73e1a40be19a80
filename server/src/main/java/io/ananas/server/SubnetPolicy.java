package io.ananas.server;

import io.ananas.message.Memory;
import io.ananas.message.Name;
import io.ananas.message.QueryView;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * For which questions the client's subnet is told upstream (RFC 7871), and how much of it: for none
 * unless configured. Where zones are named, only for names in them; where upstream servers are
 * named, only to these. Immutable.
 */
final class SubnetPolicy {
    /** What RFC 7871, section 11.1, advises to show at most. */
    static final int IPV4_PREFIX = 24;

    static final int IPV6_PREFIX = 56;

    /** Nothing is told to anybody. */
    static final SubnetPolicy OFF =
            new SubnetPolicy(List.of(), List.of(), IPV4_PREFIX, IPV6_PREFIX);

    private final byte[][] zones;
    private final List<InetSocketAddress> upstreams;
    private final int ipv4Prefix;
    private final int ipv6Prefix;

    /**
     * @param ipv4Prefix bits of an IPv4 address that are shown at most
     * @param ipv6Prefix bits of an IPv6 address that are shown at most
     */
    SubnetPolicy(
            List<Name> zones, List<InetSocketAddress> upstreams, int ipv4Prefix, int ipv6Prefix) {
        this.zones = zones.stream().map(zone -> zone.toLowerCase().wire()).toArray(byte[][]::new);
        this.upstreams = List.copyOf(upstreams);
        this.ipv4Prefix = ipv4Prefix;
        this.ipv6Prefix = ipv6Prefix;
    }

    boolean isOn() {
        return zones.length > 0 || !upstreams.isEmpty();
    }

    /** Whether an upstream is told. */
    boolean tells(InetSocketAddress upstream) {
        return isOn() && (upstreams.isEmpty() || upstreams.contains(upstream));
    }

    /** Whether the answer to a question may depend on who asks; allocates nothing. */
    boolean concerns(QueryView query) {
        if (zones.length == 0) {
            return !upstreams.isEmpty();
        }
        for (int i = 0; i < zones.length; i++) {
            if (isWithin(query, zones[i])) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWithin(QueryView query, byte[] zone) {
        final long name = query.nameAddress();
        final int start = query.nameLength() - zone.length;
        int at = 0;
        while (at < start) {
            at += 1 + Memory.getUnsignedByte(name + at);
        }
        if (at != start) {
            return false;
        }
        for (int i = 0; i < zone.length; i++) {
            final int octet = Memory.getByte(name + at + i);
            if ((octet >= 'A' && octet <= 'Z' ? octet + 32 : octet) != zone[i]) {
                return false;
            }
        }
        return true;
    }

    /** Bits shown at most of an address of so many octets. */
    int prefix(int octets) {
        return octets == 4 ? ipv4Prefix : ipv6Prefix;
    }
}
