package io.ananas.benchmarks.ladder;

import io.ananas.benchmarks.measure.Spread;
import org.jspecify.annotations.Nullable;

/**
 * What one step was measured to need.
 *
 * @param stage its number
 * @param change what it changes
 * @param compactHeaders whether the JVM ran with {@code -XX:+UseCompactObjectHeaders}
 * @param netBytes octets per entry, everything counted: map, policy, keys, slack of the index
 * @param allocatedBytes octets per entry that insertions allocated on the heap
 * @param objects live objects per entry
 * @param residentBytes growth of the process's resident memory per entry
 * @param lookupNanosUniformBatch32 null where a step answers one at a time only
 * @param digest of the responses, equal for all steps
 * @param jvmFlags what the measuring JVM was started with
 */
record StageResult(
        String stage,
        String change,
        boolean compactHeaders,
        double netBytes,
        double allocatedBytes,
        double objects,
        double residentBytes,
        Spread insertsPerSecond,
        Spread lookupNanosUniform,
        Spread lookupNanosZipf,
        @Nullable Spread lookupNanosUniformBatch32,
        @Nullable Spread lookupNanosZipfBatch32,
        String digest,
        String jvmFlags) {}
