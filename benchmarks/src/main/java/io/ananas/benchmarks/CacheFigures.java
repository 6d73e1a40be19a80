package io.ananas.benchmarks;

import io.ananas.benchmarks.measure.Spread;

/**
 * The result of {@code bench cache}.
 *
 * @param entries answers in the cache
 * @param lookups timed lookups per run and kind
 * @param budgetBytes the cache's budget: the smallest, in steps of half a percent, that holds all
 *     entries
 * @param budgetBytesPerEntry the same per entry
 * @param bytesPerEntry by the cache's own count: log and index in use
 * @param rssBytesPerEntry resident memory of the cache, per entry, as the system tells
 * @param insertsPerSecond one thread, from parsed answers
 * @param lookupNanosUniform one at a time, from the octets of the query to the whole response
 * @param lookupNanosZipf popular entries asked for more often
 * @param lookupNanosUniformBatch32 32 queries at once, per query
 * @param lookupNanosZipfBatch32 32 queries at once, per query
 * @param hugePages what the system said to the request for huge pages
 * @param java version of the JVM
 */
record CacheFigures(
        int entries,
        int lookups,
        long budgetBytes,
        double budgetBytesPerEntry,
        double bytesPerEntry,
        Spread rssBytesPerEntry,
        Spread insertsPerSecond,
        Spread lookupNanosUniform,
        Spread lookupNanosZipf,
        Spread lookupNanosUniformBatch32,
        Spread lookupNanosZipfBatch32,
        String hugePages,
        String java) {}
