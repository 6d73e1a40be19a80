package io.ananas.testkit;

import io.ananas.message.MessageLayout;
import io.ananas.message.RecordType;
import io.ananas.message.Upstream;
import io.ananas.message.Wire;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Many name servers at addresses that exist only here: root, top level domains, zones, sound or
 * broken, in one process and without sockets.
 *
 * <pre>{@code
 * ManualClock clock = new ManualClock();
 * ScriptedInternet internet = new ScriptedInternet(clock);
 * internet.server("192.0.2.1").zone(".", "test. NS ns.test.", "ns.test. A 192.0.2.2");
 * internet.server("192.0.2.2").zone("test", "www.test. A 192.0.2.80");
 * Upstream root = internet.udp(new InetSocketAddress("192.0.2.1", 53));
 * }</pre>
 *
 * <p>Time is that of the clock: a response moves it by the round trip of its server, and a query
 * that nothing answers by its whole timeout, so that what a real resolver waits for costs a test
 * nothing. An address without a server is silent. Thread-safe.
 */
public final class ScriptedInternet {
    private final ManualClock clock;
    private final Map<InetSocketAddress, ScriptedServer> servers = new ConcurrentHashMap<>();
    private final List<String> log = new CopyOnWriteArrayList<>();

    public ScriptedInternet(ManualClock clock) {
        this.clock = clock;
    }

    /** The server at port 53 of an address, given as text; it is there from now on. */
    public ScriptedServer server(String address) {
        return server(new InetSocketAddress(InetAddress.ofLiteral(address), 53));
    }

    /** The server at an address and port; it is there from now on. */
    public ScriptedServer server(InetSocketAddress address) {
        return servers.computeIfAbsent(address, ScriptedServer::new);
    }

    /** All queries to all servers so far, in order, for people. */
    public List<String> log() {
        return List.copyOf(log);
    }

    /** Queries to all servers so far. */
    public int count() {
        return log.size();
    }

    /** Forgets the queries so far. */
    public void clear() {
        log.clear();
        servers.values().forEach(ScriptedServer::clear);
    }

    /** The way to a server over UDP, and over TCP for what is truncated. */
    public Upstream udp(InetSocketAddress address) {
        return new Way(address, false);
    }

    /** The way to a server over TCP. */
    public Upstream tcp(InetSocketAddress address) {
        return new Way(address, true);
    }

    private final class Way implements Upstream {
        private final InetSocketAddress address;
        private final boolean tcp;

        Way(InetSocketAddress address, boolean tcp) {
            this.address = address;
            this.tcp = tcp;
        }

        @Override
        public String name() {
            return address.getAddress().getHostAddress();
        }

        @Override
        public byte[] exchange(byte[] query, Duration timeout) throws IOException {
            final byte[] response = ask(query, timeout, tcp);
            return ScriptedZone.isTruncated(response) && !tcp
                    ? ask(query, timeout, true)
                    : response;
        }

        private byte[] ask(byte[] query, Duration timeout, boolean overTcp) throws IOException {
            final byte[] sent = query.clone();
            final int id = ThreadLocalRandom.current().nextInt(0x10000);
            Wire.put16(sent, MessageLayout.ID, id);
            final ReceivedQuery received = new ReceivedQuery(sent, overTcp, address);
            log.add(
                    "%s %s to %s%s"
                            .formatted(
                                    received.name(),
                                    RecordType.text(received.type()),
                                    name(),
                                    overTcp ? " over TCP" : ""));
            final ScriptedServer server = servers.get(address);
            final byte @Nullable [] response = server == null ? null : reply(server, received);
            final boolean late = server != null && server.latency().compareTo(timeout) > 0;
            if (server == null || response == null || response.length == 0 || late) {
                clock.advance(timeout);
                throw new SocketTimeoutException(name() + " did not respond in time");
            }
            clock.advance(server.latency());
            return response;
        }

        private static byte @Nullable [] reply(ScriptedServer server, ReceivedQuery query)
                throws IOException {
            try {
                return server.reply(query);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
    }
}
