package io.ananas.recursor;

import io.ananas.message.Name;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stub and forward zones by name. Immutable. */
final class ConfiguredZones {
    private final Map<Name, ConfiguredZone> zones = new HashMap<>();

    ConfiguredZones(List<ConfiguredZone> list) {
        for (final ConfiguredZone zone : list) {
            if (zones.put(zone.name(), zone) != null) {
                throw new IllegalArgumentException(
                        "zone %s is configured twice; give its servers in one place"
                                .formatted(zone.name()));
            }
        }
    }

    /** The one with most labels at or above {@code name}; null if there is none. */
    @Nullable ConfiguredZone longest(Name name) {
        if (zones.isEmpty()) {
            return null;
        }
        for (Name above = name; ; above = above.parent()) {
            final ConfiguredZone zone = zones.get(above);
            if (zone != null || above.isRoot()) {
                return zone;
            }
        }
    }

    boolean sameService(Name a, Name b) {
        return zones.isEmpty() || Objects.equals(longest(a), longest(b));
    }
}
