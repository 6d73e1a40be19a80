@NullMarked
package io.ananas.testkit;

import org.jspecify.annotations.NullMarked;
