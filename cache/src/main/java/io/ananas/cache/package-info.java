@NullMarked
package io.ananas.cache;

import org.jspecify.annotations.NullMarked;
