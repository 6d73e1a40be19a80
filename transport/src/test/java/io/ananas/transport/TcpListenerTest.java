package io.ananas.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.Memory;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryHandler;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class TcpListenerTest {
    private static final InetSocketAddress LOOPBACK =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int QUERY_LENGTH = 20;
    private static final byte LATER = 77;

    private static TcpListener listen(TcpOptions options, QueryHandler handler) throws IOException {
        return TcpListener.open(LOOPBACK, options, () -> handler);
    }

    private static TcpOptions options(Duration idle, int connections, int inFlight) {
        return new TcpOptions(1, idle, connections, inFlight);
    }

    private static Socket connect(TcpListener listener) throws IOException {
        final Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static byte[] frame(int id, int kind) {
        final ByteBuffer frame = ByteBuffer.allocate(2 + QUERY_LENGTH);
        frame.putShort((short) QUERY_LENGTH).putShort((short) id);
        frame.put(2 + QUERY_LENGTH - 1, (byte) kind);
        return frame.array();
    }

    private static byte[] frames(int count) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            all.writeBytes(frame(i, 0));
        }
        return all.toByteArray();
    }

    private static int readId(DataInputStream in) throws IOException {
        final byte[] message = new byte[in.readUnsignedShort()];
        in.readFully(message);
        assertThat(message).hasSize(QUERY_LENGTH);
        return ByteBuffer.wrap(message).getShort() & 0xffff;
    }

    private static DataInputStream in(Socket socket) throws IOException {
        return new DataInputStream(socket.getInputStream());
    }

    /** Echoes at once, but puts queries of the kind LATER aside. */
    private static QueryHandler echoOrPutAside(BlockingQueue<QueryBatch.Pending> aside) {
        return batch -> {
            final long last = batch.queryAddress(0) + batch.queryLength(0) - 1;
            if (Memory.getByte(last) == LATER) {
                aside.add(batch.detach(0));
            } else {
                EchoHandler.echo(batch, 0);
            }
        };
    }

    @Test
    void allSegmentationsAreReadAlike() throws IOException {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final int queries = 200;
        final byte[] stream = frames(queries);
        try (TcpListener listener = listen(TcpOptions.DEFAULT, new EchoHandler());
                Socket socket = connect(listener)) {
            int at = 0;
            while (at < stream.length) {
                final int n = Math.min(stream.length - at, 1 + random.nextInt(60));
                socket.getOutputStream().write(stream, at, n);
                at += n;
            }
            final DataInputStream in = in(socket);
            for (int i = 0; i < queries; i++) {
                assertThat(readId(in)).as("reply %d, seed %d", i, seed).isEqualTo(i);
            }
            assertThat(listener.statistics().received()).isEqualTo(queries);
        }
    }

    @Test
    void twoQueriesInOneSegmentAndALengthSplitOverTwo() throws IOException {
        try (TcpListener listener = listen(TcpOptions.DEFAULT, new EchoHandler());
                Socket socket = connect(listener)) {
            final DataInputStream in = in(socket);
            socket.getOutputStream().write(frames(2));
            assertThat(readId(in)).isZero();
            assertThat(readId(in)).isEqualTo(1);
            final byte[] third = frame(3, 0);
            socket.getOutputStream().write(third, 0, 1);
            socket.getOutputStream().write(third, 1, third.length - 1);
            assertThat(readId(in)).isEqualTo(3);
        }
    }

    @Test
    void aSlowAnswerHoldsUpNoOther() throws Exception {
        final BlockingQueue<QueryBatch.Pending> aside = new LinkedBlockingQueue<>();
        try (TcpListener listener = listen(TcpOptions.DEFAULT, echoOrPutAside(aside));
                Socket socket = connect(listener)) {
            final DataInputStream in = in(socket);
            socket.getOutputStream().write(frame(1, LATER));
            for (int id = 2; id <= 20; id++) {
                socket.getOutputStream().write(frame(id, 0));
            }
            for (int id = 2; id <= 20; id++) {
                assertThat(readId(in)).isEqualTo(id);
            }
            final QueryBatch.Pending slow = aside.take();
            assertThat(slow.isStream()).isTrue();
            assertThat(slow.clientAddress()).containsExactly(127, 0, 0, 1);
            Thread.ofVirtual().start(() -> slow.reply(slow.query(), QUERY_LENGTH)).join();
            assertThat(readId(in)).isEqualTo(1);
        }
    }

    @Test
    void noMoreThanTheLimitIsInFlightPerConnection() throws Exception {
        final BlockingQueue<QueryBatch.Pending> aside = new LinkedBlockingQueue<>();
        try (TcpListener listener =
                        listen(options(Duration.ofSeconds(10), 10, 3), echoOrPutAside(aside));
                Socket socket = connect(listener)) {
            final DataInputStream in = in(socket);
            for (int id = 0; id < 10; id++) {
                socket.getOutputStream().write(frame(id, LATER));
            }
            final Set<Integer> answered = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                final List<QueryBatch.Pending> held = new ArrayList<>();
                for (int j = 0; j < Math.min(3, 10 - i); j++) {
                    held.add(aside.take());
                }
                assertThat(aside.poll(20, TimeUnit.MILLISECONDS)).isNull();
                final QueryBatch.Pending last = held.removeLast();
                aside.addAll(held);
                last.reply(last.query(), QUERY_LENGTH);
                answered.add(readId(in));
            }
            assertThat(answered).hasSize(10);
        }
    }

    @Test
    void aClientThatHalfClosesGetsItsAnswers() throws Exception {
        final BlockingQueue<QueryBatch.Pending> aside = new LinkedBlockingQueue<>();
        try (TcpListener listener = listen(TcpOptions.DEFAULT, echoOrPutAside(aside));
                Socket socket = connect(listener)) {
            final DataInputStream in = in(socket);
            socket.getOutputStream().write(frame(5, 0));
            socket.getOutputStream().write(frame(6, LATER));
            socket.shutdownOutput();
            assertThat(readId(in)).isEqualTo(5);
            final QueryBatch.Pending pending = aside.take();
            pending.reply(pending.query(), QUERY_LENGTH);
            assertThat(readId(in)).isEqualTo(6);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void anIdleConnectionIsClosedAndOneThatWaitsForUsIsNot() throws Exception {
        final BlockingQueue<QueryBatch.Pending> aside = new LinkedBlockingQueue<>();
        final TcpOptions options = options(Duration.ofMillis(200), 10, 10);
        try (TcpListener listener = listen(options, echoOrPutAside(aside));
                Socket waiting = connect(listener);
                Socket idle = connect(listener);
                Socket dripping = connect(listener)) {
            waiting.getOutputStream().write(frame(1, LATER));
            dripping.getOutputStream().write(0);
            assertThat(in(idle).read()).isEqualTo(-1);
            assertThat(in(dripping).read()).isEqualTo(-1);
            final QueryBatch.Pending pending = aside.take();
            pending.reply(pending.query(), QUERY_LENGTH);
            final DataInputStream in = in(waiting);
            assertThat(readId(in)).isEqualTo(1);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void connectionsPastTheLimitAreClosedAtOnce() throws Exception {
        try (TcpListener listener =
                        listen(options(Duration.ofSeconds(10), 2, 10), new EchoHandler());
                Socket one = connect(listener);
                Socket two = connect(listener)) {
            one.getOutputStream().write(frame(1, 0));
            two.getOutputStream().write(frame(2, 0));
            assertThat(readId(in(one))).isEqualTo(1);
            assertThat(readId(in(two))).isEqualTo(2);
            try (Socket three = connect(listener)) {
                assertThat(in(three).read()).isEqualTo(-1);
            }
            assertThat(listener.statistics().refused()).isOne();
            assertThat(listener.statistics().open()).isEqualTo(2);
        }
    }

    @Test
    void aFrameThatHoldsNoHeaderEndsTheConnection() throws IOException {
        try (TcpListener listener = listen(TcpOptions.DEFAULT, new EchoHandler());
                Socket socket = connect(listener)) {
            socket.getOutputStream().write(new byte[] {0, 3, 1, 2, 3});
            assertThat(in(socket).read()).isEqualTo(-1);
            assertThat(listener.statistics().received()).isZero();
        }
    }

    @Test
    void theLongestMessageGoesBothWays() throws IOException {
        try (TcpListener listener = listen(TcpOptions.DEFAULT, new EchoHandler());
                Socket socket = connect(listener)) {
            final byte[] frame = new byte[2 + 65_535];
            new Random(1).nextBytes(frame);
            frame[0] = (byte) 0xff;
            frame[1] = (byte) 0xff;
            frame[4] |= (byte) 0x80;
            socket.getOutputStream().write(frame);
            assertThat(socket.getInputStream().readNBytes(frame.length)).isEqualTo(frame);
        }
    }

    @Test
    void aClientThatDoesNotReadIsNotBufferedWithoutEnd() throws Exception {
        final TcpOptions options = options(Duration.ofMillis(300), 10, 100);
        try (TcpListener listener = listen(options, new EchoHandler());
                Socket socket = connect(listener)) {
            final byte[] frame = new byte[2 + 65_000];
            ByteBuffer.wrap(frame).putShort((short) 65_000);
            final int most = 2_000;
            int written = 0;
            try {
                while (written < most) {
                    socket.getOutputStream().write(frame);
                    written++;
                }
            } catch (IOException e) {
                assertThat(written).isLessThan(most);
            }
            assertThat(listener.statistics().received()).isLessThan(most);
        }
    }

    @Test
    void stopReadsNoMoreButLetsAnswersOut() throws Exception {
        final BlockingQueue<QueryBatch.Pending> aside = new LinkedBlockingQueue<>();
        try (TcpListener listener = listen(TcpOptions.DEFAULT, echoOrPutAside(aside));
                Socket socket = connect(listener)) {
            socket.getOutputStream().write(frame(1, LATER));
            final QueryBatch.Pending pending = aside.take();
            listener.stop();
            assertThatThrownBy(() -> connect(listener).close()).isInstanceOf(IOException.class);
            pending.reply(pending.query(), QUERY_LENGTH);
            assertThat(readId(in(socket))).isEqualTo(1);
        }
    }

    @RepeatedTest(50)
    void whatWasRepliedBeforeTheCloseStillGoesOut() throws Exception {
        final BlockingQueue<QueryBatch.Pending> aside = new LinkedBlockingQueue<>();
        final TcpListener listener = listen(TcpOptions.DEFAULT, echoOrPutAside(aside));
        try (Socket socket = connect(listener)) {
            try (listener) {
                socket.getOutputStream().write(frame(1, LATER));
                final QueryBatch.Pending pending = aside.take();
                listener.stop();
                pending.reply(pending.query(), QUERY_LENGTH);
            }
            assertThat(readId(in(socket))).isEqualTo(1);
        }
    }

    @Test
    void aPortInUseIsNamedWithWhatToDo() throws IOException {
        try (TcpListener listener = listen(TcpOptions.DEFAULT, new EchoHandler())) {
            assertThatThrownBy(() ->
                            TcpListener.open(
                                    listener.address(), TcpOptions.DEFAULT, EchoHandler::new))
                    .isInstanceOf(ListenException.class)
                    .hasMessageContaining("127.0.0.1:" + listener.address().getPort() + " (TCP)")
                    .hasMessageContaining("listen elsewhere");
        }
    }
}
