package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.ByteSize;
import java.util.Locale;

/**
 * The fleet that a number of entries needs.
 *
 * @param entries distinct questions to be kept, all copies of the fleet counted once
 * @param ecsShare of entries that have answers per client subnet, 0 to 1
 * @param ecsCopies answers that such an entry has, on average
 * @param bytesPerEntry measured
 * @param ecsBytes per answer for a subnet, measured
 * @param replicas nodes that hold each entry
 * @param nodeMemory octets of a node
 * @param usable share of it that the cache may have, 0 to 1
 */
record FleetPlan(
        double entries,
        double ecsShare,
        double ecsCopies,
        double bytesPerEntry,
        double ecsBytes,
        int replicas,
        long nodeMemory,
        double usable) {
    static final String FORMULA =
            "nodes = ceil(replicas * (entries * (1 - ecs-share) * bytes-per-entry"
                    + " + entries * ecs-share * ecs-copies * ecs-bytes) / (node-memory * usable))";

    /** Octets of all entries, once. */
    double octets() {
        return entries * (1 - ecsShare) * bytesPerEntry + answersForSubnets() * ecsBytes;
    }

    private double answersForSubnets() {
        return entries * ecsShare * ecsCopies;
    }

    /** Octets that caches of the whole fleet need. */
    double fleetOctets() {
        return replicas * octets();
    }

    long nodes() {
        return (long) Math.ceil(fleetOctets() / (nodeMemory * usable));
    }

    /** Share of the usable memory that is left free, 0 to 1. */
    double headroom() {
        return 1 - fleetOctets() / (nodes() * (nodeMemory * usable));
    }

    /** Octets that one octet more per answer costs in the whole fleet. */
    double costOfOneByte() {
        return replicas * (entries * (1 - ecsShare) + answersForSubnets());
    }

    String table() {
        return String.format(
                Locale.ROOT,
                """
                entries            %,.0f (%.0f %% with answers per subnet, %.1f each)
                bytes per entry    %.1f, per answer for a subnet %.1f
                memory, once       %s
                memory, fleet      %s (%d copies of each)
                nodes              %,d of %s, %.0f %% usable
                headroom           %.1f %%
                one byte costs     %s, %.2f nodes
                """,
                entries,
                100 * ecsShare,
                ecsCopies,
                bytesPerEntry,
                ecsBytes,
                size(octets()),
                size(fleetOctets()),
                replicas,
                nodes(),
                size((double) nodeMemory),
                100 * usable,
                100 * headroom(),
                size(costOfOneByte()),
                costOfOneByte() / (nodeMemory * usable));
    }

    private static String size(double octets) {
        return new ByteSize(Math.round(octets)).toString();
    }
}
