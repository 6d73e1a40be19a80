package io.ananas.benchmarks.miss;

import io.ananas.benchmarks.measure.CommandErrors;
import io.ananas.benchmarks.miss.Load.Outcome;
import io.ananas.testkit.PeerProcess;
import io.ananas.testkit.SignedTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.opentest4j.TestAbortedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ananas bench cold-miss}: resolutions of names that were never asked, here and by Unbound.
 *
 * <p>Both resolve in the same tree of real servers, in turn, in one run. Every round has names of
 * its own, so all of them are cold, while delegations and keys are known as they are in a resolver
 * that has run for a while. The first rounds, in which the JVM compiles, do not count.
 */
@Command(
        name = "cold-miss",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Resolves and validates names that were never asked, and compares with Unbound.",
            "Needs unbound, knotd, nsd and dnssec-signzone."
        })
public final class ColdMissCommand implements Callable<Integer> {
    private static final List<String> ZONES =
            List.of("sec.com", "ed.net", "rsa.org", "plain.com", "plain.net");
    private static final int FAILED = 1;
    private static final int SINGLE_PART = 10;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--names",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Names of a round. Without: ${DEFAULT-VALUE}.")
    private int names;

    @Option(
            names = "--rounds",
            paramLabel = "K",
            defaultValue = "5",
            description = "Rounds that count. Without: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "K",
            defaultValue = "3",
            description = "Rounds before that do not. Without: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--window",
            paramLabel = "N",
            defaultValue = "100",
            description = "Questions under way at a time. Without: ${DEFAULT-VALUE}.")
    private int window;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads of both servers. Without: one per processor.")
    private int threads;

    @Option(
            names = "--crypto",
            paramLabel = "LIBRARY",
            defaultValue = "auto",
            description = "resolver.crypto: auto, jdk or openssl. Without: ${DEFAULT-VALUE}.")
    private String crypto = "auto";

    /** The figures of one server. */
    private static final class Figures {
        private final List<Double> perSecond = new ArrayList<>();
        private final List<Double> busyMicros = new ArrayList<>();
        private final List<Double> aloneMicros = new ArrayList<>();
        private int failed;

        void add(Outcome busy, Outcome alone) {
            perSecond.add(busy.perSecond());
            busyMicros.add(busy.p50Micros());
            aloneMicros.add(alone.p50Micros());
            failed += busy.failed() + alone.failed();
        }

        private static double median(List<Double> values) {
            return values.stream().sorted().toList().get(values.size() / 2);
        }
    }

    /** Measures and prints. */
    @Override
    public Integer call() {
        final Figures ours = new Figures();
        final int code = CommandErrors.run(spec, () -> measureOrSay(ours));
        return ours.failed > 0 ? FAILED : code;
    }

    /** A peer that is not installed ends a test by itself; here it is one line. */
    private void measureOrSay(Figures ours) throws IOException {
        try {
            measure(ours);
        } catch (TestAbortedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void measure(Figures ours) throws IOException {
        CommandErrors.requireRange("--names", names, ZONES.size(), 1_000_000);
        CommandErrors.requireRange("--rounds", rounds, 1, 100);
        CommandErrors.requireRange("--warm-up", warmUp, 0, 100);
        CommandErrors.requireRange("--window", window, 1, 10_000);
        final int cores = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
        final List<List<String>> parts = parts();
        final int hosts = (warmUp + rounds) * (names + SINGLE_PART) / ZONES.size() + 1;
        final Figures theirs = new Figures();
        try (SignedTree tree = SignedTree.start(hosts);
                PeerProcess unbound =
                        tree.unbound()
                                .server("num-threads: " + cores)
                                .server("so-reuseport: yes")
                                .start();
                ServeProcess ananas = ServeProcess.start(tree, cores, crypto)) {
            for (int round = 0; round < warmUp + rounds; round++) {
                final boolean counts = round >= warmUp;
                final boolean first = round % 2 == 0;
                measure(
                        first ? ananas.address() : unbound.address(),
                        parts.get(round),
                        counts ? first ? ours : theirs : new Figures());
                measure(
                        first ? unbound.address() : ananas.address(),
                        parts.get(round),
                        counts ? first ? theirs : ours : new Figures());
            }
        }
        print(ours, theirs, cores);
    }

    private List<List<String>> parts() {
        final int total = (warmUp + rounds) * names;
        final List<String> all = new ArrayList<>();
        for (int i = 0; i < total; i++) {
            all.add("n%d.%s".formatted(i / ZONES.size(), ZONES.get(i % ZONES.size())));
        }
        Collections.shuffle(all, new Random(1));
        final List<List<String>> parts = new ArrayList<>();
        for (int round = 0; round < warmUp + rounds; round++) {
            parts.add(all.subList(round * names, (round + 1) * names));
        }
        return parts;
    }

    private void measure(InetSocketAddress server, List<String> part, Figures figures)
            throws IOException {
        final int alone = part.size() / SINGLE_PART;
        final Outcome single = new Load(server, 1).run(part.subList(0, alone));
        final Outcome busy = new Load(server, window).run(part.subList(alone, part.size()));
        figures.add(busy, single);
    }

    private void print(Figures ours, Figures theirs, int cores) {
        final PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "%d cold names a round, %d rounds after %d to warm up, %d threads each; medians%n",
                names, rounds, warmUp, cores);
        out.printf("%-42s %12s %12s %8s%n", "", "Ananas", "Unbound", "ratio");
        line(
                out,
                "resolutions per second, %d under way".formatted(window),
                ours.perSecond,
                theirs.perSecond);
        line(
                out,
                "p50 in microseconds, %d under way".formatted(window),
                ours.busyMicros,
                theirs.busyMicros);
        line(out, "p50 in microseconds, one at a time", ours.aloneMicros, theirs.aloneMicros);
        out.printf("%-42s %12d %12d%n", "failed", ours.failed, theirs.failed);
        out.flush();
    }

    private static void line(PrintWriter out, String what, List<Double> ours, List<Double> theirs) {
        final double a = Figures.median(ours);
        final double b = Figures.median(theirs);
        out.printf("%-42s %12.0f %12.0f %8.2f%n", what, a, b, a / b);
    }
}
