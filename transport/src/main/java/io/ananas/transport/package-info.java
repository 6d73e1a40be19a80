@NullMarked
package io.ananas.transport;

import org.jspecify.annotations.NullMarked;
