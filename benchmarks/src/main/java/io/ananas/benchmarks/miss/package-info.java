/** The speed of a miss: cold names resolved and validated, compared with Unbound. */
@NullMarked
package io.ananas.benchmarks.miss;

import org.jspecify.annotations.NullMarked;
