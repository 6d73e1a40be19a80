package io.ananas.recursor;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.xbill.DNS.Master;
import org.xbill.DNS.Record;

/** Where to find the root servers at first (RFC 8109, section 2). Immutable. */
public final class RootHints {
    private static final int PORT = 53;

    private static final RootHints BUILT_IN =
            parse(
                    """
                    . NS a.root-servers.net.
                    . NS b.root-servers.net.
                    . NS c.root-servers.net.
                    . NS d.root-servers.net.
                    . NS e.root-servers.net.
                    . NS f.root-servers.net.
                    . NS g.root-servers.net.
                    . NS h.root-servers.net.
                    . NS i.root-servers.net.
                    . NS j.root-servers.net.
                    . NS k.root-servers.net.
                    . NS l.root-servers.net.
                    . NS m.root-servers.net.
                    a.root-servers.net. A 198.41.0.4
                    a.root-servers.net. AAAA 2001:503:ba3e::2:30
                    b.root-servers.net. A 170.247.170.2
                    b.root-servers.net. AAAA 2801:1b8:10::b
                    c.root-servers.net. A 192.33.4.12
                    c.root-servers.net. AAAA 2001:500:2::c
                    d.root-servers.net. A 199.7.91.13
                    d.root-servers.net. AAAA 2001:500:2d::d
                    e.root-servers.net. A 192.203.230.10
                    e.root-servers.net. AAAA 2001:500:a8::e
                    f.root-servers.net. A 192.5.5.241
                    f.root-servers.net. AAAA 2001:500:2f::f
                    g.root-servers.net. A 192.112.36.4
                    g.root-servers.net. AAAA 2001:500:12::d0d
                    h.root-servers.net. A 198.97.190.53
                    h.root-servers.net. AAAA 2001:500:1::53
                    i.root-servers.net. A 192.36.148.17
                    i.root-servers.net. AAAA 2001:7fe::53
                    j.root-servers.net. A 192.58.128.30
                    j.root-servers.net. AAAA 2001:503:c27::2:30
                    k.root-servers.net. A 193.0.14.129
                    k.root-servers.net. AAAA 2001:7fd::1
                    l.root-servers.net. A 199.7.83.42
                    l.root-servers.net. AAAA 2001:500:9f::42
                    m.root-servers.net. A 202.12.27.33
                    m.root-servers.net. AAAA 2001:dc3::35
                    """);

    private final List<NameServer> servers;

    private RootHints(List<NameServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /** The thirteen root servers of the Internet. */
    public static RootHints builtIn() {
        return BUILT_IN;
    }

    /**
     * Hints given by name and addresses, on any port.
     *
     * @throws IllegalArgumentException if there is no address
     */
    public static RootHints of(Map<Name, List<InetSocketAddress>> addresses) {
        final List<NameServer> servers = new ArrayList<>();
        addresses.forEach((name, list) -> servers.add(new NameServer(name, list)));
        if (servers.stream().allMatch(server -> server.glue().isEmpty())) {
            throw new IllegalArgumentException(
                    "root hints need the address of at least one server");
        }
        return new RootHints(servers);
    }

    /**
     * Hints in master file form, as in the file {@code named.root}: NS records of the root, A and
     * AAAA records of these names.
     *
     * @throws IllegalArgumentException if that is not what it holds
     */
    public static RootHints parse(String masterFile) {
        final Set<Name> names = new LinkedHashSet<>();
        final Map<Name, List<InetSocketAddress>> addresses = new LinkedHashMap<>();
        final byte[] octets = masterFile.getBytes(StandardCharsets.UTF_8);
        try (Master master =
                new Master(new ByteArrayInputStream(octets), org.xbill.DNS.Name.root, 3_600_000)) {
            for (Record next = master.nextRecord(); next != null; next = master.nextRecord()) {
                final Name owner = Name.ofWire(next.getName().toWire(), 0);
                final byte[] rdata = next.rdataToWireCanonical();
                if (next.getType() == RecordType.NS && owner.isRoot()) {
                    names.add(Name.ofWire(rdata, 0));
                } else if (next.getType() == RecordType.A || next.getType() == RecordType.AAAA) {
                    addresses
                            .computeIfAbsent(owner, name -> new ArrayList<>())
                            .add(new InetSocketAddress(address(rdata), PORT));
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "root hints are no master file: " + e.getMessage(), e);
        }
        final Map<Name, List<InetSocketAddress>> named = new LinkedHashMap<>();
        names.forEach(name -> named.put(name, addresses.getOrDefault(name, List.of())));
        return of(named);
    }

    static InetAddress address(byte[] rdata) {
        try {
            return InetAddress.getByAddress(rdata);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "an address has 4 or 16 octets, not " + rdata.length, e);
        }
    }

    List<NameServer> servers() {
        return servers;
    }

    /** The root as these hints have it, for as long as nothing better is known. */
    Delegation delegation() {
        boolean local = false;
        for (final NameServer server : servers) {
            for (final InetSocketAddress address : server.glue()) {
                local |= Addresses.isLocal(address.getAddress());
            }
        }
        return new Delegation(Name.ROOT, Delegation.Source.ROOT, servers, Long.MAX_VALUE, local);
    }
}
