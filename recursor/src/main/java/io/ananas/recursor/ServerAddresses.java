package io.ananas.recursor;

import io.ananas.message.RecordType;
import io.ananas.recursor.Link.Kind;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Addresses of name servers: what their own zone says comes before glue (RFC 2181, s. 5.4.1). */
final class ServerAddresses {
    private ServerAddresses() {}

    static List<InetSocketAddress> known(
            NameServer server, Delegation delegation, LinkCache links, RecursorOptions options) {
        if (delegation.source() == Delegation.Source.STUB
                || delegation.source() == Delegation.Source.FORWARD) {
            return server.glue();
        }
        final List<InetSocketAddress> addresses = new ArrayList<>(2);
        for (final int type : new int[] {RecordType.A, RecordType.AAAA}) {
            final Link link = links.exact(server.name(), type);
            if (link != null) {
                addresses.addAll(of(link, options));
            } else {
                final int octets = type == RecordType.A ? 4 : 16;
                for (final InetSocketAddress address : server.glue()) {
                    if (address.getAddress().getAddress().length == octets) {
                        addresses.add(address);
                    }
                }
            }
        }
        return addresses;
    }

    static List<InetSocketAddress> of(@Nullable Link link, RecursorOptions options) {
        final List<InetSocketAddress> addresses = new ArrayList<>(2);
        if (link != null && link.kind() == Kind.ANSWER) {
            for (final RRset set : link.answer()) {
                for (final byte[] rdata : set.rdatas()) {
                    addresses.add(new InetSocketAddress(RootHints.address(rdata), options.port()));
                }
            }
        }
        return addresses;
    }

    /** The types to look up, in order. */
    static List<Integer> types(RecursorOptions options) {
        final List<Integer> types = new ArrayList<>(2);
        if (options.ipv4()) {
            types.add(RecordType.A);
        }
        if (options.ipv6()) {
            types.add(RecordType.AAAA);
        }
        return types;
    }
}
