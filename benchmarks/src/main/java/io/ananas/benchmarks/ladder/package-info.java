/**
 * The published memory ladder in Java: on-heap caches that differ in their entry only, and the
 * off-heap steps that follow.
 */
@NullMarked
package io.ananas.benchmarks.ladder;

import org.jspecify.annotations.NullMarked;
