@NullMarked
package io.ananas.message;

import org.jspecify.annotations.NullMarked;
