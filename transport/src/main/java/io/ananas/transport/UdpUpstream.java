package io.ananas.transport;

import io.ananas.message.Upstream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Asks one server over UDP, and over TCP what does not fit (RFC 7766, section 5). TCP has the time
 * of its own that it needs for a connection, a second at least: by then the server has shown that
 * it is there.
 */
final class UdpUpstream implements Upstream {
    private static final Duration LEAST_FOR_TCP = Duration.ofSeconds(1);

    private final InetSocketAddress server;
    private final String name;
    private final UpstreamSockets sockets;
    private final TcpUpstream tcp;
    private final AtomicReferenceArray<@Nullable UdpPort> ports;

    UdpUpstream(InetSocketAddress server, UpstreamSockets sockets, TcpUpstream tcp) {
        this.server = server;
        this.name = Addresses.format(server);
        this.sockets = sockets;
        this.tcp = tcp;
        ports = new AtomicReferenceArray<>(sockets.options().portsPerServer());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public byte[] exchange(byte[] query, Duration timeout) throws IOException {
        final long deadline = System.nanoTime() + timeout.toNanos();
        final int draw = sockets.random().nextInt();
        final int id = draw & 0xffff;
        final int slot = (draw >>> 16) % ports.length();
        while (true) {
            final UdpPort port = port(slot);
            final UdpExchange exchange = port.send(query, id, deadline);
            if (exchange == null) {
                replace(slot, port);
                continue;
            }
            final byte[] response = await(port, exchange);
            if (!UpstreamMessages.isTruncated(response)) {
                return response;
            }
            return tcp.exchange(
                    query, timeout.compareTo(LEAST_FOR_TCP) < 0 ? LEAST_FOR_TCP : timeout);
        }
    }

    private byte[] await(UdpPort port, UdpExchange exchange) throws IOException {
        try {
            return exchange.await(name);
        } finally {
            port.end(exchange);
        }
    }

    private UdpPort port(int slot) throws IOException {
        final UdpPort port = ports.get(slot);
        return port != null ? port : replace(slot, null);
    }

    private UdpPort replace(int slot, @Nullable UdpPort usedUp) throws IOException {
        final UdpPort fresh = sockets.openPort(server);
        if (ports.compareAndSet(slot, usedUp, fresh)) {
            return fresh;
        }
        fresh.closeNow();
        final UdpPort other = ports.get(slot);
        return other == null ? replace(slot, null) : other;
    }
}
