package io.ananas.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ananas.transport.Addresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The small HTTP listener through which the server is managed: see {@link AdminApi}. Whoever
 * reaches its address may use it, so it belongs on loopback; requests that a web page makes a
 * browser send (they carry an Origin) are refused.
 *
 * <p>Its threads are platform threads: on a virtual one a {@code BufferedWriter} starts small and
 * grows by what each write lacks, and the text of the metrics took 8 MB of garbage.
 */
final class AdminListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminListener.class);
    private static final int BACKLOG = 16;
    private static final int THREADS = 8;
    private static final long IDLE_SECONDS = 30;

    private final HttpServer http;
    private final ExecutorService threads = threads();
    private final AdminApi api;

    private AdminListener(HttpServer http, AdminApi api) {
        this.http = http;
        this.api = api;
    }

    static AdminListener open(InetSocketAddress address, AdminApi api) throws IOException {
        final HttpServer http;
        try {
            http = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on %s for the admin listener: %s; choose another with --admin"
                            .formatted(Addresses.format(address), e.getMessage()),
                    e);
        }
        final AdminListener listener = new AdminListener(http, api);
        http.createContext("/", listener::serve);
        http.setExecutor(listener.threads);
        http.start();
        return listener;
    }

    private static ExecutorService threads() {
        final ThreadPoolExecutor threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name("admin-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    InetSocketAddress address() {
        return http.getAddress();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            final AdminApi.Result result = answer(exchange);
            exchange.getResponseHeaders().set("Content-Type", result.contentType());
            final byte[] body = result.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(result.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private AdminApi.Result answer(HttpExchange exchange) {
        final String method = exchange.getRequestMethod();
        final String path = exchange.getRequestURI().getPath();
        try {
            if (exchange.getRequestHeaders().containsKey("Origin")) {
                return AdminApi.error(403, "requests of web pages are refused");
            }
            return api.handle(method, path, new AdminRequest(exchange.getRequestURI()));
        } catch (IllegalArgumentException e) {
            return AdminApi.error(400, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            LOG.error("{} {} failed for a defect of the server", method, path, e);
            return AdminApi.error(500, "internal error; the log says more");
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
