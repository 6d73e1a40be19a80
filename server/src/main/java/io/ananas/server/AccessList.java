package io.ananas.server;

import io.ananas.message.Memory;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Networks of clients that may ask. Looked up by comparing with each: lists of access are short.
 * Immutable.
 */
final class AccessList {
    /**
     * Loopback, private, link-local and shared networks: a resolver open to all is an amplifier.
     */
    static final List<String> DEFAULT =
            List.of(
                    "127.0.0.0/8",
                    "10.0.0.0/8",
                    "172.16.0.0/12",
                    "192.168.0.0/16",
                    "169.254.0.0/16",
                    "100.64.0.0/10",
                    "::1/128",
                    "fc00::/7",
                    "fe80::/10");

    private static final int IPV4_LENGTH = 4;

    private final int[] fourPrefixes;
    private final int[] fourMasks;
    private final long[] sixPrefixes;
    private final long[] sixMasks;

    private AccessList(List<Network> four, List<Network> six) {
        fourPrefixes = four.stream().mapToInt(n -> (int) (n.high() >>> 32)).toArray();
        fourMasks = four.stream().mapToInt(n -> (int) (mask(n.bits()) >>> 32)).toArray();
        sixPrefixes = new long[2 * six.size()];
        sixMasks = new long[2 * six.size()];
        for (int i = 0; i < six.size(); i++) {
            final Network n = six.get(i);
            sixPrefixes[2 * i] = n.high();
            sixPrefixes[2 * i + 1] = n.low();
            sixMasks[2 * i] = mask(Math.min(64, n.bits()));
            sixMasks[2 * i + 1] = mask(Math.max(0, n.bits() - 64));
        }
    }

    private record Network(boolean four, long high, long low, int bits) {}

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L << (64 - bits);
    }

    /**
     * A list of networks such as {@code 192.0.2.0/24}, {@code 2001:db8::/32} or {@code 192.0.2.1}.
     *
     * @throws IllegalArgumentException saying which is none and what was expected
     */
    static AccessList of(List<String> networks) {
        final List<Network> all = networks.stream().map(AccessList::parse).toList();
        return new AccessList(
                all.stream().filter(Network::four).toList(),
                all.stream().filter(n -> !n.four()).toList());
    }

    private static Network parse(String text) {
        final int slash = text.indexOf('/');
        try {
            final byte[] octets =
                    InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
            final int most = 8 * octets.length;
            final int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
            final Network network =
                    new Network(
                            octets.length == IPV4_LENGTH, bits(octets, 0), bits(octets, 8), bits);
            if (bits >= 0
                    && bits <= most
                    && (network.high() & ~mask(Math.min(64, bits))) == 0
                    && (network.low() & ~mask(Math.max(0, bits - 64))) == 0) {
                return network;
            }
        } catch (IllegalArgumentException e) {
            throw unexpected(text, e);
        }
        throw unexpected(text, null);
    }

    private static IllegalArgumentException unexpected(String text, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "found '%s', expected a network such as 192.0.2.0/24 or 2001:db8::/32, no bits set behind the prefix"
                        .formatted(text),
                cause);
    }

    private static long bits(byte[] octets, int from) {
        long bits = 0;
        for (int i = from; i < from + 8; i++) {
            bits = bits << 8 | (i < octets.length ? octets[i] & 0xff : 0);
        }
        return bits;
    }

    /** Whether the address of 4 or 16 octets in native memory lies in one of the networks. */
    boolean contains(long address, int length) {
        return length == IPV4_LENGTH
                ? containsFour(Memory.getIntBE(address))
                : containsSix(Memory.getLongBE(address), Memory.getLongBE(address + 8));
    }

    private boolean containsFour(int address) {
        final int[] prefixes = fourPrefixes;
        final int[] masks = fourMasks;
        for (int i = 0; i < prefixes.length; i++) {
            if ((address & masks[i]) == prefixes[i]) {
                return true;
            }
        }
        return false;
    }

    private boolean containsSix(long high, long low) {
        final long[] prefixes = sixPrefixes;
        final long[] masks = sixMasks;
        for (int i = 0; i < prefixes.length; i += 2) {
            if ((high & masks[i]) == prefixes[i] && (low & masks[i + 1]) == prefixes[i + 1]) {
                return true;
            }
        }
        return false;
    }
}
