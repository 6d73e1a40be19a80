package io.ananas.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.ananas.message.Memory;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryHandler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class UdpListenerTest {
    private static final int TIMEOUT_MILLIS = 10_000;

    private static UdpListener listen(
            String address, UdpEngine engine, int threads, Supplier<QueryHandler> handlers)
            throws IOException {
        assumeTrue(engine.isSupported(), engine + " needs Linux with glibc on x86-64 or aarch64");
        return UdpListener.open(
                new InetSocketAddress(InetAddress.ofLiteral(address), 0),
                new UdpOptions(engine, threads, 1 << 16),
                handlers);
    }

    private static DatagramSocket client(InetAddress server, int port) throws IOException {
        final DatagramSocket socket = new DatagramSocket();
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(server, port);
        return socket;
    }

    private static DatagramSocket client(UdpListener listener) throws IOException {
        return client(listener.address().getAddress(), listener.address().getPort());
    }

    private static void send(DatagramSocket socket, byte... octets) throws IOException {
        socket.send(new DatagramPacket(octets, octets.length));
    }

    private static byte[] receive(DatagramSocket socket) throws IOException {
        final DatagramPacket packet = new DatagramPacket(new byte[5_000], 5_000);
        socket.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    @ParameterizedTest
    @EnumSource
    void repliesToEachClientWhatItAsked(UdpEngine engine) throws IOException {
        for (String address : new String[] {"127.0.0.1", "::1"}) {
            try (UdpListener listener = listen(address, engine, 1, EchoHandler::new);
                    DatagramSocket one = client(listener);
                    DatagramSocket two = client(listener)) {
                for (byte i = 0; i < 100; i++) {
                    send(one, i, (byte) 1, (byte) 0);
                    send(two, i, (byte) 2, (byte) 0);
                    assertThat(receive(two)).containsExactly(i, 2, 0x80);
                    assertThat(receive(one)).containsExactly(i, 1, 0x80);
                }
                listener.stop();
                assertThat(listener.statistics()).isEqualTo(new UdpStatistics(200, 200, 0, 0, 0));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsServeOneAddress(UdpEngine engine) throws IOException {
        final AtomicInteger made = new AtomicInteger();
        try (UdpListener listener =
                listen(
                        "127.0.0.1",
                        engine,
                        3,
                        () -> {
                            made.incrementAndGet();
                            return new EchoHandler();
                        })) {
            for (byte i = 0; i < 50; i++) {
                try (DatagramSocket socket = client(listener)) {
                    send(socket, i, i, (byte) 0);
                    assertThat(receive(socket)).containsExactly(i, i, 0x80);
                }
            }
            assertThat(made).hasValueBetween(1, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void detachedQueriesAreAnsweredByAnyThreadEvenAfterStop(UdpEngine engine) throws Exception {
        final BlockingQueue<QueryBatch.Pending> detached = new LinkedBlockingQueue<>();
        final UdpListener listener =
                listen("127.0.0.1", engine, 1, () -> b -> detached.add(b.detach(0)));
        final QueryBatch.Pending pending;
        try (listener;
                DatagramSocket socket = client(listener)) {
            send(socket, (byte) 1, (byte) 2, (byte) 3);
            pending = detached.take();
            assertThat(pending.query()).containsExactly(1, 2, 3);
            assertThat(pending.isStream()).isFalse();
            assertThat(pending.clientAddress()).containsExactly(127, 0, 0, 1);
            listener.stop();
            Thread.ofVirtual().start(() -> pending.reply(new byte[] {7, 8, 9, 10}, 3)).join();
            assertThat(receive(socket)).containsExactly(7, 8, 9);
        }
        assertThat(listener.statistics().sent()).isOne();
        pending.reply(new byte[] {1}, 1);
        assertThat(listener.statistics().sendFailures()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void repliesFromManyThreadsAllArriveWhole(UdpEngine engine) throws Exception {
        final QueryHandler later =
                batch -> {
                    for (int i = 0; i < batch.size(); i++) {
                        final QueryBatch.Pending query = batch.detach(i);
                        Thread.ofVirtual().start(() -> replyAtLength(query));
                    }
                };
        try (UdpListener listener = listen("127.0.0.1", engine, 1, () -> later);
                DatagramSocket socket = client(listener)) {
            final Set<Integer> seen = new HashSet<>();
            for (int i = 0; i < 200; i += 20) {
                for (int k = i; k < i + 20; k++) {
                    send(socket, (byte) k, (byte) 0, (byte) 0);
                }
                for (int k = i; k < i + 20; k++) {
                    final byte[] reply = receive(socket);
                    final int number = reply[0] & 0xff;
                    assertThat(reply).hasSize(3 + 20 * number).endsWith(reply[0]);
                    seen.add(number);
                }
            }
            assertThat(seen).hasSize(200);
        }
    }

    /** The query's number, as often as it says. */
    private static void replyAtLength(QueryBatch.Pending query) {
        final byte number = query.query()[0];
        final byte[] reply = new byte[5_000];
        Arrays.fill(reply, number);
        query.reply(reply, 3 + 20 * (number & 0xff));
    }

    @ParameterizedTest
    @EnumSource
    void aLateReplyThatTheKernelRefusesDoesNotHoldUpTheRest(UdpEngine engine) throws Exception {
        final BlockingQueue<QueryBatch.Pending> detached = new LinkedBlockingQueue<>();
        final QueryHandler later =
                batch -> {
                    for (int i = 0; i < batch.size(); i++) {
                        detached.add(batch.detach(i));
                    }
                };
        final UdpListener listener = listen("127.0.0.1", engine, 1, () -> later);
        try (listener;
                DatagramSocket socket = client(listener)) {
            for (byte i = 0; i < 4; i++) {
                send(socket, i, (byte) 0, (byte) 0);
            }
            for (int i = 0; i < 4; i++) {
                final QueryBatch.Pending query = detached.take();
                final byte number = query.query()[0];
                // two are longer than a datagram can be
                query.reply(new byte[70_000], new int[] {3, 65_535, 70_000, 5}[number]);
            }
            assertThat(receive(socket)).hasSize(3);
            assertThat(receive(socket)).hasSize(5);
        }
        assertThat(listener.statistics()).isEqualTo(new UdpStatistics(4, 2, 2, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatThrowsLosesItsBatchAndNotItsThread(UdpEngine engine) throws IOException {
        final QueryHandler failing =
                batch -> {
                    if (Memory.getByte(batch.queryAddress(0)) == 13) {
                        throw new IllegalStateException("a defect, on purpose");
                    }
                    new EchoHandler().handle(batch);
                };
        try (UdpListener listener = listen("127.0.0.1", engine, 1, () -> failing);
                DatagramSocket socket = client(listener)) {
            send(socket, (byte) 13, (byte) 0, (byte) 0);
            send(socket, (byte) 1, (byte) 0, (byte) 0);
            // both may have come in one batch, which is lost as a whole
            socket.setSoTimeout(1_000);
            while (true) {
                try {
                    assertThat(receive(socket)).containsExactly(1, 0, 0x80);
                    break;
                } catch (java.net.SocketTimeoutException e) {
                    send(socket, (byte) 1, (byte) 0, (byte) 0);
                }
            }
            assertThat(listener.statistics().handlerFailures()).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPacketLongerThanItsRoomIsCutAndAnEmptyOneHarmless(UdpEngine engine) throws IOException {
        try (UdpListener listener = listen("127.0.0.1", engine, 1, EchoHandler::new);
                DatagramSocket socket = client(listener)) {
            send(socket, new byte[0]);
            send(socket, new byte[4_000]);
            assertThat(receive(socket)).hasSize(2_048);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPortInUseIsNamedWithWhatToDo(UdpEngine engine) throws IOException {
        try (UdpListener listener = listen("127.0.0.1", engine, 2, EchoHandler::new)) {
            assertThatThrownBy(() ->
                            UdpListener.open(
                                    listener.address(),
                                    new UdpOptions(engine, 2, 1 << 16),
                                    EchoHandler::new))
                    .isInstanceOf(ListenException.class)
                    .hasMessageContaining("127.0.0.1:" + listener.address().getPort() + " (UDP)")
                    .hasMessageContaining("in use")
                    .hasMessageContaining("listen elsewhere");
        }
    }

    @Test
    void anAddressThatIsNotOursIsNamed() {
        for (UdpEngine engine : UdpEngine.values()) {
            if (engine.isSupported()) {
                assertThatThrownBy(() -> listen("192.0.2.1", engine, 1, EchoHandler::new))
                        .isInstanceOf(ListenException.class)
                        .hasMessageContaining("192.0.2.1:0 (UDP)")
                        .hasMessageContaining("an address that this machine has");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void aWildcardAnswersFromTheAddressThatWasAsked(String wildcard) throws Exception {
        final BlockingQueue<QueryBatch.Pending> detached = new LinkedBlockingQueue<>();
        final QueryHandler handler =
                batch -> {
                    if (Memory.getByte(batch.queryAddress(0)) == 1) {
                        detached.add(batch.detach(0));
                    } else {
                        EchoHandler.echo(batch, 0);
                    }
                };
        try (UdpListener listener = listen(wildcard, UdpEngine.FFM, 1, () -> handler)) {
            for (String asked : new String[] {"127.0.0.2", "127.0.0.1"}) {
                // a connected socket takes nothing that comes from another address
                try (DatagramSocket socket =
                        client(InetAddress.ofLiteral(asked), listener.address().getPort())) {
                    send(socket, (byte) 0, (byte) 5, (byte) 0);
                    assertThat(receive(socket)).containsExactly(0, 5, 0x80);
                    send(socket, (byte) 1, (byte) 6, (byte) 0);
                    final QueryBatch.Pending pending = detached.take();
                    assertThat(pending.clientAddress()).hasSize(4);
                    pending.reply(new byte[] {1, 6}, 2);
                    assertThat(receive(socket)).containsExactly(1, 6);
                }
            }
            if (wildcard.equals("::")) {
                try (DatagramSocket socket =
                        client(InetAddress.ofLiteral("::1"), listener.address().getPort())) {
                    send(socket, (byte) 0, (byte) 5, (byte) 0);
                    assertThat(receive(socket)).containsExactly(0, 5, 0x80);
                }
            }
        }
    }

    @Test
    void aReplyThatTheKernelRefusesDoesNotHoldUpTheRest() throws Exception {
        final int packets = 6;
        final CountDownLatch first = new CountDownLatch(1);
        final CountDownLatch allSent = new CountDownLatch(1);
        final Set<Integer> batchSizes = new HashSet<>();
        final QueryHandler handler =
                batch -> {
                    first.countDown();
                    await(allSent);
                    batchSizes.add(batch.size());
                    new EchoHandler().handle(batch);
                    for (int i = 0; i < batch.size(); i++) {
                        final byte kind = Memory.getByte(batch.queryAddress(i));
                        if (kind == 1) {
                            batch.reply(i, 66_000); // more than a datagram can hold
                        } else if (kind == 2) {
                            batch.reply(i, 0);
                        }
                    }
                };
        try (UdpListener listener = listen("127.0.0.1", UdpEngine.FFM, 1, () -> handler);
                DatagramSocket socket = client(listener)) {
            send(socket, (byte) 0, (byte) 0, (byte) 0);
            first.await();
            for (byte kind : new byte[] {1, 0, 1, 2, 0, 1}) {
                send(socket, kind, (byte) 9, (byte) 0);
            }
            allSent.countDown();
            assertThat(receive(socket)).containsExactly(0, 0, 0x80);
            assertThat(receive(socket)).containsExactly(0, 9, 0x80);
            assertThat(receive(socket)).containsExactly(0, 9, 0x80);
            listener.stop();
            assertThat(batchSizes).containsExactlyInAnyOrder(1, packets);
            assertThat(listener.statistics()).isEqualTo(new UdpStatistics(7, 3, 3, 0, 0));
        }
    }

    @Test
    void aLateReplyDoesNotWaitForThreadsThatHaveMuchToDo() throws Exception {
        final BlockingQueue<QueryBatch.Pending> detached = new LinkedBlockingQueue<>();
        final AtomicBoolean done = new AtomicBoolean();
        final QueryHandler later =
                batch -> {
                    for (int i = 0; i < batch.size(); i++) {
                        detached.add(batch.detach(i));
                    }
                };
        try (UdpListener listener = listen("127.0.0.1", UdpEngine.FFM, 1, () -> later);
                DatagramSocket socket = client(listener)) {
            send(socket, (byte) 1, (byte) 0, (byte) 0);
            send(socket, (byte) 2, (byte) 0, (byte) 0);
            final QueryBatch.Pending one = detached.take();
            final QueryBatch.Pending two = detached.take();
            keepAllCarriersBusy(done);
            one.reply(new byte[] {1}, 1);
            Thread.sleep(20); // what is waited for is this time itself
            two.reply(new byte[] {2}, 1);
            assertThat(receive(socket)).containsExactly(1);
            assertThat(receive(socket)).containsExactly(2);
        } finally {
            done.set(true);
        }
    }

    /** Virtual threads do not take turns by themselves. */
    private static void keepAllCarriersBusy(AtomicBoolean done) throws InterruptedException {
        final int carriers = Runtime.getRuntime().availableProcessors();
        final CountDownLatch running = new CountDownLatch(carriers);
        for (int i = 0; i < carriers; i++) {
            Thread.ofVirtual()
                    .start(() -> {
                        running.countDown();
                        while (!done.get()) {
                            Thread.onSpinWait();
                        }
                    });
        }
        running.await();
    }

    @Test
    void whatIsFlushedDoesNotWaitForTheRestAndGoesOutOnce() throws Exception {
        final CountDownLatch first = new CountDownLatch(1);
        final CountDownLatch allSent = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        final QueryHandler handler =
                batch -> {
                    first.countDown();
                    await(allSent);
                    new EchoHandler().handle(batch);
                    if (batch.size() > 1) {
                        batch.reply(1, 0);
                        batch.flush();
                        await(release);
                        batch.reply(1, batch.queryLength(1));
                    }
                };
        try (UdpListener listener = listen("127.0.0.1", UdpEngine.FFM, 1, () -> handler);
                DatagramSocket socket = client(listener)) {
            send(socket, (byte) 0, (byte) 0, (byte) 0);
            first.await();
            for (byte i = 1; i < 4; i++) {
                send(socket, i, (byte) 0, (byte) 0);
            }
            allSent.countDown();
            for (int expected : new int[] {0, 1, 3}) {
                assertThat(receive(socket)).startsWith(expected);
            }
            release.countDown();
            assertThat(receive(socket)).startsWith(2);
            listener.stop();
            assertThat(listener.statistics()).isEqualTo(new UdpStatistics(4, 4, 0, 0, 0));
        }
    }

    @Test
    void theFfmLoopAllocatesNothingPerPacket() throws Exception {
        final AtomicLong thread = new AtomicLong();
        final Supplier<QueryHandler> handlers =
                () -> {
                    thread.set(Thread.currentThread().threadId());
                    return new EchoHandler();
                };
        try (UdpListener listener = listen("127.0.0.1", UdpEngine.FFM, 1, handlers);
                DatagramSocket socket = client(listener)) {
            final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            flood(socket, 1_000, 1);
            final int rounds = 40;
            int round = 0;
            long before;
            do { // until all of it is compiled
                before = threads.getThreadAllocatedBytes(thread.get());
                flood(socket, 10_000, 1 + round++ % 32);
            } while (round < rounds && threads.getThreadAllocatedBytes(thread.get()) > before);
            before = threads.getThreadAllocatedBytes(thread.get());
            flood(socket, 200_000, 32);
            final long allocated = threads.getThreadAllocatedBytes(thread.get()) - before;
            assertThat(allocated).as("octets allocated over 200,000 packets").isLessThan(20_000);
        }
    }

    private static void flood(DatagramSocket socket, int packets, int window) throws IOException {
        final DatagramPacket out = new DatagramPacket(new byte[40], 40);
        final DatagramPacket in = new DatagramPacket(new byte[64], 64);
        for (int i = 0; i < packets; i += window) {
            for (int j = 0; j < window; j++) {
                socket.send(out);
            }
            for (int j = 0; j < window; j++) {
                socket.receive(in);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
