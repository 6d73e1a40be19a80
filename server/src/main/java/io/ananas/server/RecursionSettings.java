package io.ananas.server;

import io.ananas.message.Name;
import io.ananas.recursor.LocalZones;
import io.ananas.recursor.RecursorOptions;
import io.ananas.recursor.dnssec.CryptoLibrary;
import io.ananas.recursor.dnssec.TrustAnchors;
import io.ananas.recursor.dnssec.ValidationLimits;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How answers are found where nobody is named to forward to, and what is answered without asking
 * anybody. Immutable.
 *
 * @param options how the recursor works; its local zones and the time and number of questions are
 *     set from the rest of the configuration
 * @param validation how answers are validated
 * @param local what is answered here
 */
record RecursionSettings(RecursorOptions options, Validation validation, LocalData local) {
    /** What holds where nothing is configured. */
    static final RecursionSettings DEFAULT =
            new RecursionSettings(
                    RecursorOptions.DEFAULT,
                    new Validation(
                            true,
                            TrustAnchors.root(),
                            null,
                            Map.of(),
                            true,
                            CryptoLibrary.AUTO,
                            ValidationLimits.DEFAULT),
                    new LocalData(true, List.of(), List.of(), List.of(), List.of()));

    /**
     * @param enabled whether answers are validated at all
     * @param anchors where chains of trust begin
     * @param state file in which roll-overs of these are remembered (RFC 5011); null for none, and
     *     then they are not followed
     * @param insecure names at and below which nothing is validated (RFC 7646), and until when
     * @param aggressive whether proofs answer further questions (RFC 8198)
     * @param crypto what checks signatures
     * @param limits what validation may cost
     */
    record Validation(
            boolean enabled,
            TrustAnchors anchors,
            @Nullable Path state,
            Map<Name, Instant> insecure,
            boolean aggressive,
            CryptoLibrary crypto,
            ValidationLimits limits) {
        Validation {
            insecure = Map.copyOf(insecure);
        }
    }

    /**
     * @param specialNames whether special names are answered here
     * @param except special names that are not
     * @param zones zones served from here
     * @param records records in master file form
     * @param hosts texts of hosts files
     */
    record LocalData(
            boolean specialNames,
            List<Name> except,
            List<Zone> zones,
            List<String> records,
            List<String> hosts) {
        /**
         * @param masterFile its records, relative to its name
         */
        record Zone(Name name, String masterFile) {}

        LocalData {
            except = List.copyOf(except);
            zones = List.copyOf(zones);
            records = List.copyOf(records);
            hosts = List.copyOf(hosts);
        }

        LocalData withoutSpecialNames() {
            return new LocalData(false, List.of(), zones, records, hosts);
        }
    }

    RecursionSettings withOptions(RecursorOptions other) {
        return new RecursionSettings(other, validation, local);
    }

    RecursionSettings withAnchors(TrustAnchors anchors) {
        return withValidation(
                new Validation(
                        validation.enabled(),
                        anchors,
                        validation.state(),
                        validation.insecure(),
                        validation.aggressive(),
                        validation.crypto(),
                        validation.limits()));
    }

    RecursionSettings withValidation(Validation other) {
        return new RecursionSettings(options, other, local);
    }

    RecursionSettings withLocal(LocalData other) {
        return new RecursionSettings(options, validation, other);
    }

    /**
     * What is answered without asking anybody.
     *
     * @param laboratory whether names below {@code test.} are asked of others: who names root
     *     servers or forwarders of their own has a use for them (RFC 6761, section 6.2)
     */
    LocalZones localZones(boolean laboratory) {
        final LocalZones.Builder zones = new LocalZones.Builder();
        if (local.specialNames()) {
            zones.specialNames();
            if (laboratory) {
                zones.without(Name.of("test"));
            }
            local.except().forEach(zones::without);
            zones.without(options.zones());
        }
        local.zones().forEach(zone -> zones.zone(zone.name(), zone.masterFile()));
        local.records().forEach(zones::records);
        local.hosts().forEach(zones::hosts);
        return zones.build();
    }
}
