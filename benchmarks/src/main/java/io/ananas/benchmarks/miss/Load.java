package io.ananas.benchmarks.miss;

import io.ananas.message.MessageLayout;
import io.ananas.message.ResponseCode;
import io.ananas.message.Wire;
import io.ananas.testkit.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Asks each name once, with a fixed number of questions under way at a time, from one thread and
 * several sockets, as a server whose threads share a port tells clients apart by their address and
 * port. What has not come after three seconds counts as failed.
 */
final class Load {
    private static final int MAX_WINDOW = 4_096;
    private static final int PATIENCE_MILLIS = 3_000;
    private static final int RECEIVE_BUFFER = 1 << 20;
    private static final int MAX_SOCKETS = 32;

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
        final List<DatagramChannel> sockets = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < Math.min(window, MAX_SOCKETS); i++) {
                final DatagramChannel socket = DatagramChannel.open();
                sockets.add(socket);
                socket.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
                socket.configureBlocking(false);
                socket.connect(server);
                socket.register(selector, SelectionKey.OP_READ);
            }
            return new Run(names, selector, sockets).run();
        } finally {
            for (DatagramChannel socket : sockets) {
                socket.close();
            }
        }
    }

    private final class Run {
        private final List<String> names;
        private final Selector selector;
        private final List<DatagramChannel> sockets;
        private final Histogram nanos = new Histogram(3);
        private final long[] sent;
        private final ByteBuffer in = ByteBuffer.allocate(1_500);
        private int next;
        private int done;
        private int answered;

        Run(List<String> names, Selector selector, List<DatagramChannel> sockets) {
            this.names = names;
            this.selector = selector;
            this.sockets = sockets;
            sent = new long[names.size()];
        }

        Outcome run() throws IOException {
            final long start = System.nanoTime();
            while (done < names.size()) {
                while (next < names.size() && next - done < window) {
                    send(next);
                    sent[next++] = System.nanoTime();
                }
                if (selector.select(this::receive, PATIENCE_MILLIS) == 0) {
                    done = next; // all that were under way are lost
                }
            }
            final double seconds = (System.nanoTime() - start) / 1e9;
            return new Outcome(answered, names.size() - answered, answered / seconds, nanos);
        }

        private void send(int index) throws IOException {
            final byte[] query =
                    Query.of(names.get(index), "A").id(index & 0xffff).dnssecOk().toWire();
            sockets.get(index % sockets.size()).write(ByteBuffer.wrap(query));
        }

        private void receive(SelectionKey key) {
            final DatagramChannel socket = (DatagramChannel) key.channel();
            try {
                while (socket.read(in.clear()) > 0) {
                    take(in.array());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void take(byte[] response) {
            final int index = index(response, next);
            if (index >= 0 && sent[index] != 0) {
                nanos.recordValue(System.nanoTime() - sent[index]);
                sent[index] = 0;
                done++;
                answered += hasAnswer(response) ? 1 : 0;
            }
        }
    }

    /** The last question with the id of a response. */
    private static int index(byte[] response, int next) {
        final int id = Wire.u16(response, MessageLayout.ID);
        final int last = next - 1;
        return last - ((last - id) & 0xffff);
    }

    private static boolean hasAnswer(byte[] response) {
        final int answers = Wire.u16(response, MessageLayout.ANCOUNT);
        return (response[MessageLayout.FLAGS + 1] & MessageLayout.RCODE_MASK)
                        == ResponseCode.NOERROR
                && answers > 0;
    }
}
