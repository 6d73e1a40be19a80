package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The admin listener and the command that uses it. */
@Timeout(60)
class AdminListenerTest {
    private final TestClock clock = new TestClock();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private ScriptedUpstream upstream;
    private Server server;
    private DnsClient client;

    @BeforeEach
    void start() throws IOException {
        upstream = ScriptedUpstream.start();
        upstream.when("www.example.test", "A").answer("www.example.test. 300 IN A 192.0.2.1");
        upstream.when("www.example.test", "AAAA").answer("www.example.test. 60 IN AAAA ::1");
        upstream.when("a.sub.example.test", "A").answer("a.sub.example.test. 60 IN A 192.0.2.2");
        upstream.when("nx.example.test", "A")
                .reply(Reply.nameError("test. 60 IN SOA a.test. b.test. 1 1 1 1 60"));
        server = started(clock);
        client = TestServer.client(server);
        for (String name :
                new String[] {"www.example.test", "a.sub.example.test", "nx.example.test"}) {
            client.ask(name, "A");
        }
        client.ask("www.example.test", "AAAA");
        client.ask("www.example.test", "A");
    }

    /** Telling what is resident takes the system milliseconds, so it is asked once a scrape. */
    @Test
    void figuresOfTheCacheAreReadTogether() throws IOException {
        final Figures figures = Figures.of(server);
        final long before = entries(figures);
        upstream.when("more.example.test", "A").answer("more.example.test. 300 IN A 192.0.2.3");
        client.ask("more.example.test", "A");
        assertThat(entries(figures)).isEqualTo(before);
        assertThat(figures.take().entries()).isEqualTo(before + 1);
        assertThat(entries(figures)).isEqualTo(before + 1);
    }

    @Test
    void aScrapeMakesLittleGarbage() throws IOException, InterruptedException {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:" + admin(server).getPort() + "/metrics"))
                        .build();
        final int scrapes = 20;
        long least = Long.MAX_VALUE;
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int round = 0; round < 5; round++) {
                final long before = threads.getTotalThreadAllocatedBytes();
                for (int i = 0; i < scrapes; i++) {
                    http.send(request, HttpResponse.BodyHandlers.discarding());
                }
                least = Math.min(least, threads.getTotalThreadAllocatedBytes() - before);
            }
        }
        assertThat(least / scrapes).as("octets per scrape, client included").isLessThan(1 << 20);
    }

    private static long entries(Figures figures) {
        return figures.all().stream()
                .filter(figure -> figure.name().equals("cache_entries"))
                .flatMap(figure -> figure.values().values().stream())
                .mapToLong(LongSupplier::getAsLong)
                .sum();
    }

    private Server started(InstantSource time) throws IOException {
        return Server.start(
                TestServer.configuration(upstream)
                        .withAdmin(new Configuration.Admin(ConfigValues.admin("127.0.0.1:0"))),
                time);
    }

    @AfterEach
    void stop() {
        server.close();
        upstream.close();
    }

    private static InetSocketAddress admin(Server server) {
        return Objects.requireNonNull(server.adminAddress());
    }

    private HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        final HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + admin(server).getPort() + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .timeout(Duration.ofSeconds(20));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        final CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    private int cache(String... arguments) {
        final String[] all = new String[arguments.length + 3];
        all[0] = "cache";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--admin";
        all[arguments.length + 2] = "127.0.0.1:" + admin(server).getPort();
        return run(all);
    }

    @Test
    void lookupShowsWhatIsHeldWithItsRecords() {
        assertThat(cache("lookup", "WWW.example.test")).isZero();
        assertThat(out.toString().lines()).hasSize(4);
        assertThat(out.toString())
                .contains("www.example.test.", "AAAA", "NOERROR")
                .containsPattern("(?m)^    www.example.test. \\d+ IN A 192.0.2.1$");
        assertThat(cache("lookup", "www.example.test", "AAAA")).isZero();
        assertThat(out.toString().lines()).hasSize(2);
        assertThat(out.toString())
                .containsPattern("(?m)^    www.example.test. \\d+ IN AAAA 0:0:0:0:0:0:0:1$");
        assertThat(cache("lookup", "nx.example.test")).isZero();
        assertThat(out.toString().lines())
                .hasSize(3)
                .anyMatch(line -> line.equals("    ; authority"))
                .anyMatch(line -> line.matches("    test. \\d+ IN SOA a.test. b.test. .*"));
        assertThat(cache("lookup", "example.test", "--subtree")).isZero();
        assertThat(out.toString().lines()).hasSize(4);
        assertThat(out.toString()).contains("NXDOMAIN").contains("denial");
        assertThat(cache("lookup", "none.example.test")).isEqualTo(1);
        assertThat(out.toString()).contains("nothing is held of none.example.test");
    }

    @Test
    void lookupShowsTimeThatHasPassedAndReasonsOfFailures() throws Exception {
        send("POST", "/test/clock/advance?seconds=0");
        upstream.when("old.example.test", "A").answer("old.example.test. 60 IN A 192.0.2.9");
        upstream.when("bad.example.test", "A").reply(Reply.code(ResponseCode.REFUSED));
        client.ask("old.example.test", "A");
        clock.advance(Duration.ofSeconds(20));
        assertThat(cache("lookup", "old.example.test")).isZero();
        assertThat(out.toString()).contains("    old.example.test. 40 IN A 192.0.2.9");
        clock.advance(Duration.ofSeconds(50));
        assertThat(cache("lookup", "old.example.test")).isZero();
        assertThat(out.toString())
                .contains("expired")
                .contains("    old.example.test. 0 IN A 192.0.2.9");
        client.ask("bad.example.test", "A");
        assertThat(cache("lookup", "bad.example.test")).isZero();
        assertThat(out.toString()).contains("SERVFAIL", "EDE 22: ", "REFUSED", "EDE 13: ");
    }

    @Test
    void flushForgetsByNameTypeSubtreeAndKind() throws IOException {
        assertThat(cache("flush", "www.example.test", "--type", "AAAA")).isZero();
        assertThat(out.toString()).startsWith("1 answers");
        assertThat(cache("flush", "--negatives")).isZero();
        assertThat(out.toString()).startsWith("1 answers");
        assertThat(cache("flush", "sub.example.test", "--subtree")).isZero();
        assertThat(out.toString()).startsWith("1 answers");
        assertThat(cache("flush", "--all")).isZero();
        assertThat(out.toString()).startsWith("1 answers");
        assertThat(server.cache().stats().entries()).isZero();
        client.ask("www.example.test", "A");
        assertThat(upstream.count("www.example.test", "A")).isEqualTo(2);
    }

    @Test
    void statsCountPerReason() throws IOException {
        upstream.when("bad.example.test", "A").reply(Reply.code(ResponseCode.REFUSED));
        client.ask("bad.example.test", "A");
        client.ask("bad.example.test", "A");
        assertThat(cache("stats")).isZero();
        assertThat(out.toString())
                .containsPattern("failures_remembered no_reachable_authority +1\\n")
                .containsPattern("answers remembered_failure +1\\n");
        assertThat(out.toString())
                .containsPattern("answers hit +1\\n")
                .containsPattern("answers miss +5\\n")
                .containsPattern("insertions stored +4\\n")
                .containsPattern("cache_entries +5\\n");
        assertThat(cache("stats", "--json")).isZero();
        assertThat(out.toString()).startsWith("{").contains("\"hit\":1");
    }

    @Test
    void metricsAreInTheTextFormatOfPrometheus() throws Exception {
        final HttpResponse<String> response = send("GET", "/metrics");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .contains("# TYPE ananas_answers_total counter")
                .contains("ananas_answers_total{outcome=\"hit\"} 1.0")
                .contains("ananas_cache_entries 4.0");
    }

    @Test
    void mistakesAreExplained() throws Exception {
        assertThat(cache("flush")).isEqualTo(2);
        assertThat(err.toString()).contains("expected one of name=NAME");
        assertThat(cache("flush", "a..b")).isEqualTo(2);
        assertThat(err.toString()).contains("name: found 'a..b', expected a domain name");
        assertThat(cache("lookup", "a.test", "NONSENSE")).isEqualTo(2);
        assertThat(err.toString()).contains("expected a type such as AAAA");
        assertThat(run("cache", "stats", "--admin", "here:there")).isEqualTo(2);
        assertThat(send("GET", "/cache?name=a.test&typ=A").body())
                .contains("found 'typ', expected one of name, type");
        assertThat(send("GET", "/nothing").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/cache/flush?all").statusCode()).isEqualTo(404);
        assertThat(server.cache().stats().entries()).isEqualTo(4);
    }

    @Test
    void webPagesAreRefused() throws Exception {
        assertThat(send("POST", "/cache/flush?all", "Origin", "http://evil.test").statusCode())
                .isEqualTo(403);
        assertThat(server.cache().stats().entries()).isEqualTo(4);
    }

    @Test
    void withoutAListenerTheCommandSaysWhatToDo() {
        final InetSocketAddress address = admin(server);
        server.close();
        assertThat(run("cache", "stats", "--admin", "127.0.0.1:" + address.getPort())).isEqualTo(2);
        assertThat(err.toString())
                .contains("no admin listener at 127.0.0.1:" + address.getPort())
                .contains("start the server with --admin");
    }

    @Test
    void theTestClockMovesTtls() throws Exception {
        assertThat(send("POST", "/test/clock/set?epoch=1900000000").body()).contains("1900000000");
        assertThat(client.ask("www.example.test", "A").answer().getFirst().ttl()).isEqualTo(300);
        assertThat(send("POST", "/test/clock/advance?seconds=100").body()).contains("1900000100");
        assertThat(client.ask("www.example.test", "A").answer().getFirst().ttl()).isEqualTo(200);
        assertThat(send("POST", "/test/clock/set").statusCode()).isEqualTo(400);
    }

    @Test
    void withoutATestClockNobodyMovesTime() throws Exception {
        server.close();
        server = started(InstantSource.system());
        assertThat(send("POST", "/test/clock/advance?seconds=100").statusCode()).isEqualTo(404);
    }
}
