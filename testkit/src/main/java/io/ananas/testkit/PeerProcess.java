package io.ananas.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A real DNS server on a free port of 127.0.0.1 for one test: Knot DNS or NSD with zones, or
 * Unbound with a configuration.
 *
 * <pre>{@code
 * try (PeerProcess knot = PeerProcess.knot().zone("example.test", zoneText).start()) {
 *     new DnsClient(knot.address()).ask("www.example.test", "A");
 * }
 * }</pre>
 *
 * <p>Where the server is not installed the test is skipped with the reason; with {@code CI=true} in
 * the environment it fails instead, as a CI that skips proves nothing. The server runs in the
 * foreground, in a directory of its own that goes when it ends, and is ended by its process.
 */
public final class PeerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PROBE = Duration.ofMillis(300);
    private static final long PAUSE_NANOS = 20_000_000;
    private static final int ATTEMPTS = 3;
    private static final List<String> MORE_PATHS =
            List.of("/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin", "/usr/local/bin");

    private enum Server {
        KNOT("knotd", "knot"),
        NSD("nsd", "nsd"),
        UNBOUND("unbound", "unbound");

        private final String program;
        private final String debianPackage;

        Server(String program, String debianPackage) {
            this.program = program;
            this.debianPackage = debianPackage;
        }
    }

    private final Process process;
    private final InetSocketAddress address;
    private final Path directory;

    private PeerProcess(Process process, InetSocketAddress address, Path directory) {
        this.process = process;
        this.address = address;
        this.directory = directory;
    }

    /** Knot DNS, authoritative for the zones it is given. */
    public static Builder knot() {
        return new Builder(Server.KNOT);
    }

    /** NSD, authoritative for the zones it is given. */
    public static Builder nsd() {
        return new Builder(Server.NSD);
    }

    /**
     * Unbound; zones it is given are {@code auth-zone}s that it answers from. Unlike by default, it
     * may ask servers on loopback, and {@code test.} (RFC 6761) is a zone as any other.
     */
    public static Builder unbound() {
        return new Builder(Server.UNBOUND);
    }

    /** What is to be started. */
    public static final class Builder {
        private final Server server;
        private final Map<String, String> zones = new LinkedHashMap<>();
        private final List<String> serverLines = new ArrayList<>();
        private final List<String> sections = new ArrayList<>();

        private InetSocketAddress listen =
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

        private Builder(Server server) {
            this.server = server;
        }

        /** Where it listens, on loopback, in the place of a free port of 127.0.0.1. */
        public Builder listen(InetSocketAddress address) {
            listen = address;
            return this;
        }

        /** Adds a zone with its text in master file form; it needs an SOA and an NS record. */
        public Builder zone(String name, String text) {
            zones.put(name, text.endsWith("\n") ? text : text + "\n");
            return this;
        }

        /** Adds a line to the {@code server:} section of the configuration. */
        public Builder server(String line) {
            serverLines.add(line);
            return this;
        }

        /** Adds whole sections to the end of the configuration, in the server's own syntax. */
        public Builder section(String text) {
            sections.add(text);
            return this;
        }

        /**
         * Starts the server and waits until it answers.
         *
         * @throws TestAbortedException if it is not installed and CI is not true
         * @throws AssertionError if it does not start, with what it wrote
         */
        public PeerProcess start() {
            final Path program = find(server);
            AssertionError failure = new AssertionError("not tried");
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                try {
                    return launch(program);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (AssertionError e) {
                    // The port may have been taken between the look for it and the start.
                    failure = e;
                }
            }
            throw failure;
        }

        private PeerProcess launch(Path program) throws IOException {
            final Path directory = Files.createTempDirectory("ananas-" + server.program);
            final LoopbackSockets free =
                    LoopbackSockets.open(listen.getAddress(), listen.getPort());
            final InetSocketAddress address = free.address();
            free.close();
            final Path config = directory.resolve(server.program + ".conf");
            for (final Map.Entry<String, String> zone : zones.entrySet()) {
                Files.writeString(zoneFile(directory, zone.getKey()), zone.getValue());
            }
            Files.writeString(config, config(directory, address.getPort()));
            final List<String> command = new ArrayList<>(List.of(program.toString()));
            command.addAll(server == Server.KNOT ? List.of("-c") : List.of("-d", "-c"));
            command.add(config.toString());
            final File log = directory.resolve("log").toFile();
            final Process process =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log)
                            .start();
            final PeerProcess peer = new PeerProcess(process, address, directory);
            peer.awaitAnswer(server.program);
            return peer;
        }

        private String config(Path directory, int port) {
            return switch (server) {
                case KNOT -> knotConfig(directory, port);
                case NSD -> nsdConfig(directory, port);
                case UNBOUND -> unboundConfig(directory, port);
            };
        }

        private String knotConfig(Path directory, int port) {
            final StringBuilder text = new StringBuilder();
            text.append(
                    "server:\n  rundir: \"%s\"\n  listen: %s@%d\n"
                            .formatted(directory, listen.getAddress().getHostAddress(), port));
            text.append("  udp-workers: 1\n  tcp-workers: 1\n  background-workers: 1\n");
            serverLines.forEach(line -> text.append("  ").append(line).append('\n'));
            text.append("log:\n  - target: stderr\n    any: info\n");
            text.append("database:\n  storage: \"%s\"\n".formatted(directory));
            sections.forEach(section -> text.append(section).append('\n'));
            if (!zones.isEmpty()) {
                text.append("zone:\n");
            }
            for (final String zone : zones.keySet()) {
                text.append(
                        "  - domain: \"%s\"\n    file: \"%s\"\n"
                                .formatted(zone, zoneFile(directory, zone)));
                text.append("    zonefile-sync: -1\n    journal-content: none\n");
            }
            return text.toString();
        }

        private String nsdConfig(Path directory, int port) {
            final StringBuilder text = new StringBuilder();
            text.append(
                    "server:\n  ip-address: %s@%d\n"
                            .formatted(listen.getAddress().getHostAddress(), port));
            text.append(
                    "  username: \"\"\n  chroot: \"\"\n  zonesdir: \"%s\"\n".formatted(directory));
            text.append(
                    "  pidfile: \"%1$s/pid\"\n  xfrdfile: \"%1$s/xfrd\"\n".formatted(directory));
            text.append(
                    "  zonelistfile: \"%1$s/zones\"\n  xfrdir: \"%1$s\"\n".formatted(directory));
            text.append("  server-count: 1\n");
            serverLines.forEach(line -> text.append("  ").append(line).append('\n'));
            text.append("remote-control:\n  control-enable: no\n");
            sections.forEach(section -> text.append(section).append('\n'));
            for (final String zone : zones.keySet()) {
                text.append(
                        "zone:\n  name: \"%s\"\n  zonefile: \"%s\"\n"
                                .formatted(zone, zoneFile(directory, zone)));
            }
            return text.toString();
        }

        private String unboundConfig(Path directory, int port) {
            final StringBuilder text = new StringBuilder();
            text.append(
                    "server:\n  interface: %s@%d\n"
                            .formatted(listen.getAddress().getHostAddress(), port));
            text.append(
                    "  username: \"\"\n  chroot: \"\"\n  directory: \"%s\"\n".formatted(directory));
            text.append("  pidfile: \"%s/pid\"\n  use-syslog: no\n".formatted(directory));
            text.append("  do-not-query-localhost: no\n  num-threads: 1\n  verbosity: 1\n");
            text.append("  local-zone: \"test.\" nodefault\n");
            serverLines.forEach(line -> text.append("  ").append(line).append('\n'));
            text.append("remote-control:\n  control-enable: no\n");
            sections.forEach(section -> text.append(section).append('\n'));
            for (final String zone : zones.keySet()) {
                text.append(
                        "auth-zone:\n  name: \"%s\"\n  zonefile: \"%s\"\n"
                                .formatted(zone, zoneFile(directory, zone)));
                text.append("  for-downstream: yes\n  for-upstream: yes\n");
            }
            return text.toString();
        }
    }

    private static Path zoneFile(Path directory, String zone) {
        return directory.resolve(zone.equals(".") ? "root.zone" : zone + ".zone");
    }

    private static Path find(Server server) {
        final @Nullable String path = System.getenv("PATH");
        final List<String> places =
                new ArrayList<>(path == null ? List.of() : List.of(path.split(File.pathSeparator)));
        places.addAll(MORE_PATHS);
        for (final String place : places) {
            final Path program = Path.of(place, server.program);
            if (Files.isExecutable(program)) {
                return program;
            }
        }
        throw absent(
                "%s is not installed, and this test needs it; on Debian: apt-get install %s"
                        .formatted(server.program, server.debianPackage),
                "true".equals(System.getenv("CI")));
    }

    static TestAbortedException absent(String reason, boolean ci) {
        if (ci) {
            throw new AssertionError(reason);
        }
        return new TestAbortedException(reason);
    }

    private void awaitAnswer(String program) {
        final DnsClient client = new DnsClient(address, PROBE);
        final byte[] probe = Query.of(".", "NS").noRecursion().toWire();
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        @Nullable IOException last = null;
        while (process.isAlive() && System.nanoTime() < deadline) {
            try {
                client.udp(probe);
                return;
            } catch (IOException notYet) {
                last = notYet;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        final String state = process.isAlive() ? "does not answer" : "has ended";
        final AssertionError error =
                new AssertionError("%s %s%n%s".formatted(program, state, log()), last);
        close();
        throw error;
    }

    /** Where it listens, over UDP and TCP. */
    public InetSocketAddress address() {
        return address;
    }

    public int port() {
        return address.getPort();
    }

    /** What it wrote so far. */
    public String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the server without notice, as a crash would; {@link #close} is still to be called. */
    public void kill() {
        final List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        await();
    }

    private boolean await() {
        try {
            return process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        final List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!await()) {
            kill();
        }
        children.forEach(ProcessHandle::destroy);
        try (Stream<Path> files = Files.walk(directory)) {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("could not remove " + directory, e);
        }
    }
}
