package io.ananas.recursor;

import java.net.Inet4Address;
import java.net.InetAddress;

/** Which addresses a name server may have. */
final class Addresses {
    private Addresses() {}

    /** Loopback, private, link-local and shared addresses (RFC 6890). */
    static boolean isLocal(InetAddress address) {
        if (address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()) {
            return true;
        }
        final byte[] octets = address.getAddress();
        if (address instanceof Inet4Address) {
            return (octets[0] & 0xff) == 100 && (octets[1] & 0xc0) == 64;
        }
        return (octets[0] & 0xfe) == 0xfc;
    }

    /** Whether no server can be there: unspecified, multicast, 0/8, 240/4 and broadcast. */
    static boolean isImpossible(InetAddress address) {
        final byte[] octets = address.getAddress();
        return address.isAnyLocalAddress()
                || address.isMulticastAddress()
                || (address instanceof Inet4Address
                        && (octets[0] == 0 || (octets[0] & 0xf0) == 0xf0));
    }
}
