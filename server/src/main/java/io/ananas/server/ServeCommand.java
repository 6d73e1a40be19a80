package io.ananas.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ananas serve}: runs the resolver until it is told to stop. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description =
                "Answers DNS queries over UDP and TCP, from the cache, by recursion or by asking forwarders.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by SIGTERM or SIGINT",
            "1:could not start, for example for a port in use",
            "2:a wrong option or configuration"
        })
final class ServeCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--forward",
            paramLabel = "HOST[:PORT]",
            description =
                    "Server to ask; may be repeated. Without: answers are found by recursion from the root.")
    private @Nullable List<String> forward;

    @Option(
            names = "--root-hints",
            paramLabel = "FILE",
            description =
                    "Root servers, in the form of named.root. Without: those of the Internet.")
    private @Nullable Path rootHints;

    @Option(
            names = "--trust-anchor",
            paramLabel = "FILE",
            description = "DS or DNSKEY records to validate by. Without: those of the root.")
    private @Nullable Path trustAnchor;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS[:PORT]",
            description = "Where to listen; may be repeated. Without: 127.0.0.1:5300.")
    private @Nullable List<String> listen;

    @Option(
            names = "--cache-size",
            paramLabel = "SIZE",
            description = "Memory for the cache. Without: 256MiB.")
    private @Nullable String cacheSize;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Receiving threads per address. Without: one per processor.")
    private @Nullable String workers;

    @Option(
            names = "--admin",
            paramLabel = "ADDRESS[:PORT]",
            description =
                    "Where to listen for 'ananas cache' and metrics, such as 127.0.0.1:5380."
                            + " Without: nowhere. Whoever reaches it may use it.")
    private @Nullable String admin;

    @Option(
            names = "--test-clock",
            description = "Lets the admin listener move the server's clock. For tests only.")
    private boolean testClock;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration in YAML; options of the command line go before it.")
    private @Nullable Path config;

    /** Starts, says so once, and waits for the end. */
    @Override
    public Integer call() throws InterruptedException {
        final Configuration configuration;
        try {
            configuration = configuration();
        } catch (ConfigException e) {
            err().println("ananas: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        try {
            final Server server =
                    Server.start(
                            configuration, testClock ? new TestClock() : InstantSource.system());
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () -> {
                                        server.close();
                                        // a signal would make it 143, as if it had failed
                                        Runtime.getRuntime().halt(CommandLine.ExitCode.OK);
                                    },
                                    "shutdown"));
            final PrintWriter out = spec.commandLine().getOut();
            server.greeting(configuration).forEach(line -> out.println("ananas: " + line));
            out.flush();
            new CountDownLatch(1).await(); // the shutdown hook ends it
            return CommandLine.ExitCode.OK;
        } catch (IOException e) {
            err().println("ananas: " + e.getMessage());
            return FAILED;
        }
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** The defaults, the file over them, and the command line over both. */
    Configuration configuration() throws ConfigException {
        Configuration c = Configuration.defaults();
        if (config != null) {
            c = ConfigurationReader.read(config, c);
        }
        if (listen != null) {
            c = c.withListen(addresses("--listen", listen, ConfigValues::listener));
        }
        if (forward != null) {
            c = c.withForward(addresses("--forward", forward, ConfigValues::upstream));
        }
        if (cacheSize != null) {
            final long size = option("--cache-size", cacheSize, ConfigurationReader::cacheSize);
            c = c.withCache(c.cache().withSize(size));
        }
        if (workers != null) {
            final int threads =
                    option("--workers", workers, text -> ConfigValues.integer(text, 1, 256));
            c = c.withWorkers(threads);
        }
        if (admin != null) {
            final InetSocketAddress address = option("--admin", admin, ConfigValues::admin);
            c = c.withAdmin(new Configuration.Admin(address));
        }
        return c.withRecursion(recursion(c.recursion()));
    }

    private RecursionSettings recursion(RecursionSettings before) throws ConfigException {
        RecursionSettings settings = before;
        if (rootHints != null) {
            final int port = settings.options().port();
            settings =
                    settings.withOptions(
                            settings.options()
                                    .withRootHints(
                                            option(
                                                    "--root-hints",
                                                    rootHints.toString(),
                                                    file ->
                                                            RecursionConfiguration.hintsFile(
                                                                    Path.of(file), port))));
        }
        if (trustAnchor != null) {
            settings =
                    settings.withAnchors(
                            option(
                                    "--trust-anchor",
                                    trustAnchor.toString(),
                                    file -> RecursionConfiguration.anchorsFile(Path.of(file))));
        }
        return settings;
    }

    private static List<InetSocketAddress> addresses(
            String option, List<String> texts, ConfigSection.Reader<InetSocketAddress> reader)
            throws ConfigException {
        final List<InetSocketAddress> addresses = new ArrayList<>();
        for (String text : texts) {
            addresses.add(option(option, text, reader));
        }
        return addresses;
    }

    private static <T> T option(String name, String text, ConfigSection.Reader<T> reader)
            throws ConfigException {
        try {
            return reader.read(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "%s: found '%s', expected %s".formatted(name, text, e.getMessage()));
        }
    }
}
