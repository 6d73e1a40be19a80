package io.ananas.testkit;

import io.ananas.message.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A scripted internet on sockets: the root, {@code test.} below it, and zones as a test adds them,
 * each server at an address of its own in 127.77.0.0/24, all on one port.
 *
 * <pre>{@code
 * try (LoopbackInternet internet = LoopbackInternet.start()) {
 *     internet.zone("a.test", 11, "www.a.test. 300 A 192.0.2.1");
 *     // a resolver that has internet.configuration() finds it
 *     assertThat(internet.server(11).count("www.a.test", "A")).isOne();
 * }
 * }</pre>
 *
 * The root is server 1, {@code test.} server 2. An address without a server is unreachable; one
 * that is to be silent needs a server that says so. Thread-safe but for adding zones.
 */
public final class LoopbackInternet implements AutoCloseable {
    private static final int ROOT = 1;
    private static final int TLD = 2;

    private record Host(ScriptedServer says, ScriptedUpstream sockets) {}

    private final Map<Integer, Host> hosts = new TreeMap<>();
    private final List<String> root = new ArrayList<>();
    private final List<String> tld = new ArrayList<>();
    private int port;

    private LoopbackInternet() {
        root.addAll(delegation(".", "a.root.", ROOT, 518_400));
        delegateFromRoot("test", TLD);
    }

    /** With the root and {@code test.} only. */
    public static LoopbackInternet start() {
        final LoopbackInternet internet = new LoopbackInternet();
        internet.serve();
        return internet;
    }

    private static List<String> delegation(String zone, String server, int number, int ttl) {
        return List.of(
                "%s %d NS %s".formatted(Name.of(zone), ttl, server),
                "%s %d A %s".formatted(server, ttl, address(number)));
    }

    private void serve() {
        server(ROOT).zone(".", root.toArray(String[]::new));
        server(TLD).zone("test", tld.toArray(String[]::new));
    }

    /** The address of a server as text. */
    public static String address(int number) {
        return "127.77.0." + number;
    }

    /** The server with this number, 1 to 254; it is there from now on. */
    public ScriptedServer server(int number) {
        return hosts.computeIfAbsent(number, this::open).says();
    }

    private Host open(int number) {
        final ScriptedUpstream sockets = ScriptedUpstream.start(address(number), port);
        port = sockets.port();
        final ScriptedServer server = new ScriptedServer(sockets.address());
        sockets.otherwise().reply(server::reply);
        return new Host(server, sockets);
    }

    /** More records of the root. */
    public LoopbackInternet root(String... records) {
        root.addAll(List.of(records));
        serve();
        return this;
    }

    /** More records of {@code test.} */
    public LoopbackInternet tld(String... records) {
        tld.addAll(List.of(records));
        serve();
        return this;
    }

    private List<String> delegateFromRoot(String zone, int number) {
        final List<String> records = delegation(zone, "ns." + Name.of(zone), number, 172_800);
        root.addAll(records);
        tld.addAll(records);
        return records;
    }

    /**
     * Delegates a zone of one label, or of several below {@code test.}, to {@code ns.zone} at a
     * server, and serves it there.
     */
    public ScriptedServer zone(String zone, int number, String... records) {
        final List<String> all =
                new ArrayList<>(delegation(zone, "ns." + Name.of(zone), number, 86_400));
        (Name.of(zone).labelCount() == 1 ? root : tld).addAll(all);
        serve();
        all.addAll(List.of(records));
        return server(number).zone(zone, all.toArray(String[]::new));
    }

    /** Takes a name and all below it out of {@code test.} */
    public void withdraw(String name) {
        tld.removeIf(record ->
                ResourceRecord.parse(record).getFirst().owner().isSubdomainOf(Name.of(name)));
        serve();
    }

    /** Queries to all servers so far. */
    public int count() {
        return hosts.values().stream().mapToInt(host -> host.says().count()).sum();
    }

    /** All queries to all servers so far, server by server, for people. */
    public List<String> log() {
        final List<String> log = new ArrayList<>();
        hosts.forEach((number, host) ->
                host.says().queries().forEach(query -> log.add(query + " to " + address(number))));
        return log;
    }

    /** Forgets the queries so far. */
    public void clear() {
        hosts.values().forEach(host -> host.says().clear());
    }

    /** The section {@code resolver} of a configuration that resolves here, without validation. */
    public String configuration() {
        return """
        resolver:
          root-hints: [a.root %s@%d]
          port: %d
          ipv6: false
          validate: false
        """
                .formatted(address(ROOT), port, port);
    }

    /**
     * Ends all servers.
     *
     * @throws AssertionError if a script threw an exception
     */
    @Override
    public void close() {
        hosts.values().forEach(host -> host.sockets().close());
    }
}
