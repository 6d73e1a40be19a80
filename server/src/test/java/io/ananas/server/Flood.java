package io.ananas.server;

import io.ananas.testkit.Query;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.function.IntFunction;

/** Many queries over UDP, so many at a time, each waited for. */
final class Flood {
    private static final int PATIENCE_MILLIS = 10_000;

    private Flood() {}

    static byte[] query(String name) {
        return Query.of(name, "A").payloadSize(1232).toWire();
    }

    /**
     * Returns when all are answered.
     *
     * @param window how many are sent before the first of them is waited for
     * @param queries the query of each number
     */
    static void of(InetSocketAddress server, int packets, int window, IntFunction<byte[]> queries)
            throws IOException {
        final DatagramPacket in = new DatagramPacket(new byte[512], 512);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(server);
            for (int i = 0; i < packets; i += window) {
                for (int j = 0; j < window; j++) {
                    final byte[] query = queries.apply(i + j);
                    socket.send(new DatagramPacket(query, query.length));
                }
                for (int j = 0; j < window; j++) {
                    socket.receive(in);
                }
            }
        }
    }
}
