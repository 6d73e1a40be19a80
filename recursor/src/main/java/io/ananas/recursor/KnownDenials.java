package io.ananas.recursor;

import io.ananas.message.Name;
import org.jspecify.annotations.Nullable;

/**
 * Answers that follow from validated proofs, so that nobody has to be asked (RFC 8198): the port to
 * aggressive use of NSEC and NSEC3. Thread-safe; does not block.
 */
@FunctionalInterface
public interface KnownDenials {
    /**
     * The whole response to (name, type) of class IN, with AD and id 0; null if it does not follow
     * from what is known.
     */
    byte @Nullable [] find(Name name, int type);
}
