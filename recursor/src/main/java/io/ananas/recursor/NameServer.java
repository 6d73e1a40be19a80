package io.ananas.recursor;

import io.ananas.message.Name;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A server of a zone.
 *
 * @param glue addresses that came with the delegation; good for reaching it, and for nothing else
 */
record NameServer(Name name, List<InetSocketAddress> glue) {
    private static final int MAX_ADDRESSES = 16;

    NameServer {
        glue = List.copyOf(glue.size() > MAX_ADDRESSES ? glue.subList(0, MAX_ADDRESSES) : glue);
    }
}
