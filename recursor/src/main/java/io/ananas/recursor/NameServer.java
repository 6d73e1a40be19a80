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
    NameServer {
        glue = List.copyOf(glue);
    }
}
