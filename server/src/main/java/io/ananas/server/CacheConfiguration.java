package io.ananas.server;

import io.ananas.cache.CacheOptions;
import io.ananas.cache.ServeStale;
import io.ananas.cache.TtlBounds;
import io.ananas.message.Name;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the sections {@code cache} and {@code ecs} of a configuration file. */
final class CacheConfiguration {
    private static final int MAX_COUNT = 1_000_000;
    private static final int MAX_STALE = 259_200;

    private CacheConfiguration() {}

    static CacheOptions options(ConfigSection section, CacheOptions d) throws ConfigException {
        final TtlBounds bounds = bounds(section, d.bounds());
        return new CacheOptions(
                section.value("size", CacheConfiguration::size, d.size()),
                d.meanEntry(),
                section.bool("huge-pages", d.hugePages()),
                section.bool("rotate", d.rotate()),
                bounds,
                stale(section.section("serve-stale"), d.stale(), bounds.maxTtl()),
                section.integer("max-entry", 512, MAX_COUNT, d.maxEntry()),
                section.integer("max-answer-ttl", 1, CacheOptions.MAX_TTL, d.maxAnswerTtl()));
    }

    private static ServeStale stale(ConfigSection section, ServeStale d, int maxTtl)
            throws ConfigException {
        final boolean enabled = section.bool("enabled", d.maxAge() > 0);
        final int maxAge =
                section.value("max-age", CacheConfiguration::staleAge, Math.max(1, d.maxAge()));
        return new ServeStale(
                enabled ? maxAge : 0,
                section.integer("answer-ttl", 1, maxTtl, Math.min(d.answerTtl(), maxTtl)));
    }

    private static int staleAge(String text) {
        final long seconds = ConfigValues.duration(text).toSeconds();
        if (seconds < 1 || seconds > MAX_STALE) {
            throw new IllegalArgumentException("a time from 1s to 72h");
        }
        return (int) seconds;
    }

    private static TtlBounds bounds(ConfigSection section, TtlBounds d) throws ConfigException {
        final int most = CacheOptions.MAX_TTL;
        final int maxTtl = section.integer("max-ttl", 1, most, d.maxTtl());
        final int minTtl = section.integer("min-ttl", 0, maxTtl, Math.min(d.minTtl(), maxTtl));
        final int maxNegative = section.integer("max-negative-ttl", 0, most, d.maxNegativeTtl());
        final int minNegative =
                section.integer(
                        "min-negative-ttl",
                        0,
                        maxNegative,
                        Math.min(d.minNegativeTtl(), maxNegative));
        return new TtlBounds(minTtl, maxTtl, minNegative, maxNegative);
    }

    /** A cache budget in octets. */
    static long size(String text) {
        final long size = ConfigValues.size(text);
        if (size < CacheOptions.MIN_SIZE) {
            throw new IllegalArgumentException(
                    "at least " + ConfigValues.describeSize(CacheOptions.MIN_SIZE));
        }
        return size;
    }

    /** The rest of the section {@code cache}, behind {@link #options}. */
    static Configuration.Caching caching(ConfigSection section, Configuration d)
            throws ConfigException {
        final Configuration.Caching before = d.caching();
        final ConfigSection stale = section.section("serve-stale");
        final Duration timeout = stale.duration("client-timeout", before.clientTimeout());
        stale.finish();
        final ConfigSection prefetch = section.section("prefetch");
        final boolean renews = prefetch.bool("enabled", before.renewals() > 0);
        final int rate = prefetch.integer("rate", 1, MAX_COUNT, Math.max(1, before.renewals()));
        prefetch.finish();
        final List<AnswerStore.Zone> zones = new ArrayList<>(before.zones());
        final TtlBounds bounds = bounds(section, d.cache().bounds());
        for (ConfigSection zone : section.sections("zones")) {
            final Name name = zone.value("name", ConfigValues::name, null);
            final TtlBounds own = bounds(zone, bounds);
            zone.finish();
            zones.add(new AnswerStore.Zone(zone.required("name", name), own));
        }
        final ConfigSection snapshot = section.section("snapshot");
        final @Nullable Path file = snapshot.value("file", Path::of, before.snapshot());
        final Duration interval =
                snapshot.value("interval", CacheConfiguration::interval, before.snapshotInterval());
        snapshot.finish();
        return new Configuration.Caching(
                timeout,
                renews ? rate : 0,
                zones,
                section.value("nxdomain-cut", CacheConfiguration::cuts, before.cuts()),
                file,
                interval);
    }

    private static NameCuts.Trust cuts(String text) {
        return switch (text) {
            case "off" -> NameCuts.Trust.NONE;
            case "validated" -> NameCuts.Trust.VALIDATED;
            case "all" -> NameCuts.Trust.ALL;
            default -> throw new IllegalArgumentException("off, validated or all");
        };
    }

    private static Duration interval(String text) {
        final Duration interval = ConfigValues.duration(text);
        if (interval.toSeconds() < 1) {
            throw new IllegalArgumentException("a time of 1s or more, such as 10m");
        }
        return interval;
    }

    static SubnetPolicy subnets(ConfigSection section, SubnetPolicy d) throws ConfigException {
        final List<Name> zones = section.list("zones", ConfigValues::name, List.of());
        final List<InetSocketAddress> upstreams =
                section.list("upstreams", ConfigValues::upstream, List.of());
        final SubnetPolicy policy =
                new SubnetPolicy(
                        zones,
                        upstreams,
                        section.integer("ipv4-prefix", 1, 32, SubnetPolicy.IPV4_PREFIX),
                        section.integer("ipv6-prefix", 1, 128, SubnetPolicy.IPV6_PREFIX));
        section.finish();
        return policy.isOn() ? policy : d;
    }
}
