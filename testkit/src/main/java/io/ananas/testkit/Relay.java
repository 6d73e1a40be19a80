package io.ananas.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A bad network in front of a server: a UDP and TCP relay on loopback that loses, doubles, swaps,
 * cuts and delays packets, by a seeded random source and in both directions.
 *
 * <p>TCP passes whole, as TCP does, but for a switch that refuses it. Thread-safe.
 */
public final class Relay implements AutoCloseable {
    private static final long LONGEST_HOLD_MILLIS = 50;

    /**
     * What happens to a packet: probabilities of 0 to 1, and the longest of a random delay.
     *
     * @param swap that it waits for the next one in its direction to go first, 50 ms at most
     * @param cut that octets at its end are lost
     */
    public record Faults(
            double drop, double duplicate, double swap, double cut, Duration longestDelay) {
        /** A good network. */
        public static final Faults NONE = new Faults(0, 0, 0, 0, Duration.ZERO);

        /** A network that loses everything. */
        public static final Faults BLACK_HOLE = NONE.drop(1);

        public Faults drop(double probability) {
            return new Faults(probability, duplicate, swap, cut, longestDelay);
        }

        public Faults duplicate(double probability) {
            return new Faults(drop, probability, swap, cut, longestDelay);
        }

        public Faults swap(double probability) {
            return new Faults(drop, duplicate, probability, cut, longestDelay);
        }

        public Faults cut(double probability) {
            return new Faults(drop, duplicate, swap, probability, longestDelay);
        }

        public Faults delay(Duration longest) {
            return new Faults(drop, duplicate, swap, cut, longest);
        }
    }

    /** What the relay did to packets so far. */
    public record Counts(int received, int dropped, int duplicated, int swapped, int cut) {}

    private final LoopbackSockets sockets;
    private final InetSocketAddress server;
    private final Random random;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("relay-timer").factory());
    private final Map<SocketAddress, Flow> flows = new ConcurrentHashMap<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicInteger duplicated = new AtomicInteger();
    private final AtomicInteger swapped = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();
    private volatile Faults faults;
    private volatile boolean refuseTcp;
    private volatile boolean closed;

    private Relay(LoopbackSockets sockets, InetSocketAddress server, Faults faults, long seed) {
        this.sockets = sockets;
        this.server = server;
        this.faults = faults;
        random = new Random(seed);
    }

    /** A relay on a free port of 127.0.0.1. */
    public static Relay start(InetSocketAddress server, Faults faults, long seed) {
        return start(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), server, faults, seed);
    }

    /** A relay that listens where it is told, on loopback. */
    public static Relay start(
            InetSocketAddress listen, InetSocketAddress server, Faults faults, long seed) {
        try {
            final LoopbackSockets sockets =
                    LoopbackSockets.open(listen.getAddress(), listen.getPort());
            final Relay relay = new Relay(sockets, server, faults, seed);
            relay.spawn(relay::fromClients);
            relay.spawn(relay::accept);
            return relay;
        } catch (IOException e) {
            throw new IllegalStateException("no relay could be started: " + e.getMessage(), e);
        }
    }

    /** Where it listens, over UDP and TCP. */
    public InetSocketAddress address() {
        return sockets.address();
    }

    /** Changes the weather from now on. */
    public void faults(Faults other) {
        faults = other;
    }

    /** Whether TCP connections are closed as soon as they are accepted, from now on. */
    public void refuseTcp(boolean refuse) {
        refuseTcp = refuse;
    }

    public Counts counts() {
        return new Counts(
                received.get(), dropped.get(), duplicated.get(), swapped.get(), cut.get());
    }

    /** One direction of packets between a client and the server. */
    private final class Path {
        private final DatagramSocket from;
        private final SocketAddress to;
        private byte @Nullable [] held;

        Path(DatagramSocket from, SocketAddress to) {
            this.from = from;
            this.to = to;
        }

        void packet(byte[] octets) {
            received.incrementAndGet();
            final Faults now = faults;
            if (chance(now.drop())) {
                dropped.incrementAndGet();
                return;
            }
            byte[] packet = octets;
            if (chance(now.cut())) {
                cut.incrementAndGet();
                packet = Arrays.copyOf(octets, pick(octets.length));
            }
            if (chance(now.swap()) && hold(packet)) {
                swapped.incrementAndGet();
                later(LONGEST_HOLD_MILLIS, () -> send(null));
                return;
            }
            final byte[] whole = packet;
            final int delay = pick((int) now.longestDelay().toMillis() + 1);
            later(delay, () -> send(whole));
            if (chance(now.duplicate())) {
                duplicated.incrementAndGet();
                later(delay, () -> send(whole));
            }
        }

        private synchronized boolean hold(byte[] packet) {
            if (held != null) {
                return false;
            }
            held = packet;
            return true;
        }

        /** Sends a packet, if given, and behind it the one that was held. */
        private synchronized void send(byte @Nullable [] packet) throws IOException {
            if (packet != null) {
                from.send(new DatagramPacket(packet, packet.length, to));
            }
            final byte[] waiting = held;
            held = null;
            if (waiting != null) {
                from.send(new DatagramPacket(waiting, waiting.length, to));
            }
        }
    }

    /** A client's socket to the server and both directions. */
    private final class Flow {
        private final DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(loopback(), 0));
        private final Path toServer = new Path(socket, server);
        private final Path toClient;

        Flow(SocketAddress client) throws SocketException {
            toClient = new Path(sockets.udp(), client);
        }

        void fromServer() throws IOException {
            while (!closed) {
                toClient.packet(octets(receive(socket)));
            }
        }
    }

    private static DatagramPacket receive(DatagramSocket socket) throws IOException {
        final byte[] buffer = new byte[65_535];
        final DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        socket.receive(packet);
        return packet;
    }

    private static byte[] octets(DatagramPacket packet) {
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    private InetAddress loopback() {
        return server.getAddress() instanceof Inet6Address
                ? server.getAddress()
                : sockets.udp().getLocalAddress();
    }

    private void fromClients() throws IOException {
        while (!closed) {
            final DatagramPacket packet = receive(sockets.udp());
            final SocketAddress client = packet.getSocketAddress();
            Flow flow = flows.get(client);
            if (flow == null) {
                flow = new Flow(client);
                flows.put(client, flow);
                spawn(flow::fromServer);
            }
            flow.toServer.packet(octets(packet));
        }
    }

    private void accept() throws IOException {
        while (!closed) {
            final Socket client = sockets.tcp().accept();
            if (refuseTcp) {
                client.close();
                continue;
            }
            final Socket upstream = new Socket(server.getAddress(), server.getPort());
            connections.add(client);
            connections.add(upstream);
            spawn(() -> pipe(client, upstream));
            spawn(() -> pipe(upstream, client));
        }
    }

    private void pipe(Socket from, Socket to) throws IOException {
        final InputStream in = from.getInputStream();
        final OutputStream out = to.getOutputStream();
        in.transferTo(out);
        to.shutdownOutput();
    }

    private boolean chance(double probability) {
        synchronized (random) {
            return random.nextDouble() < probability;
        }
    }

    private int pick(int bound) {
        synchronized (random) {
            return bound <= 0 ? 0 : random.nextInt(bound);
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private void later(long millis, Work work) {
        try {
            final Future<?> _ = timer.schedule(() -> run(work), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException end) {
            if (!closed) {
                throw end;
            }
        }
    }

    private void spawn(Work work) {
        Thread.ofVirtual().name("relay").start(() -> run(work));
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (SocketException end) {
            // A peer has gone, or the relay is closed.
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    /**
     * Ends the relay.
     *
     * @throws AssertionError if it failed for another reason than a peer that went away
     */
    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        flows.values().forEach(flow -> flow.socket.close());
        try {
            sockets.close();
            for (final Socket connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            failures.add(e);
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("the relay failed", failures.getFirst());
        }
    }
}
