package io.ananas.transport;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A listener could not be bound. The message names the address, the reason and what to do. */
public final class ListenException extends IOException {
    private ListenException(String message) {
        super(message);
    }

    static ListenException of(String protocol, InetSocketAddress address, String reason) {
        return new ListenException(
                "cannot listen on %s (%s): %s; %s"
                        .formatted(
                                Addresses.format(address),
                                protocol,
                                reason,
                                advice(address, reason)));
    }

    private static String advice(InetSocketAddress address, String reason) {
        final String lower = reason.toLowerCase(java.util.Locale.ROOT);
        if (lower.contains("in use")) {
            return "another server has this port (ss -lnp 'sport = :%d' shows it): stop it, or listen elsewhere"
                    .formatted(address.getPort());
        }
        if (lower.contains("permission")) {
            return "ports below 1024 need root or the capability CAP_NET_BIND_SERVICE";
        }
        return "listen on an address that this machine has (ip address shows them)";
    }
}
