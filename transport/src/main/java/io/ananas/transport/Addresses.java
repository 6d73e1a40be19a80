package io.ananas.transport;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Socket addresses as people write them. */
public final class Addresses {
    private Addresses() {}

    /** For example {@code 192.0.2.1:53} or {@code [2001:db8::1]:53}, never by a host name. */
    public static String format(InetSocketAddress address) {
        if (address.isUnresolved()) {
            return address.getHostString() + ":" + address.getPort();
        }
        final String ip = address.getAddress().getHostAddress();
        return address.getAddress() instanceof Inet6Address
                ? "[" + compress(ip) + "]:" + address.getPort()
                : ip + ":" + address.getPort();
    }

    private static String compress(String ip) {
        return switch (ip) {
            case "0:0:0:0:0:0:0:0" -> "::";
            case "0:0:0:0:0:0:0:1" -> "::1";
            default -> ip.replaceFirst("(^|:)0(:0)+(:|$)", "::");
        };
    }
}
