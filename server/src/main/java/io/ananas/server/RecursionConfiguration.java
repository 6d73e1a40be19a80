package io.ananas.server;

import io.ananas.message.Name;
import io.ananas.recursor.ConfiguredZone;
import io.ananas.recursor.Limits;
import io.ananas.recursor.LocalZones;
import io.ananas.recursor.RecursorOptions;
import io.ananas.recursor.RecursorOptions.Minimisation;
import io.ananas.recursor.RootHints;
import io.ananas.recursor.dnssec.CryptoLibrary;
import io.ananas.recursor.dnssec.TrustAnchors;
import io.ananas.recursor.dnssec.ValidationLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the sections {@code resolver} and {@code local} of a configuration file. */
final class RecursionConfiguration {
    private static final int MAX_COUNT = 1_000_000;
    private static final int MAX_ZONE_COUNT = 10_000_000;

    private RecursionConfiguration() {}

    static RecursionSettings read(ConfigSection resolver, ConfigSection local, RecursionSettings d)
            throws ConfigException {
        return new RecursionSettings(
                options(resolver, d.options()),
                validation(resolver, d.validation()),
                local(local, d.local()));
    }

    private static RecursorOptions options(ConfigSection section, RecursorOptions d)
            throws ConfigException {
        final int port = section.integer("port", 1, 65_535, d.port());
        final boolean ipv4 = section.bool("ipv4", d.ipv4());
        return new RecursorOptions(
                hints(section, port, d.rootHints()),
                zones(section, d.zones()),
                d.localZones(),
                section.value(
                        "qname-minimisation",
                        RecursionConfiguration::minimisation,
                        d.minimisation()),
                section.bool("case-randomisation", d.caseRandomisation()),
                section.bool("cookies", d.cookies()),
                ipv4,
                section.value("ipv6", text -> secondFamily(text, ipv4), d.ipv6() || !ipv4),
                section.bool("query-local-networks", d.queryLocalNetworks()),
                section.value("answer", RecursionConfiguration::full, d.fullAnswers()),
                section.integer("payload-size", 512, 4_096, d.payloadSize()),
                port,
                d.maxTtl(),
                d.maxNegativeTtl(),
                limits(section.section("limits"), d.limits()),
                section.value("memory", RecursionConfiguration::memory, d.linkOctets()),
                section.integer("servers", 16, MAX_ZONE_COUNT, d.memorySize()));
    }

    private static boolean secondFamily(String text, boolean first) {
        final boolean on = ConfigValues.bool(text);
        if (!on && !first) {
            throw new IllegalArgumentException("true, as ipv4 is off");
        }
        return on;
    }

    private static long memory(String text) {
        final long octets = ConfigValues.size(text);
        if (octets < 1 << 20) {
            throw new IllegalArgumentException("at least 1MiB");
        }
        return octets;
    }

    private static Minimisation minimisation(String text) {
        return switch (text) {
            case "off" -> Minimisation.OFF;
            case "relaxed" -> Minimisation.RELAXED;
            case "strict" -> Minimisation.STRICT;
            default -> throw new IllegalArgumentException("off, relaxed or strict");
        };
    }

    private static boolean full(String text) {
        return switch (text) {
            case "full" -> true;
            case "minimal" -> false;
            default -> throw new IllegalArgumentException("full or minimal");
        };
    }

    private static RootHints hints(ConfigSection section, int port, RootHints d)
            throws ConfigException {
        final RootHints file =
                section.value("root-hints-file", text -> hintsFile(Path.of(text), port), d);
        final Map<Name, List<InetSocketAddress>> addresses = new LinkedHashMap<>();
        for (ConfigSection hint : section.sections("root-hints", "name", "address")) {
            final @Nullable Name name = hint.value("name", ConfigValues::name, null);
            final List<InetSocketAddress> list =
                    hint.list("address", text -> ConfigValues.server(text, port), List.of());
            hint.finish();
            addresses
                    .computeIfAbsent(hint.required("name", name), key -> new ArrayList<>())
                    .addAll(hint.required("address", list.isEmpty() ? null : list));
        }
        return addresses.isEmpty() ? file : RootHints.of(addresses);
    }

    /**
     * @throws IllegalArgumentException if it cannot be read or is something else
     */
    static RootHints hintsFile(Path file, int port) {
        try {
            return RootHints.parse(Files.readString(file), port);
        } catch (IOException e) {
            throw unreadable("a readable file with root hints", e);
        }
    }

    /**
     * @throws IllegalArgumentException if it cannot be read or is something else
     */
    static TrustAnchors anchorsFile(Path file) {
        try {
            return TrustAnchors.file(file);
        } catch (IOException e) {
            throw unreadable("a readable file with DS or DNSKEY records", e);
        }
    }

    private static IllegalArgumentException unreadable(String expected, IOException e) {
        return new IllegalArgumentException(
                "%s (%s: %s)".formatted(expected, e.getClass().getSimpleName(), e.getMessage()), e);
    }

    private static List<ConfiguredZone> zones(ConfigSection section, List<ConfiguredZone> d)
            throws ConfigException {
        final List<ConfiguredZone> zones = new ArrayList<>();
        final Set<Name> names = new HashSet<>();
        for (String key : List.of("stub-zones", "forward-zones")) {
            for (ConfigSection zone : section.sections(key)) {
                final @Nullable Name name =
                        zone.value("name", text -> unique(ConfigValues.name(text), names), null);
                final List<InetSocketAddress> servers =
                        zone.list(
                                "servers",
                                text -> ConfigValues.server(text, Configuration.DNS_PORT),
                                List.of());
                final boolean fallback = zone.bool("fallback", false);
                zone.finish();
                zones.add(
                        new ConfiguredZone(
                                zone.required("name", name),
                                key.equals("forward-zones"),
                                zone.required("servers", servers.isEmpty() ? null : servers),
                                fallback));
            }
        }
        return zones.isEmpty() ? d : zones;
    }

    private static Name unique(Name name, Set<Name> names) {
        if (!names.add(name)) {
            throw new IllegalArgumentException("each stub or forward zone once");
        }
        return name;
    }

    private static Limits limits(ConfigSection section, Limits d) throws ConfigException {
        final Limits limits =
                new Limits(
                        section.integer("upstream-queries", 1, 10_000, d.upstreamQueries()),
                        section.integer("server-lookups", 1, 100, d.serverLookups()),
                        section.integer("alias-steps", 1, 100, d.aliasSteps()),
                        section.integer("minimisation-steps", 0, 127, d.minimisationSteps()),
                        section.integer("depth", 1, 32, d.depth()),
                        d.wallTime(),
                        d.inFlight());
        section.finish();
        return limits;
    }

    private static RecursionSettings.Validation validation(
            ConfigSection section, RecursionSettings.Validation d) throws ConfigException {
        TrustAnchors anchors =
                section.value(
                        "trust-anchors-file", text -> anchorsFile(Path.of(text)), d.anchors());
        final List<TrustAnchors> lines =
                section.list("trust-anchors", RecursionConfiguration::anchor, List.of());
        if (!lines.isEmpty()) {
            anchors = lines.stream().reduce(TrustAnchors.none(), TrustAnchors::and);
        }
        final Map<Name, Instant> insecure = new HashMap<>();
        for (ConfigSection name : section.sections("insecure", "name", "until")) {
            final @Nullable Name zone = name.value("name", ConfigValues::name, null);
            final Instant until = name.value("until", RecursionConfiguration::instant, Instant.MAX);
            name.finish();
            insecure.put(name.required("name", zone), until);
        }
        return new RecursionSettings.Validation(
                section.bool("validate", d.enabled()),
                anchors,
                section.value("trust-anchor-state", Path::of, d.state()),
                insecure.isEmpty() ? d.insecure() : insecure,
                section.bool("aggressive-nsec", d.aggressive()),
                section.value("crypto", RecursionConfiguration::crypto, d.crypto()),
                work(section.section("validation"), d.limits()));
    }

    private static CryptoLibrary crypto(String text) {
        return switch (text) {
            case "auto" -> CryptoLibrary.AUTO;
            case "jdk" -> CryptoLibrary.JDK;
            case "openssl" -> {
                if (!CryptoLibrary.isOpenSslPresent()) {
                    throw new IllegalArgumentException(
                            "auto or jdk, as OpenSSL 3 is not installed here");
                }
                yield CryptoLibrary.OPENSSL;
            }
            default -> throw new IllegalArgumentException("auto, jdk or openssl");
        };
    }

    private static TrustAnchors anchor(String text) {
        try {
            return TrustAnchors.of(List.of(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "a DS or DNSKEY record such as \". DS 20326 8 2 E06D44B8...\"", e);
        }
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text.strip());
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("a time such as 2027-01-31T00:00:00Z", e);
        }
    }

    private static ValidationLimits work(ConfigSection section, ValidationLimits d)
            throws ConfigException {
        final int insecure =
                section.integer("nsec3-insecure-above", 0, 65_535, d.insecureIterations());
        final ValidationLimits limits =
                new ValidationLimits(
                        section.integer("keys-per-tag", 1, 16, d.keysPerTag()),
                        section.integer("signatures-per-rrset", 1, 64, d.signaturesPerRrset()),
                        section.integer("failures-per-rrset", 1, 256, d.failuresPerRrset()),
                        section.integer("checks", 1, 65_536, d.checksPerQuestion()),
                        section.integer("failures", 1, 65_536, d.failuresPerQuestion()),
                        section.integer("digests", 1, 65_536, d.digestsPerQuestion()),
                        section.integer(
                                "hash-blocks", 1, MAX_ZONE_COUNT, d.hashBlocksPerQuestion()),
                        section.integer("fetches", 1, 1_024, d.fetchesPerQuestion()),
                        insecure,
                        section.integer(
                                "nsec3-bogus-above",
                                insecure,
                                65_535,
                                Math.max(insecure, d.bogusIterations())),
                        d.denialSets(),
                        section.integer("zones", 16, MAX_ZONE_COUNT, d.cachedZones()),
                        section.value(
                                "bogus-time", RecursionConfiguration::bogus, d.bogusSeconds()),
                        section.value(
                                "clock-skew", RecursionConfiguration::skew, d.clockSkewSeconds()));
        section.finish();
        return limits;
    }

    private static int bogus(String text) {
        return seconds(text, 1, 300, "a time from 1s to 5m");
    }

    private static int skew(String text) {
        return seconds(text, 0, 86_400, "a time from 0s to 24h");
    }

    private static int seconds(String text, int least, int most, String expected) {
        final Duration time = ConfigValues.duration(text);
        if (time.toSeconds() < least || time.toSeconds() > most) {
            throw new IllegalArgumentException(expected);
        }
        return (int) time.toSeconds();
    }

    private static RecursionSettings.LocalData local(
            ConfigSection section, RecursionSettings.LocalData d) throws ConfigException {
        final List<RecursionSettings.LocalData.Zone> zones = new ArrayList<>(d.zones());
        for (ConfigSection zone : section.sections("zones")) {
            final @Nullable Name found = zone.value("name", ConfigValues::name, null);
            final Name name = zone.required("name", found);
            final StringBuilder text = new StringBuilder();
            text.append(zone.value("file", file -> zoneFile(name, Path.of(file)), ""));
            for (String line : zone.list("records", line -> zoneText(name, line), List.of())) {
                text.append(line).append('\n');
            }
            zone.finish();
            zones.add(new RecursionSettings.LocalData.Zone(name, text.toString()));
        }
        final RecursionSettings.LocalData data =
                new RecursionSettings.LocalData(
                        section.bool("special-names", d.specialNames()),
                        section.list("special-names-except", ConfigValues::name, d.except()),
                        zones,
                        section.list("records", RecursionConfiguration::record, d.records()),
                        section.list("hosts", RecursionConfiguration::hosts, d.hosts()));
        section.finish();
        return data;
    }

    private static String zoneFile(Name name, Path file) {
        return zoneText(name, text(file, "a readable master file"));
    }

    private static String zoneText(Name name, String text) {
        try {
            new LocalZones.Builder().zone(name, text);
            return text;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "records of %s in master file form, such as \"www 300 A 192.0.2.1\" (%s)"
                            .formatted(name, e.getMessage()),
                    e);
        }
    }

    private static String record(String text) {
        try {
            new LocalZones.Builder().records(text);
            return text;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "a record such as \"nas.example. 300 A 192.0.2.1\" (%s)"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    private static String hosts(String file) {
        final String text = text(Path.of(file), "a readable hosts file");
        try {
            new LocalZones.Builder().hosts(text);
            return text;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "a hosts file of addresses and names (%s)".formatted(e.getMessage()), e);
        }
    }

    private static String text(Path file, String expected) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw unreadable(expected, e);
        }
    }

    /** The limits of a question that stand elsewhere in the configuration. */
    static Limits with(Limits limits, Configuration.Resolving resolving) {
        return limits.withWallTime(resolving.timeout())
                .withInFlight(Math.min(MAX_COUNT, resolving.maxWaiting()));
    }
}
