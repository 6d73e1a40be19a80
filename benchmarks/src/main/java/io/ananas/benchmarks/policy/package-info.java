/** Eviction policies over numbered keys, for comparing who keeps what. */
@NullMarked
package io.ananas.benchmarks.policy;

import org.jspecify.annotations.NullMarked;
