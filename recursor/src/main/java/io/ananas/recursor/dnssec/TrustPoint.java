package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import java.util.ArrayList;
import java.util.List;

/**
 * A name where a chain of trust may begin (RFC 4033, section 2: trust anchor).
 *
 * @param delegationSigners what its keys must match, or
 * @param keys its keys themselves; either list may be empty, not both
 */
record TrustPoint(Name zone, List<DelegationSigner> delegationSigners, List<Dnskey> keys) {
    /** Without what is of an algorithm or digest not known here. */
    TrustPoint usable() {
        final List<Dnskey> known = new ArrayList<>(keys);
        known.removeIf(key -> Algorithm.of(key.algorithm()) == null);
        return new TrustPoint(zone, DelegationSigner.usable(delegationSigners), known);
    }

    boolean isEmpty() {
        return delegationSigners.isEmpty() && keys.isEmpty();
    }
}
