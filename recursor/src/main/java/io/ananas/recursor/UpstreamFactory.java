package io.ananas.recursor;

import io.ananas.message.Upstream;
import java.net.InetSocketAddress;

/** Opens the way to a server. Thread-safe; called once per server as long as it is remembered. */
@FunctionalInterface
public interface UpstreamFactory {
    /** Asks over UDP, and over TCP what is truncated. */
    Upstream udp(InetSocketAddress server);

    /** Asks over TCP alone; the same as {@link #udp} where nothing better is at hand. */
    default Upstream tcp(InetSocketAddress server) {
        return udp(server);
    }
}
