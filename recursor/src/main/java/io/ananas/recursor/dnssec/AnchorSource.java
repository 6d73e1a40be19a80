package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import org.jspecify.annotations.Nullable;

/** Where chains of trust begin. Thread-safe. */
public sealed interface AnchorSource permits TrustAnchors, ManagedKeys {
    /** The deepest zone with a trust anchor that {@code name} is in; null if there is none. */
    @Nullable Name closestAnchor(Name name);
}
