package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.ByteSize;
import io.ananas.benchmarks.measure.CacheMeasurement;
import io.ananas.benchmarks.measure.CommandErrors;
import io.ananas.benchmarks.measure.Json;
import io.ananas.benchmarks.measure.SubnetMeasurement;
import io.ananas.cache.CacheOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code ananas plan}: from bytes per entry to a number of nodes. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Computes the fleet for a number of cached answers, from bytes per entry that are measured",
            "now, on the reference workload, or were measured before (--json of bench cache).",
            "",
            FleetPlan.FORMULA,
            "",
            "Headroom is the share of usable memory left free. One byte more per answer costs",
            "replicas * answers octets."
        })
final class PlanCommand implements Callable<Integer> {
    private static final int SAMPLE = 200_000;
    private static final int SAMPLE_BUDGET = 128;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--entries",
            paramLabel = "N",
            required = true,
            description = "Questions to be kept, such as 250e9.")
    private double entries;

    @Option(
            names = "--ecs-share",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Share of them with answers per client subnet. ${DEFAULT-VALUE}.")
    private double ecsShare;

    @Option(
            names = "--ecs-copies",
            paramLabel = "N",
            defaultValue = "10",
            description = "Answers that such a question has. ${DEFAULT-VALUE}.")
    private double ecsCopies;

    @Option(
            names = "--node-memory",
            paramLabel = "SIZE",
            required = true,
            converter = ByteSize.Converter.class,
            description = "Memory of a node, such as 768GiB.")
    @SuppressWarnings("NullAway.Init")
    private ByteSize nodeMemory;

    @Option(
            names = "--usable",
            paramLabel = "SHARE",
            defaultValue = "0.9",
            description = "Share of it that the cache may have. ${DEFAULT-VALUE}.")
    private double usable;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            defaultValue = "1",
            description = "Nodes that hold each entry. ${DEFAULT-VALUE}.")
    private int replicas;

    @Option(names = "--bytes-per-entry", paramLabel = "B", description = "Instead of measuring.")
    private @Nullable Double bytesPerEntry;

    @Option(
            names = "--measured",
            paramLabel = "FILE",
            description = "Take bytes per entry from what bench cache wrote with --json.")
    private @Nullable Path measured;

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write the plan.")
    private @Nullable Path json;

    /** Computes, prints, writes. */
    @Override
    public Integer call() {
        return CommandErrors.run(spec, this::plan);
    }

    private void plan() throws IOException {
        CommandErrors.require(entries >= 1, "--entries", entries, "1 or more");
        CommandErrors.require(ecsShare >= 0 && ecsShare <= 1, "--ecs-share", ecsShare, "0 to 1");
        CommandErrors.require(ecsCopies >= 1, "--ecs-copies", ecsCopies, "1 or more");
        CommandErrors.require(
                usable > 0 && usable <= 1, "--usable", usable, "more than 0, up to 1");
        CommandErrors.require(replicas >= 1, "--replicas", replicas, "1 or more");
        CommandErrors.require(
                nodeMemory.octets() >= 1 << 20, "--node-memory", nodeMemory, "1 MiB or more");
        final double bytes = bytes();
        final double subnetBytes = ecsShare == 0 ? 0 : bytes + SubnetMeasurement.extraOctets();
        final FleetPlan fleet =
                new FleetPlan(
                        entries,
                        ecsShare,
                        ecsCopies,
                        bytes,
                        subnetBytes,
                        replicas,
                        nodeMemory.octets(),
                        usable);
        spec.commandLine().getOut().print(fleet.table());
        spec.commandLine().getOut().println("formula            " + FleetPlan.FORMULA);
        spec.commandLine().getOut().flush();
        if (json != null) {
            Json.write(json, fleet);
        }
    }

    private double bytes() throws IOException {
        if (bytesPerEntry != null) {
            CommandErrors.require(
                    bytesPerEntry > 0, "--bytes-per-entry", bytesPerEntry, "more than 0");
            return bytesPerEntry;
        }
        return measured == null ? measure() : read(measured);
    }

    private static double read(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException(file + ": no file that can be read; give what bench cache wrote");
        }
        final JsonNode value;
        try {
            value = Json.MAPPER.readTree(Files.readString(file)).path("bytesPerEntry");
        } catch (tools.jackson.core.JacksonException e) {
            throw new IOException(file + ": no JSON; give what bench cache wrote with --json", e);
        }
        if (!value.isNumber()) {
            throw new IOException(
                    file + ": found no number bytesPerEntry, expected what bench cache wrote");
        }
        return value.doubleValue();
    }

    private static double measure() {
        final CacheOptions options =
                CacheOptions.ofSize((long) SAMPLE * SAMPLE_BUDGET)
                        .withMeanEntry(CacheBench.MEAN_ENTRY);
        try (CacheMeasurement cache = new CacheMeasurement(SAMPLE, options)) {
            cache.fill(share -> {});
            return cache.cache().stats().octetsPerEntry();
        }
    }
}
