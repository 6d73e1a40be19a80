package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** to come */
public final class DenialStore {
    void add(Name zone, List<Valid> sets, @Nullable Valid soa, long now) {}

    void addWildcard(Valid set, List<Valid> denials, long now) {}

    public void forget(Name name) {}
}
