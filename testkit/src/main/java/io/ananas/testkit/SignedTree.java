package io.ananas.testkit;

import io.ananas.testkit.Relay.Faults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tree of zones on real authoritative servers of this machine, as the public one is: signed and
 * unsigned, sound and broken, four levels deep.
 *
 * <pre>
 * .             algorithm 8, NSEC                       Knot DNS  127.53.0.1
 * com           13, NSEC3 with opt-out                  NSD       127.53.0.2
 * net           8, NSEC3                                NSD       127.53.0.2
 * org           15, NSEC                                NSD       127.53.0.2
 * sec.com       13, NSEC                                Knot DNS  127.53.0.3
 * ed.net        15, NSEC3 with salt and 5 iterations    Knot DNS  127.53.0.3
 * rsa.org       8, NSEC                                 Knot DNS  127.53.0.3
 * deep.rsa.org  13, NSEC3                               NSD       127.53.0.4
 * iter.net      13, NSEC3 with 60 iterations            Knot DNS  127.53.0.3
 * plain.com, plain.net, plain.org   unsigned            NSD       127.53.0.4
 * island.org    signed, without DS                      NSD       127.53.0.4
 * expired.net   signatures have expired                 NSD       127.53.0.4
 * future.com    signatures are not valid yet            NSD       127.53.0.4
 * wrongds.org   DS of another key                       NSD       127.53.0.4
 * nosigs.net    DS, and no signatures                   NSD       127.53.0.4
 * forged.org    an address record changed after signing NSD       127.53.0.4
 * hole.com      denials without NSEC3 records           NSD       127.53.0.4
 * </pre>
 *
 * <p>Zones are signed by BIND's {@code dnssec-signzone}. All servers listen on one port, the same
 * for each, which a resolver under test has to be told in the place of 53.
 */
public final class SignedTree implements AutoCloseable {
    private static final int PORT_ATTEMPTS = 20;
    private static final List<String> ADDRESSES =
            List.of("127.53.0.1", "127.53.0.2", "127.53.0.3", "127.53.0.4");

    /**
     * A zone of the tree.
     *
     * @param server its place in the list of servers, from 1
     * @param algorithm as dnssec-keygen calls it; empty for an unsigned zone
     * @param options of dnssec-signzone
     * @param kind what is wrong with it
     */
    record Zone(String name, int server, String algorithm, List<String> options, Kind kind) {
        String parent() {
            final int dot = name.indexOf('.');
            return dot < 0 ? "." : name.substring(dot + 1);
        }
    }

    enum Kind {
        SOUND,
        NO_DS,
        EXPIRED,
        FUTURE,
        WRONG_DS,
        NO_SIGNATURES,
        FORGED,
        NO_DENIALS
    }

    private static final String EC = "ECDSAP256SHA256";
    private static final String RSA = "RSASHA256";
    private static final String ED = "ED25519";

    /** Children before their parents, for the parent needs their DS records. */
    private static final List<Zone> ZONES =
            List.of(
                    zone("deep.rsa.org", 4, EC, Kind.SOUND, "-3", "-"),
                    zone("rsa.org", 3, RSA, Kind.SOUND),
                    zone("sec.com", 3, EC, Kind.SOUND),
                    zone("ed.net", 3, ED, Kind.SOUND, "-3", "beef", "-H", "5"),
                    zone("iter.net", 3, EC, Kind.SOUND, "-3", "-", "-H", "60"),
                    zone("plain.com", 4, "", Kind.SOUND),
                    zone("plain.net", 4, "", Kind.SOUND),
                    zone("plain.org", 4, "", Kind.SOUND),
                    zone("island.org", 4, EC, Kind.NO_DS),
                    zone("expired.net", 4, EC, Kind.EXPIRED),
                    zone("future.com", 4, EC, Kind.FUTURE),
                    zone("wrongds.org", 4, EC, Kind.WRONG_DS),
                    zone("nosigs.net", 4, EC, Kind.NO_SIGNATURES),
                    zone("forged.org", 4, EC, Kind.FORGED),
                    zone("hole.com", 4, EC, Kind.NO_DENIALS, "-3", "-"),
                    zone("com", 2, EC, Kind.SOUND, "-3", "-", "-A"),
                    zone("net", 2, RSA, Kind.SOUND, "-3", "-"),
                    zone("org", 2, ED, Kind.SOUND),
                    zone(".", 1, RSA, Kind.SOUND));

    private final int port;
    private final String anchor;
    private final List<AutoCloseable> parts;

    private SignedTree(int port, String anchor, List<AutoCloseable> parts) {
        this.port = port;
        this.anchor = anchor;
        this.parts = parts;
    }

    private static Zone zone(
            String name, int server, String algorithm, Kind kind, String... options) {
        return new Zone(name, server, algorithm, List.of(options), kind);
    }

    /**
     * Signs the zones and starts the servers.
     *
     * @param hosts records {@code n0}, {@code n1}... of each zone of the second and third level
     * @throws org.opentest4j.TestAbortedException if something it needs is not installed and CI is
     *     not true
     */
    public static SignedTree start(int hosts) {
        return start(hosts, null);
    }

    /** The same behind relays, one before each server. */
    public static SignedTree start(int hosts, @Nullable Faults faults) {
        try {
            final Path directory = Files.createTempDirectory("ananas-tree");
            try {
                return start(directory, hosts, faults);
            } finally {
                try (Stream<Path> files = Files.walk(directory)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SignedTree start(Path directory, int hosts, @Nullable Faults faults)
            throws IOException {
        final ZoneSigner signer = new ZoneSigner(directory);
        final Map<String, String> texts = new LinkedHashMap<>();
        final Map<String, StringBuilder> delegations = new LinkedHashMap<>();
        for (Zone zone : ZONES) {
            final String below =
                    delegations.getOrDefault(zone.name(), new StringBuilder()).toString();
            final ZoneSigner.Signed signed = signer.sign(zone, ZoneTexts.of(zone, hosts) + below);
            texts.put(zone.name(), signed.text());
            if (!zone.name().equals(".")) {
                delegations
                        .computeIfAbsent(zone.parent(), name -> new StringBuilder())
                        .append(ZoneTexts.delegation(zone))
                        .append(signed.delegationSigner());
            }
        }
        return serve(texts, signer.anchor(), faults);
    }

    private static SignedTree serve(
            Map<String, String> texts, String anchor, @Nullable Faults faults) throws IOException {
        final int port = freePort();
        final List<AutoCloseable> parts = new ArrayList<>();
        final SignedTree tree = new SignedTree(port, anchor, parts);
        try {
            for (int server = 1; server <= ADDRESSES.size(); server++) {
                final InetSocketAddress place = tree.server(server);
                final PeerProcess.Builder builder =
                        server % 2 == 1 ? PeerProcess.knot() : PeerProcess.nsd();
                if (faults == null) {
                    builder.listen(place);
                }
                for (Zone zone : ZONES) {
                    final String text = texts.get(zone.name());
                    if (zone.server() == server && text != null) {
                        builder.zone(zone.name(), text);
                    }
                }
                final PeerProcess peer = builder.start();
                parts.add(peer);
                if (faults != null) {
                    parts.add(Relay.start(place, peer.address(), faults, server));
                }
            }
            return tree;
        } catch (RuntimeException | Error e) {
            tree.close();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        for (int attempt = 1; ; attempt++) {
            final List<LoopbackSockets> sockets = new ArrayList<>();
            try {
                int port = 0;
                for (String address : ADDRESSES) {
                    final LoopbackSockets free =
                            LoopbackSockets.open(InetAddress.ofLiteral(address), port);
                    sockets.add(free);
                    port = free.address().getPort();
                }
                return port;
            } catch (IOException e) {
                if (attempt == PORT_ATTEMPTS) {
                    throw e;
                }
            } finally {
                for (LoopbackSockets socket : sockets) {
                    socket.close();
                }
            }
        }
    }

    static String address(int server) {
        return ADDRESSES.get(server - 1);
    }

    private InetSocketAddress server(int server) {
        return new InetSocketAddress(InetAddress.ofLiteral(address(server)), port);
    }

    /** Where all its servers listen. */
    public int port() {
        return port;
    }

    /** The server of the root. */
    public InetSocketAddress root() {
        return server(1);
    }

    /** The DS record of the root. */
    public String anchor() {
        return anchor;
    }

    /** The zones and where each is served. */
    public Map<String, InetSocketAddress> zones() {
        final Map<String, InetSocketAddress> zones = new LinkedHashMap<>();
        ZONES.forEach(zone -> zones.put(zone.name(), server(zone.server())));
        return zones;
    }

    /**
     * Unbound, made to resolve in this tree. It asks name servers of referrals on port 53 only, so
     * it is told the server of every zone; the chain of trust is the same.
     */
    public PeerProcess.Builder unbound() {
        final PeerProcess.Builder unbound =
                PeerProcess.unbound()
                        .server("module-config: \"validator iterator\"")
                        .server("trust-anchor: \"%s\"".formatted(anchor))
                        .server("do-ip6: no");
        zones().forEach((name, server) ->
                unbound.section(
                        "stub-zone:\n  name: \"%s\"\n  stub-addr: %s@%d\n  stub-prime: no"
                                .formatted(name, server.getAddress().getHostAddress(), port)));
        return unbound;
    }

    /** The section {@code resolver} of a configuration that resolves in this tree. */
    public String configuration() {
        return """
        resolver:
          root-hints: [ns.root-servers.test %s@%d]
          trust-anchors: ["%s"]
          port: %d
          ipv6: false
        """
                .formatted(address(1), port, anchor, port);
    }

    @Override
    public void close() {
        for (AutoCloseable part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException("could not end " + part, e);
            }
        }
    }
}
