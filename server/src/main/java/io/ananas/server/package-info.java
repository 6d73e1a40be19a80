@NullMarked
package io.ananas.server;

import org.jspecify.annotations.NullMarked;
