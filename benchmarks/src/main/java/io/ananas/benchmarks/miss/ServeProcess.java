package io.ananas.benchmarks.miss;

import io.ananas.testkit.SignedTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ananas serve} in a JVM of its own with the options of this one. */
final class ServeProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final InetSocketAddress address;
    private final Path config;

    private ServeProcess(Process process, InetSocketAddress address, Path config) {
        this.process = process;
        this.address = address;
        this.config = config;
    }

    static ServeProcess start(SignedTree tree, int workers, String crypto) throws IOException {
        final Path config = Files.createTempFile("ananas-miss", ".yaml");
        Files.writeString(
                config,
                "listen: [\"127.0.0.1:0\"]\nworkers: %d\ncache: {size: 64MiB}\n%s  crypto: %s\n"
                        .formatted(workers, tree.configuration(), crypto));
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.ananas.server.Main", "serve", "--config", config.toString()));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final StringBuilder said = new StringBuilder();
        final BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            said.append(line).append('\n');
            if (line.contains("try:")) {
                break;
            }
        }
        final Matcher matcher = LISTENING.matcher(said);
        if (!matcher.find()) {
            process.destroy();
            throw new IOException("ananas serve did not start:\n" + said);
        }
        return new ServeProcess(
                process,
                new InetSocketAddress(
                        InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(matcher.group(1))),
                config);
    }

    InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        Files.delete(config);
    }
}
