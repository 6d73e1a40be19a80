@NullMarked
package io.ananas.recursor.dnssec;

import org.jspecify.annotations.NullMarked;
