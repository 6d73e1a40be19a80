/** Query traces: read from files or made, and the answers that an upstream would give. */
@NullMarked
package io.ananas.benchmarks.trace;

import org.jspecify.annotations.NullMarked;
