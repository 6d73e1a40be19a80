package io.ananas.server;

import io.ananas.message.ClientSubnet;
import io.ananas.message.Memory;
import io.ananas.message.QueryView;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The subnet that counts for one query (RFC 7871, section 7.1): what the client itself tells, cut
 * to what the policy allows; its address where it tells nothing. A client that shows no bits
 * (source prefix 0) is never given one (section 7.1.2). Used again for query after query, without
 * allocation; not thread-safe.
 */
final class SubnetChoice {
    private static final int OPTION_HEAD = 4;
    private static final int OPTION_SUBNET = 8;

    private final SubnetPolicy policy;
    private int family;
    private long address;
    private int source;

    SubnetChoice(SubnetPolicy policy) {
        this.policy = policy;
    }

    /**
     * Chooses for one query.
     *
     * @param client where the client's address stands
     * @param clientLength 4 or 16 octets of it
     * @return false if the answer cannot depend on the subnet
     */
    boolean choose(QueryView query, long client, int clientLength) {
        if (!policy.concerns(query)) {
            return false;
        }
        if (query.ecsOffset() != 0) {
            chooseOption(query.address() + query.ecsOffset() + OPTION_HEAD);
        } else {
            family = clientLength == 4 ? ClientSubnet.IPV4 : ClientSubnet.IPV6;
            source = policy.prefix(clientLength);
            address = client;
        }
        return true;
    }

    private void chooseOption(long option) {
        final boolean ipv6 = Memory.getShortBE(option) == ClientSubnet.IPV6;
        final int asked = Memory.getUnsignedByte(option + 2);
        source = Math.min(asked, policy.prefix(ipv6 ? 16 : 4));
        family = ipv6 && source > 0 ? ClientSubnet.IPV6 : ClientSubnet.IPV4;
        address = option + OPTION_SUBNET - OPTION_HEAD;
    }

    /** 1 or 2. */
    int family() {
        return family;
    }

    /** Where the octets of the address stand that the prefix needs. */
    long address() {
        return address;
    }

    /** Bits that count. */
    int source() {
        return source;
    }

    /** The choice, to be kept. */
    ClientSubnet subnet() {
        final byte[] octets = new byte[family == ClientSubnet.IPV6 ? 16 : 4];
        Memory.copyTo(address, octets, 0, (source + 7) >>> 3);
        try {
            // Inet6Address, because InetAddress would make an IPv4 address of a mapped one
            final InetAddress known =
                    octets.length == 16
                            ? Inet6Address.getByAddress(null, octets, -1)
                            : InetAddress.getByAddress(octets);
            return new ClientSubnet(family, source, 0, known);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(octets.length + " octets are no IP address", e);
        }
    }
}
