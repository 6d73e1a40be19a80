/** DNSSEC validation: trust anchors, the chain of trust, signatures, denial, and its reuse. */
@NullMarked
package io.ananas.recursor.dnssec;

import org.jspecify.annotations.NullMarked;
