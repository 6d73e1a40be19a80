package io.ananas.benchmarks.miss;

import io.ananas.message.MessageLayout;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.Query;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Asks each name once, with a fixed number of questions under way at a time, from one socket and
 * one thread. What has not come after three seconds counts as failed.
 */
final class Load {
    private static final int MAX_WINDOW = 4_096;
    private static final int PATIENCE_MILLIS = 3_000;
    private static final int RECEIVE_BUFFER = 1 << 20;

    private final InetSocketAddress server;
    private final int window;

    /**
     * @param answered names with an answer section
     * @param failed names without, or never answered
     * @param perSecond answers per second
     * @param nanos time to the answer
     */
    record Outcome(int answered, int failed, double perSecond, Histogram nanos) {
        double p50Micros() {
            return nanos.getValueAtPercentile(50) / 1e3;
        }
    }

    Load(InetSocketAddress server, int window) {
        if (window < 1 || window > MAX_WINDOW) {
            throw new IllegalArgumentException("a window of 1 to 4096 questions, not " + window);
        }
        this.server = server;
        this.window = window;
    }

    /** Asks all; blocks until the last answer. */
    Outcome run(List<String> names) throws IOException {
        final Histogram nanos = new Histogram(3);
        final long[] sent = new long[names.size()];
        final DatagramPacket in = new DatagramPacket(new byte[1_500], 1_500);
        int next = 0;
        int answered = 0;
        int done = 0;
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setReceiveBufferSize(RECEIVE_BUFFER);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(server);
            final long start = System.nanoTime();
            while (done < names.size()) {
                while (next < names.size() && next - done < window) {
                    send(socket, names.get(next), next);
                    sent[next++] = System.nanoTime();
                }
                try {
                    socket.receive(in);
                } catch (SocketTimeoutException e) {
                    done = next; // all that were under way are lost
                    continue;
                }
                final int index = index(in.getData(), next);
                if (index >= 0 && sent[index] != 0) {
                    nanos.recordValue(System.nanoTime() - sent[index]);
                    sent[index] = 0;
                    done++;
                    answered += hasAnswer(in.getData()) ? 1 : 0;
                }
            }
            final double seconds = (System.nanoTime() - start) / 1e9;
            return new Outcome(answered, names.size() - answered, answered / seconds, nanos);
        }
    }

    private static void send(DatagramSocket socket, String name, int index) throws IOException {
        final byte[] query = Query.of(name, "A").id(index & 0xffff).dnssecOk().toWire();
        socket.send(new DatagramPacket(query, query.length));
    }

    /** The last question with the id of a response. */
    private static int index(byte[] response, int next) {
        final int id = (response[0] & 0xff) << 8 | response[1] & 0xff;
        final int last = next - 1;
        return last - ((last - id) & 0xffff);
    }

    private static boolean hasAnswer(byte[] response) {
        final int answers =
                (response[MessageLayout.ANCOUNT] & 0xff) << 8
                        | response[MessageLayout.ANCOUNT + 1] & 0xff;
        return (response[MessageLayout.FLAGS + 1] & MessageLayout.RCODE_MASK)
                        == ResponseCode.NOERROR
                && answers > 0;
    }
}
