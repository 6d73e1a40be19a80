package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.testkit.ScriptedUpstream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        final CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void helpNamesTheCommands() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("serve");
    }

    @Test
    void wrongValuesEndWithTwoAndSayWhatWasExpected(@TempDir Path directory) throws IOException {
        assertThat(run("serve", "--cache-size", "lots")).isEqualTo(2);
        assertThat(run("serve", "--listen", "here")).isEqualTo(2);
        assertThat(run("serve", "--forward", "192.0.2.1:x")).isEqualTo(2);
        assertThat(run("serve", "--nonsense")).isEqualTo(2);
        final Path file = directory.resolve("a.yaml");
        Files.writeString(file, "listen: 127.0.0.1:0\ncash: 1\n");
        assertThat(run("serve", "--config", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("--cache-size: found 'lots', expected a size such as 256MiB")
                .contains("--listen: found 'here', expected an address")
                .contains("--forward: found '192.0.2.1:x', expected a number from 0 to 65535")
                .contains(file + ":2: found the key 'cash', expected one of");
    }

    @Test
    void aPortInUseEndsWithOneAndSaysWhatToDo() throws IOException {
        try (ScriptedUpstream upstream = ScriptedUpstream.start();
                Server server = TestServer.start(upstream)) {
            final int port = server.addresses().getFirst().getPort();
            final int code =
                    run(
                            "serve",
                            "--forward",
                            "127.0.0.1:" + upstream.port(),
                            "--cache-size",
                            "16MiB",
                            "--listen",
                            "127.0.0.1:" + port);
            assertThat(code).isEqualTo(1);
            assertThat(err.toString()).contains("cannot listen on 127.0.0.1:" + port);
        }
    }

    @Test
    void theGreetingSaysHowToTry() throws IOException {
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            final Configuration configuration = TestServer.configuration(upstream);
            try (Server server = TestServer.start(configuration)) {
                final int port = server.addresses().getFirst().getPort();
                assertThat(server.greeting(configuration))
                        .containsExactly(
                                "listening on 127.0.0.1:" + port + " (UDP and TCP)",
                                "forwarding to 127.0.0.1:" + upstream.port(),
                                "caching within 16 MiB",
                                "try: dig @127.0.0.1 -p " + port + " example.com");
            }
        }
    }
}
