@NullMarked
package io.ananas.benchmarks;

import org.jspecify.annotations.NullMarked;
