/** Traces replayed through caches: what the saved memory buys, and who evicts best. */
@NullMarked
package io.ananas.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
