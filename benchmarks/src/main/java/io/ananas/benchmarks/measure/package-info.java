/** What all measurements share: filling and asking a cache, spreads, progress, results. */
@NullMarked
package io.ananas.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
