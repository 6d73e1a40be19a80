package io.ananas.server;

import io.ananas.transport.TcpOptions;
import io.ananas.transport.UdpEngine;
import io.ananas.transport.UdpOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads a configuration file over the defaults.
 *
 * <pre>
 * listen: [127.0.0.1:5300, "[::1]:5300"]
 * forward: [192.0.2.1, 192.0.2.2:5353]
 * workers: 2
 * cache:
 *   {size, min-ttl, max-ttl, min-negative-ttl, max-negative-ttl, max-answer-ttl, rotate, huge-pages, max-entry}
 *   serve-stale: {enabled, max-age, answer-ttl, client-timeout}
 *   prefetch: {enabled, rate}
 *   nxdomain-cut: off | validated | all
 *   zones: [{name, min-ttl, max-ttl, min-negative-ttl, max-negative-ttl}, ...]
 *   snapshot: {file, interval}
 * ecs: {zones: [NAME, ...], upstreams: [ADDRESS, ...], ipv4-prefix, ipv6-prefix}
 * admin: {listen}
 * udp: {engine: auto | ffm | nio, receive-buffer}
 * tcp: {idle-timeout, max-connections, max-in-flight}
 * access: {allow: [NETWORK, ...]}
 * rate-limit: {per-second, burst}
 * identity: {version, id}
 * resolver:
 *   {timeout, max-waiting, root-hints: [NAME ADDRESS[@PORT], ...], root-hints-file, port}
 *   {qname-minimisation: off | relaxed | strict, case-randomisation, cookies, ipv4, ipv6}
 *   {query-local-networks, answer: full | minimal, payload-size, memory, servers}
 *   stub-zones, forward-zones: [{name, servers: [ADDRESS[@PORT], ...], fallback}, ...]
 *   {validate, trust-anchors: [DS or DNSKEY, ...], trust-anchors-file, trust-anchor-state}
 *   {insecure: [NAME, {name, until}, ...], aggressive-nsec, crypto: auto | jdk | openssl}
 *   limits: {upstream-queries, server-lookups, alias-steps, minimisation-steps, depth}
 *   validation:
 *     {keys-per-tag, signatures-per-rrset, failures-per-rrset, checks, failures, digests}
 *     {hash-blocks, fetches, nsec3-insecure-above, nsec3-bogus-above, zones, bogus-time, clock-skew}
 * local:
 *   {special-names, special-names-except: [NAME, ...], records: [RECORD, ...], hosts: [FILE, ...]}
 *   zones: [{name, file, records: [RECORD, ...]}, ...]
 * </pre>
 */
final class ConfigurationReader {
    private static final int MAX_THREADS = 256;
    private static final int MAX_COUNT = 1_000_000;

    private ConfigurationReader() {}

    static Configuration read(Path file, Configuration defaults) throws ConfigException {
        return read(ConfigSection.root(file.toString(), ConfigParser.read(file)), defaults);
    }

    static Configuration read(ConfigSection root, Configuration d) throws ConfigException {
        final int workers = root.integer("workers", 1, MAX_THREADS, d.udp().threads());
        final ConfigSection resolver = root.section("resolver");
        final ConfigSection cache = root.section("cache");
        final List<InetSocketAddress> forward =
                root.list("forward", ConfigValues::upstream, d.forward());
        final Configuration result =
                new Configuration(
                        root.list("listen", ConfigValues::listener, d.listen()),
                        forward,
                        CacheConfiguration.options(cache, d.cache()),
                        udp(root.section("udp"), d.udp(), workers),
                        tcp(root.section("tcp"), d.tcp(), workers),
                        access(root.section("access"), d.access()),
                        rateLimit(root.section("rate-limit"), d.rateLimit()),
                        identity(root.section("identity"), d.identity()),
                        resolving(resolver, d.resolving()),
                        CacheConfiguration.caching(cache, d),
                        CacheConfiguration.subnets(root.section("ecs"), d.subnets()),
                        admin(root.section("admin"), d.admin()),
                        RecursionConfiguration.read(
                                resolver, root.section("local"), d.recursion()));
        resolver.finish();
        cache.finish();
        root.finish();
        return result;
    }

    private static Configuration.Admin admin(ConfigSection section, Configuration.Admin d)
            throws ConfigException {
        final InetSocketAddress listen = section.value("listen", ConfigValues::admin, d.listen());
        section.finish();
        return new Configuration.Admin(listen);
    }

    /** A cache budget in octets. */
    static long cacheSize(String text) {
        return CacheConfiguration.size(text);
    }

    private static UdpOptions udp(ConfigSection section, UdpOptions d, int workers)
            throws ConfigException {
        final UdpEngine engine = section.value("engine", ConfigurationReader::engine, d.engine());
        final int buffer =
                section.value(
                        "receive-buffer",
                        text -> (int) Math.min(1 << 30, ConfigValues.size(text)),
                        d.receiveBuffer());
        section.finish();
        return new UdpOptions(engine, workers, buffer);
    }

    private static UdpEngine engine(String text) {
        return switch (text) {
            case "auto" -> UdpEngine.preferred();
            case "nio" -> UdpEngine.NIO;
            case "ffm" -> {
                if (UdpEngine.FFM.isSupported()) {
                    yield UdpEngine.FFM;
                }
                throw new IllegalArgumentException(
                        "auto or nio here, for ffm needs Linux with glibc on x86-64 or aarch64");
            }
            default -> throw new IllegalArgumentException("auto, ffm or nio");
        };
    }

    private static TcpOptions tcp(ConfigSection section, TcpOptions d, int workers)
            throws ConfigException {
        final TcpOptions options =
                new TcpOptions(
                        workers,
                        section.duration("idle-timeout", d.idleTimeout()),
                        section.integer("max-connections", 1, MAX_COUNT, d.maxConnections()),
                        section.integer("max-in-flight", 1, MAX_COUNT, d.maxInFlight()));
        section.finish();
        return options;
    }

    private static List<String> access(ConfigSection section, List<String> d)
            throws ConfigException {
        final List<String> allow = section.list("allow", ConfigurationReader::network, d);
        section.finish();
        return allow;
    }

    private static String network(String text) {
        try {
            AccessList.of(List.of(text));
            return text;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "a network such as 192.0.2.0/24 or 2001:db8::/32, no bits set behind the prefix",
                    e);
        }
    }

    private static Configuration.RateLimit rateLimit(
            ConfigSection section, Configuration.RateLimit d) throws ConfigException {
        final int perSecond = section.integer("per-second", 0, MAX_COUNT, d.perSecond());
        final int burst =
                section.integer("burst", 1, MAX_COUNT, Math.max(1, Math.max(d.burst(), perSecond)));
        section.finish();
        return new Configuration.RateLimit(perSecond, burst);
    }

    private static Configuration.IdentityTexts identity(
            ConfigSection section, Configuration.IdentityTexts d) throws ConfigException {
        final Configuration.IdentityTexts texts =
                new Configuration.IdentityTexts(
                        section.text("version", d.version()), section.text("id", d.id()));
        section.finish();
        return texts;
    }

    private static Configuration.Resolving resolving(
            ConfigSection section, Configuration.Resolving d) throws ConfigException {
        final Configuration.Resolving resolving =
                new Configuration.Resolving(
                        section.duration("timeout", d.timeout()),
                        section.integer("max-waiting", 1, MAX_COUNT, d.maxWaiting()));
        return resolving;
    }
}
