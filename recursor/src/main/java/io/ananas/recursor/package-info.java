@NullMarked
package io.ananas.recursor;

import org.jspecify.annotations.NullMarked;
