package io.ananas.benchmarks.replay;

import io.ananas.benchmarks.measure.ByteSize;
import io.ananas.benchmarks.measure.CommandErrors;
import io.ananas.benchmarks.measure.Json;
import io.ananas.benchmarks.measure.Progress;
import io.ananas.benchmarks.policy.PolicyKind;
import io.ananas.benchmarks.trace.LogTrace;
import io.ananas.benchmarks.trace.SyntheticTrace;
import io.ananas.benchmarks.trace.Trace;
import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ananas bench hit-ratio}: what memory buys, and which policy keeps the right entries. */
@Command(
        name = "hit-ratio",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Replays a trace. With --budget: through step 0, step 5 and Ananas at the same memory.",
            "With --policy: through eviction policies by number of entries. Both may be given;",
            "without either, --budget 16MiB.",
            "Traces: a query log (tab-separated: seconds, client, name, type, and if known rcode,",
            "answers, TTLs; may be gzip), a dnsperf query file, or 'synthetic'."
        })
public final class HitRatioCommand implements Callable<Integer> {
    private static final String SYNTHETIC = "synthetic";
    private static final String DEFAULT_BUDGET = "16MiB";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--trace",
            paramLabel = "FILE|synthetic",
            required = true,
            description = "What to replay.")
    @SuppressWarnings("NullAway.Init")
    private String trace;

    @Option(
            names = "--budget",
            paramLabel = "SIZE",
            split = ",",
            converter = ByteSize.Converter.class,
            description = "Memory of each cache, at least 1MiB; several after commas.")
    private @Nullable List<ByteSize> budgets;

    @Option(
            names = "--subnets",
            paramLabel = "K",
            defaultValue = "8",
            description =
                    "With ECS: groups of clients that see different answers. ${DEFAULT-VALUE}.")
    private int subnets;

    @Option(
            names = "--policy",
            paramLabel = "LIST",
            split = ",",
            description =
                    "fifo, lru, clock, arc, sieve, s3-fifo, caffeine, ananas, or all; after commas.")
    private @Nullable List<String> policies;

    @Option(
            names = "--sizes",
            paramLabel = "LIST",
            split = ",",
            defaultValue = "0.01,0.02,0.05,0.1,0.2,0.4",
            description = "Entries, as shares of the distinct questions. ${DEFAULT-VALUE}.")
    private double @Nullable [] sizes;

    @Option(
            names = "--same-memory",
            description = {
                "Let the memory of a policy count: others keep as many entries as fit into what",
                "Ananas needs for the given number."
            })
    private boolean sameMemory;

    @Option(
            names = "--entry-octets",
            paramLabel = "N",
            defaultValue = "103",
            description = "Octets of an entry without its policy. ${DEFAULT-VALUE}.")
    private double entryOctets;

    @Option(
            names = "--delay-median",
            paramLabel = "MS",
            defaultValue = "30",
            description = "Upstream delay: median of the lognormal distribution. ${DEFAULT-VALUE}.")
    private double delayMedian;

    @Option(
            names = "--delay-sigma",
            paramLabel = "S",
            defaultValue = "1.0",
            description = "Upstream delay: sigma of its logarithm. ${DEFAULT-VALUE}.")
    private double delaySigma;

    @Option(
            names = "--hit-millis",
            paramLabel = "MS",
            defaultValue = "0.05",
            description = "What an answer from the cache takes. ${DEFAULT-VALUE}.")
    private double hitMillis;

    @Option(
            names = "--rate",
            paramLabel = "QPS",
            defaultValue = "2000",
            description = "Queries per second, for traces without times. ${DEFAULT-VALUE}.")
    private double rate;

    @Option(
            names = "--queries",
            paramLabel = "N",
            defaultValue = "2000000",
            description = "Synthetic: queries. ${DEFAULT-VALUE}.")
    private int queries;

    @Option(
            names = "--names",
            paramLabel = "N",
            defaultValue = "500000",
            description = "Synthetic: popular names at a time. ${DEFAULT-VALUE}.")
    private int names;

    @Option(
            names = "--zipf",
            paramLabel = "S",
            defaultValue = "1.0",
            description = "Synthetic: exponent of Zipf's law. ${DEFAULT-VALUE}.")
    private double zipf;

    @Option(
            names = "--one-shot",
            paramLabel = "SHARE",
            defaultValue = "0.2",
            description =
                    "Synthetic: share of queries for names asked once only. ${DEFAULT-VALUE}.")
    private double oneShot;

    @Option(
            names = "--drift",
            paramLabel = "N",
            defaultValue = "1",
            description = "Synthetic: popular names replaced per 1,000 queries. ${DEFAULT-VALUE}.")
    private double drift;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of all random numbers. ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the figures.")
    private @Nullable Path json;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Where to write the chart.")
    private @Nullable Path plot;

    /** Replays, prints, writes. */
    @Override
    public Integer call() {
        return CommandErrors.run(spec, this::measure);
    }

    private void measure() throws IOException {
        final List<PolicyKind> kinds = kinds();
        final List<ByteSize> sizesInOctets = budgets();
        for (ByteSize budget : sizesInOctets) {
            CommandErrors.require(
                    budget.octets() >= CacheOptions.MIN_SIZE,
                    "--budget",
                    budget,
                    "at least " + new ByteSize(CacheOptions.MIN_SIZE) + ", the smallest shard");
        }
        CommandErrors.requireRange("--subnets", subnets, 1, AnswerCache.MAX_SUBNETS);
        final Trace replayed = trace();
        final UpstreamDelay delay = new UpstreamDelay(delayMedian, delaySigma, hitMillis, seed);
        final HitRatioReport report =
                new HitRatioReport(
                        replayed.name(),
                        parameters(delay),
                        replayed.length(),
                        replayed.questions().count(),
                        replayed.skipped(),
                        replayBudgets(replayed, sizesInOctets, delay),
                        replayPolicies(replayed, kinds));
        spec.commandLine().getOut().print(report.table());
        spec.commandLine().getOut().flush();
        if (json != null) {
            Json.write(json, report);
        }
        if (plot != null) {
            Files.writeString(plot, report.chart());
        }
    }

    private List<PolicyKind> kinds() {
        if (policies == null) {
            return List.of();
        }
        return policies.contains("all")
                ? Arrays.asList(PolicyKind.values())
                : policies.stream().map(PolicyKind::of).toList();
    }

    private List<ByteSize> budgets() {
        if (budgets != null) {
            return budgets;
        }
        return policies == null ? List.of(ByteSize.of(DEFAULT_BUDGET)) : List.of();
    }

    private SyntheticTrace synthetic() {
        CommandErrors.require(queries >= 1, "--queries", queries, "1 or more");
        CommandErrors.require(names >= 1, "--names", names, "1 or more");
        CommandErrors.require(
                oneShot >= 0 && oneShot < 1, "--one-shot", oneShot, "0 to less than 1");
        return new SyntheticTrace(queries, names, zipf, oneShot, drift, rate, 1_000, seed);
    }

    private Trace trace() throws IOException {
        CommandErrors.require(rate > 0, "--rate", rate, "more than 0");
        return trace.equals(SYNTHETIC)
                ? synthetic().generate()
                : LogTrace.read(Path.of(trace), rate);
    }

    private List<String> parameters(UpstreamDelay delay) {
        final List<String> lines = new ArrayList<>();
        if (trace.equals(SYNTHETIC)) {
            lines.add(synthetic().describe());
        }
        lines.add(delay.toString());
        return lines;
    }

    private List<BudgetResult> replayBudgets(
            Trace replayed, List<ByteSize> sizesInOctets, UpstreamDelay delay) {
        final List<BudgetResult> results = new ArrayList<>();
        try (Progress progress = Progress.of("replay", Math.max(1, 6 * sizesInOctets.size()))) {
            for (ByteSize budget : sizesInOctets) {
                for (int groups : subnets == 1 ? new int[] {1} : new int[] {1, subnets}) {
                    for (String name : List.of("step 0", "step 5", "Ananas")) {
                        try (ReplayCache cache = cache(name, budget.octets(), replayed)) {
                            results.add(
                                    new BudgetReplay(replayed, groups, delay)
                                            .run(name, budget.octets(), cache, progress::within));
                        }
                        progress.next(name);
                    }
                }
            }
        }
        return results;
    }

    private static ReplayCache cache(String name, long budget, Trace replayed) {
        return switch (name) {
            case "step 0" -> ReplayCache.heap(0, budget, replayed);
            case "step 5" -> ReplayCache.heap(5, budget, replayed);
            default -> ReplayCache.ananas(budget);
        };
    }

    private List<PolicyResult> replayPolicies(Trace replayed, List<PolicyKind> kinds) {
        CommandErrors.require(entryOctets > 0, "--entry-octets", entryOctets, "more than 0");
        final List<PolicyResult> results = new ArrayList<>();
        final double[] shares = sizes == null ? new double[0] : sizes;
        try (Progress progress = Progress.of("replay", Math.max(1, kinds.size() * shares.length))) {
            for (PolicyKind kind : kinds) {
                for (double share : shares) {
                    CommandErrors.require(
                            share > 0 && share <= 1, "--sizes", share, "shares above 0, up to 1");
                    results.add(replay(replayed, kind, share));
                    progress.next(kind.title());
                }
            }
        }
        return results;
    }

    private PolicyResult replay(Trace replayed, PolicyKind kind, double share) {
        final int size = (int) Math.max(2, Math.round(share * replayed.questions().count()));
        final int capacity =
                sameMemory ? Math.max(2, kind.entriesInMemoryOf(size, entryOctets)) : size;
        return new PolicyResult(
                replayed.name(),
                kind.title(),
                size,
                capacity,
                kind.octetsPerEntry(),
                share,
                new PolicyReplay(replayed).hitRatio(kind, capacity));
    }
}
