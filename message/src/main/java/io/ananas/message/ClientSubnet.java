package io.ananas.message;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A client subnet (RFC 7871, section 6).
 *
 * <pre>
 *      +--------+---------------+--------------+----------------------+
 *      | family | source prefix | scope prefix | address              |
 *      +--------+---------------+--------------+----------------------+
 *       2        1               1              ceil(source prefix / 8)
 * </pre>
 *
 * @param family 1 for IPv4, 2 for IPv6; 0 only with a source prefix of 0
 * @param sourcePrefix bits of the address that the client shows, at most 32 or 128
 * @param scopePrefix bits that the answer is for; 0 in a query
 * @param address zero beyond the source prefix; 0.0.0.0 for family 0
 */
public record ClientSubnet(int family, int sourcePrefix, int scopePrefix, InetAddress address) {
    public static final int NO_FAMILY = 0;
    public static final int IPV4 = 1;
    public static final int IPV6 = 2;

    static final int HEADER = 4;

    public ClientSubnet {
        final int bits = bits(family);
        if (bits < 0 || outside(sourcePrefix, bits) || outside(scopePrefix, bits)) {
            throw new IllegalArgumentException(
                    "a client subnet is of family 1 with prefixes up to 32 or of family 2 up to 128,"
                            + " got family %d, source %d, scope %d"
                                    .formatted(family, sourcePrefix, scopePrefix));
        }
        if (address.getAddress().length != (family == IPV6 ? 16 : 4)) {
            throw new IllegalArgumentException(
                    "family %d does not fit address %s"
                            .formatted(family, address.getHostAddress()));
        }
        address = masked(address.getAddress(), sourcePrefix);
    }

    /** The subnet of an address, cut to {@code sourcePrefix} bits, with scope 0. */
    public static ClientSubnet of(InetAddress address, int sourcePrefix) {
        final int family = address.getAddress().length == 4 ? IPV4 : IPV6;
        return new ClientSubnet(family, sourcePrefix, 0, address);
    }

    /**
     * Reads the octets of an option.
     *
     * @return null if it is malformed: an unknown family, a prefix too long, too few or too many
     *     octets, or bits set beyond the source prefix (to be answered by FORMERR)
     */
    public static @Nullable ClientSubnet parse(byte[] octets, int offset, int length) {
        if (length < HEADER) {
            return null;
        }
        final int family = Wire.u16(octets, offset);
        final int source = octets[offset + 2] & 0xff;
        final int scope = octets[offset + 3] & 0xff;
        final int bits = bits(family);
        if (outside(source, bits)
                || outside(scope, bits)
                || length != HEADER + (source + 7) / 8
                || ((source & 7) != 0
                        && (octets[offset + length - 1] & 0xff >> (source & 7)) != 0)) {
            return null;
        }
        final byte[] address = new byte[family == IPV6 ? 16 : 4];
        System.arraycopy(octets, offset + HEADER, address, 0, length - HEADER);
        return new ClientSubnet(family, source, scope, address(address));
    }

    /** The same with another scope. */
    public ClientSubnet withScope(int scope) {
        return new ClientSubnet(family, sourcePrefix, scope, address);
    }

    /** The octets of the option, without code and length. */
    public byte[] wire() {
        final byte[] wire =
                Arrays.copyOf(
                        new byte[] {
                            (byte) (family >> 8),
                            (byte) family,
                            (byte) sourcePrefix,
                            (byte) scopePrefix
                        },
                        HEADER + (sourcePrefix + 7) / 8);
        System.arraycopy(address.getAddress(), 0, wire, HEADER, wire.length - HEADER);
        return wire;
    }

    /** Bits of an address of the family; -1 for an unknown one. */
    static int bits(int family) {
        return switch (family) {
            case NO_FAMILY -> 0;
            case IPV4 -> 32;
            case IPV6 -> 128;
            default -> -1;
        };
    }

    private static boolean outside(int prefix, int bits) {
        return prefix < 0 || prefix > bits;
    }

    private static InetAddress masked(byte[] address, int prefix) {
        for (int i = 0; i < address.length; i++) {
            final int keep = Math.clamp(prefix - 8L * i, 0, 8);
            address[i] &= (byte) (0xff00 >> keep);
        }
        return address(address);
    }

    private static InetAddress address(byte[] octets) {
        try {
            // Inet6Address, because InetAddress would make an IPv4 address of a mapped one
            return octets.length == 16
                    ? Inet6Address.getByAddress(null, octets, -1)
                    : InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(octets.length + " octets are no IP address", e);
        }
    }

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + sourcePrefix + "/" + scopePrefix;
    }
}
