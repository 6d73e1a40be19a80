package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.testkit.ScriptedUpstream;
import io.ananas.transport.UdpEngine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server in the JVM that the launcher starts: with its flags, and with what a rehearsal has left.
 * The compiler decides differently there, so what holds in a test's JVM need not hold.
 */
@Timeout(180)
class AheadOfTimeIT {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final int HITS = 1_000_000;
    private static final int WINDOW = 4;

    @TempDir private Path directory;
    private String classPath = "";
    private List<String> flags = List.of();

    @BeforeEach
    void rehearse() throws Exception {
        Assumptions.assumeTrue(UdpEngine.FFM.isSupported(), "needs Linux with glibc");
        classPath = jars();
        flags = launcherFlags();
        final Path cache = directory.resolve("ananas.aot");
        final List<String> command =
                RunningServer.java(and(flags, "-XX:AOTCacheOutput=" + cache), classPath);
        command.add("rehearse");
        final File output = directory.resolve("rehearsal").toFile();
        final Process rehearsal =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output)
                        .start();
        try {
            assertThat(rehearsal.waitFor(120, TimeUnit.SECONDS)).as("rehearsed").isTrue();
        } finally {
            rehearsal.destroyForcibly();
        }
        assertThat(cache).as(Files.readString(output.toPath())).exists();
        flags = and(flags, "-XX:AOTCache=" + cache, "-XX:AOTMode=on");
    }

    /** An object per system call would be twenty collections of a room of 1 MiB. */
    @Test
    void hitsMakeNoGarbage() throws Exception {
        final Path log = directory.resolve("collections");
        final List<String> small = and(flags, "-Xmn1m", "-Xlog:gc:file=" + log);
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            upstream.when("www.example.test", "A").answer("www.example.test. 9999 IN A 192.0.2.1");
            final Path config = Files.writeString(directory.resolve("c.yaml"), text(upstream));
            try (RunningServer server = RunningServer.start(directory, config, small, classPath)) {
                final byte[] hit = Flood.query("www.example.test");
                Flood.of(server.address(), 60_000, 32, i -> Flood.query("n" + i + ".example.test"));
                Flood.of(server.address(), HITS / 4, WINDOW, i -> hit);
                final long before = collections(log);
                Flood.of(server.address(), HITS, WINDOW, i -> hit);
                assertThat(before).as("misses make garbage").isPositive();
                assertThat(collections(log) - before)
                        .as("collections of 1 MiB in %d hits", HITS)
                        .isLessThanOrEqualTo(1);
            }
        }
    }

    private static String text(ScriptedUpstream upstream) {
        return """
        listen: ["127.0.0.1:0"]
        forward: ["127.0.0.1:%d"]
        workers: 1
        cache: {size: 16MiB}
        """
                .formatted(upstream.port());
    }

    private static long collections(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("Pause")).count();
        }
    }

    private static String jars() throws IOException {
        try (Stream<Path> own = Files.list(MODULE.resolve("target"));
                Stream<Path> others = Files.list(MODULE.resolve("target/lib"))) {
            return Stream.concat(own, others)
                    .map(Path::toString)
                    .filter(name -> name.endsWith(".jar"))
                    .filter(name -> !name.endsWith("-sources.jar") && !name.endsWith("-tests.jar"))
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    private static List<String> launcherFlags() throws IOException {
        final String launcher = Files.readString(MODULE.resolveSibling("ananas"));
        final List<String> all = new ArrayList<>();
        for (String variable : List.of("jvm_flags=\"([^\"]*)\"", "serve_flags=(\\S+)")) {
            final Matcher matcher =
                    Pattern.compile("^" + variable, Pattern.MULTILINE).matcher(launcher);
            assertThat(matcher.find()).as("%s in the launcher", variable).isTrue();
            all.addAll(List.of(matcher.group(1).strip().split("\\s+")));
        }
        return all;
    }

    private static List<String> and(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }
}
