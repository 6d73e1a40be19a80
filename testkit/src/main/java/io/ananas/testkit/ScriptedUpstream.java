package io.ananas.testkit;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A DNS server of a test, on UDP and TCP of one loopback port: says what the test has scripted, and
 * remembers every query.
 *
 * <pre>{@code
 * try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
 *     upstream.when("www.example.test", "A")
 *             .answer("www.example.test. 300 IN A 192.0.2.1")
 *             .reply(Reply.code(ResponseCode.SERVFAIL));    // the second time, and from then on
 *     ...
 *     assertThat(upstream.count("www.example.test", "A")).isEqualTo(1);
 * }
 * }</pre>
 *
 * <p>Of several scripts that fit a query the one given last counts. A query without a script is
 * REFUSED, and stands in {@link #unscripted()}. Each query is answered on a virtual thread of its
 * own, so replies that are held back hold back no others. Thread-safe.
 */
public final class ScriptedUpstream implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final LoopbackSockets sockets;
    private final List<Script> scripts = new CopyOnWriteArrayList<>();
    private final List<ReceivedQuery> queries = new ArrayList<>();
    private final List<ReceivedQuery> unscripted = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private final AtomicInteger connectionsAccepted = new AtomicInteger();

    private ScriptedUpstream(LoopbackSockets sockets) {
        this.sockets = sockets;
    }

    /** On 127.0.0.1, on a port that is free. */
    public static ScriptedUpstream start() {
        return start("127.0.0.1", 0);
    }

    /**
     * On any loopback address, such as {@code "::1"} or {@code "127.0.0.2"}.
     *
     * @param port 0 for one that is free
     */
    public static ScriptedUpstream start(String address, int port) {
        try {
            final ScriptedUpstream upstream =
                    new ScriptedUpstream(
                            LoopbackSockets.open(InetAddress.ofLiteral(address), port));
            upstream.spawn(upstream::receive);
            upstream.spawn(upstream::accept);
            return upstream;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "no server could be started on %s, port %d: %s"
                            .formatted(address, port, e.getMessage()),
                    e);
        }
    }

    /** Where it listens, over UDP and TCP. */
    public InetSocketAddress address() {
        return sockets.address();
    }

    public int port() {
        return address().getPort();
    }

    /** Begins a script for a name, in any case, and a type such as {@code "AAAA"}. */
    public Script when(String name, String type) {
        final Name wanted = Name.of(name);
        final int number = RecordType.parse(type);
        return when(query -> query.name().equals(wanted) && query.type() == number);
    }

    /** Begins a script for a name and any type. */
    public Script when(String name) {
        final Name wanted = Name.of(name);
        return when(query -> query.name().equals(wanted));
    }

    /** Begins a script for a name and all below it. */
    public Script whenWithin(String name) {
        final Name ancestor = Name.of(name);
        return when(query -> query.name().isSubdomainOf(ancestor));
    }

    /** Begins a script for the queries that {@code condition} holds for. */
    public Script when(Predicate<ReceivedQuery> condition) {
        final Script script = new Script(condition);
        scripts.addFirst(script);
        return script;
    }

    /** Answers every query without a script, in the place of REFUSED. */
    public Script otherwise() {
        final Script script = new Script(query -> true);
        scripts.addLast(script);
        return script;
    }

    /** Takes all scripts away. What was received stays. */
    public void forgetScripts() {
        scripts.clear();
    }

    /** Replies to some queries, in turn; the last one stays for good. */
    public static final class Script {
        private final Predicate<ReceivedQuery> condition;
        private final List<Reply> replies = new ArrayList<>();
        private int next;

        private Script(Predicate<ReceivedQuery> condition) {
            this.condition = condition;
        }

        /** Adds a reply: to the next query, once those before it are used up. */
        public synchronized Script reply(Reply... more) {
            replies.addAll(Arrays.asList(more));
            return this;
        }

        /** Adds a reply with records in master file form in its answer section. */
        public Script answer(String... records) {
            return reply(Reply.answer(records));
        }

        private synchronized @Nullable Reply next() {
            if (replies.isEmpty()) {
                return null;
            }
            final Reply reply = replies.get(next);
            next = Math.min(next + 1, replies.size() - 1);
            return reply;
        }
    }

    /** All queries received, in order. */
    public List<ReceivedQuery> queries() {
        synchronized (queries) {
            return List.copyOf(queries);
        }
    }

    /** How many queries were received. */
    public int count() {
        synchronized (queries) {
            return queries.size();
        }
    }

    /** How many queries for a name, in any case, and a type were received. */
    public int count(String name, String type) {
        final Name wanted = Name.of(name);
        final int number = RecordType.parse(type);
        return (int)
                queries().stream()
                        .filter(query -> query.name().equals(wanted) && query.type() == number)
                        .count();
    }

    /** Queries that no script was for. */
    public List<ReceivedQuery> unscripted() {
        return List.copyOf(unscripted);
    }

    /** How many TCP connections were accepted. */
    public int connectionsAccepted() {
        return connectionsAccepted.get();
    }

    /**
     * Waits until {@code count} queries were received in all.
     *
     * @throws AssertionError if that takes more than 20 s
     */
    public void awaitCount(int count) throws InterruptedException {
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        synchronized (queries) {
            while (queries.size() < count) {
                final long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError(
                            "waited for %d queries for %s, and got %s"
                                    .formatted(count, PATIENCE, queries));
                }
                TimeUnit.NANOSECONDS.timedWait(queries, left);
            }
        }
    }

    private void receive() throws IOException {
        final byte[] buffer = new byte[65_535];
        while (!closed) {
            final DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            sockets.udp().receive(packet);
            final ReceivedQuery query =
                    new ReceivedQuery(
                            Arrays.copyOf(buffer, packet.getLength()),
                            false,
                            (InetSocketAddress) packet.getSocketAddress());
            record(query);
            spawn(() -> {
                final byte[] reply = reply(query);
                if (reply != null && reply.length > 0) {
                    sockets.udp().send(new DatagramPacket(reply, reply.length, query.client()));
                }
            });
        }
    }

    private void accept() throws IOException {
        while (!closed) {
            final Socket connection = sockets.tcp().accept();
            connectionsAccepted.incrementAndGet();
            connections.add(connection);
            spawn(() -> serve(connection));
        }
    }

    private void serve(Socket connection) throws IOException {
        try (connection) {
            connection.setTcpNoDelay(true);
            final DataInputStream in =
                    new DataInputStream(new BufferedInputStream(connection.getInputStream()));
            final InetSocketAddress client =
                    (InetSocketAddress) connection.getRemoteSocketAddress();
            byte[] octets = LoopbackSockets.tryReadFrame(in);
            while (octets != null) {
                final ReceivedQuery query = new ReceivedQuery(octets, true, client);
                record(query);
                spawn(() -> replyOver(connection, query));
                octets = LoopbackSockets.tryReadFrame(in);
            }
        } finally {
            connections.remove(connection);
        }
    }

    private void replyOver(Socket connection, ReceivedQuery query)
            throws IOException, InterruptedException {
        final byte[] reply = reply(query);
        if (reply == null) {
            return;
        }
        synchronized (connection) {
            if (reply.length == 0) {
                connection.close();
            } else {
                LoopbackSockets.writeFrame(connection.getOutputStream(), reply);
            }
        }
    }

    private void record(ReceivedQuery query) {
        synchronized (queries) {
            queries.add(query);
            queries.notifyAll();
        }
    }

    private byte @Nullable [] reply(ReceivedQuery query) throws InterruptedException {
        for (final Script script : scripts) {
            if (script.condition.test(query)) {
                final Reply reply = script.next();
                if (reply != null) {
                    return reply.to(query);
                }
            }
        }
        unscripted.add(query);
        return Reply.code(ResponseCode.REFUSED)
                .reason(ExtendedError.OTHER, "the test has no script for " + query)
                .to(query);
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void spawn(Work work) {
        final Thread thread =
                Thread.ofVirtual()
                        .name("scripted-upstream")
                        .unstarted(() -> {
                            try {
                                work.run();
                            } catch (SocketException | InterruptedException end) {
                                // The client has gone, or close() ends the wait for it.
                            } catch (Throwable e) {
                                failures.add(e);
                            } finally {
                                threads.remove(Thread.currentThread());
                            }
                        });
        threads.add(thread);
        thread.start();
    }

    /**
     * Ends the server.
     *
     * @throws AssertionError if a script threw an exception
     */
    @Override
    public void close() {
        closed = true;
        try {
            sockets.close();
            for (final Socket connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            failures.add(e);
        }
        threads.forEach(Thread::interrupt);
        if (!failures.isEmpty()) {
            final AssertionError error =
                    new AssertionError("a script of the upstream failed: " + failures.getFirst());
            failures.forEach(error::addSuppressed);
            throw error;
        }
    }
}
