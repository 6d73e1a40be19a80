package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.testkit.DnsClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own. */
record RunningServer(Process process, InetSocketAddress address, DnsClient client)
        implements AutoCloseable {
    private static final List<String> FLAGS =
            List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-XX:+UseSerialGC");

    static RunningServer start(Path directory, Path config) throws IOException {
        return start(directory, config, FLAGS, System.getProperty("java.class.path"));
    }

    static RunningServer start(Path directory, Path config, List<String> flags, String classPath)
            throws IOException {
        final List<String> command = java(flags, classPath);
        command.addAll(List.of("serve", "--config", config.toString()));
        final Process process =
                new ProcessBuilder(command)
                        .redirectError(directory.resolve("errors").toFile())
                        .start();
        final BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String address = "";
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.contains("listening on")) {
                address = line.replaceAll(".*127.0.0.1:(\\d+).*", "$1");
            }
            if (line.contains("try:")) {
                break;
            }
        }
        assertThat(address).as(Files.readString(directory.resolve("errors"))).isNotEmpty();
        final InetSocketAddress place =
                new InetSocketAddress(
                        InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(address));
        return new RunningServer(process, place, new DnsClient(place, Duration.ofSeconds(10)));
    }

    /** The command that runs Ananas, without arguments. */
    static List<String> java(List<String> flags, String classPath) {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, Main.class.getName()));
        return command;
    }

    void end(boolean kill) throws InterruptedException {
        if (kill) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
