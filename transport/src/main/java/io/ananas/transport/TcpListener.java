package io.ananas.transport;

import io.ananas.message.QueryHandler;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives TCP queries at one address and sends the replies (RFC 7766): pipelined, answered in the
 * order in which the answers are ready.
 *
 * <p>Netty does the sockets, by epoll where its native library loads and by NIO elsewhere. Each
 * event loop has a {@link TcpWorker} with its own handler, and each connection a {@link
 * TcpConnection} that cuts the stream into queries. Connections past the limit are closed at once.
 */
public final class TcpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TcpListener.class);
    private static final int BACKLOG = 4_096;
    private static final int WRITE_LOW = 32 << 10;
    private static final int WRITE_HIGH = 128 << 10;
    private static final long SHUTDOWN_MILLIS = 1_000;

    private final TcpOptions options;
    private final Supplier<QueryHandler> handlers;
    private final EventLoopGroup loops;
    private final Map<EventLoop, TcpWorker> workers = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Channel server;

    private TcpListener(
            InetSocketAddress address, TcpOptions options, Supplier<QueryHandler> handlers)
            throws IOException {
        this.options = options;
        this.handlers = handlers;
        final boolean epoll = Epoll.isAvailable();
        final IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        loops =
                new MultiThreadIoEventLoopGroup(
                        options.threads(),
                        new DefaultThreadFactory("tcp-" + Addresses.format(address)),
                        io);
        final ChannelFuture bound =
                new ServerBootstrap()
                        .group(loops)
                        .channel(
                                epoll
                                        ? EpollServerSocketChannel.class
                                        : NioServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(WRITE_LOW, WRITE_HIGH))
                        .childHandler(new Connections())
                        .bind(address)
                        .awaitUninterruptibly();
        server = bound.channel();
        final Throwable cause = bound.cause();
        if (cause != null) {
            close();
            throw ListenException.of("TCP", address, String.valueOf(cause.getMessage()));
        }
    }

    /**
     * Binds and starts to accept.
     *
     * @param address a resolved address; port 0 takes a free one
     * @param handlers makes one handler per event loop, on its thread
     * @throws ListenException if the address cannot be bound
     */
    public static TcpListener open(
            InetSocketAddress address, TcpOptions options, Supplier<QueryHandler> handlers)
            throws IOException {
        return new TcpListener(address, options, handlers);
    }

    /** Where it listens, with the port it got. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** As it was a moment ago. */
    public TcpStatistics statistics() {
        TcpStatistics sum = new TcpStatistics(open.get(), accepted.sum(), refused.sum(), 0, 0, 0);
        for (TcpWorker worker : workers.values()) {
            sum = sum.plus(worker);
        }
        return sum;
    }

    /** Accepts and reads no more; answers still go out until {@link #close}. */
    public void stop() {
        server.close().awaitUninterruptibly(SHUTDOWN_MILLIS);
        workers.forEach((loop, worker) -> loop.execute(worker::stop));
    }

    /**
     * Closes every connection, once the replies that were given before are written; waits for each
     * of both at most about a second.
     */
    @Override
    public void close() {
        // an event loop that ends closes its connections before it looks at what it was told to do
        workers.forEach((loop, worker) -> {
            if (!loop.isShuttingDown()) {
                loop.submit(worker::stop).awaitUninterruptibly(SHUTDOWN_MILLIS);
            }
        });
        loops.shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * SHUTDOWN_MILLIS);
    }

    private final class Connections extends ChannelInitializer<Channel> {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored")
        protected void initChannel(Channel channel) {
            if (open.incrementAndGet() > options.maxConnections()) {
                open.decrementAndGet();
                refused.increment();
                if (refused.sum() == 1) {
                    LOG.warn(
                            "More than {} TCP connections at {}: closing new ones",
                            options.maxConnections(),
                            Addresses.format(address()));
                }
                channel.close();
                return;
            }
            accepted.increment();
            channel.closeFuture().addListener(closed -> open.decrementAndGet());
            final TcpWorker worker =
                    workers.computeIfAbsent(
                            channel.eventLoop(),
                            loop -> new TcpWorker(loop, options, handlers.get()));
            channel.pipeline().addLast(new TcpConnection(channel, worker, options));
        }
    }
}
