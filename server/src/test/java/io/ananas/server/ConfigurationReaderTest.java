package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.cache.TtlBounds;
import io.ananas.message.Name;
import io.ananas.recursor.Limits;
import io.ananas.recursor.LocalZones;
import io.ananas.recursor.RecursorOptions;
import io.ananas.transport.UdpEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationReaderTest {
    private static Configuration read(String yaml) throws ConfigException {
        return ConfigurationReader.read(
                ConfigSection.root("a.yaml", ConfigParser.parse("a.yaml", yaml)),
                Configuration.defaults());
    }

    @Test
    void everyKeyIsRead() throws ConfigException {
        final Configuration c =
                read(
                        """
                        # a comment
                        listen: [127.0.0.1:5301, "[::1]:5302", 127.0.0.2]
                        forward:
                          - 192.0.2.1
                          - 192.0.2.2:5353
                          - 2001:db8::1
                          - 192.0.2.3@54
                        workers: 3
                        cache:
                          size: 64MiB
                          min-ttl: 1
                          max-ttl: 3600
                          min-negative-ttl: 2
                          max-negative-ttl: 600
                          rotate: no
                          huge-pages: false
                          max-entry: 20000
                        udp: {engine: nio, receive-buffer: 1MiB}
                        tcp: {idle-timeout: 5s, max-connections: 100, max-in-flight: 7}
                        access:
                          allow: 192.0.2.0/24
                        rate-limit: {per-second: 50, burst: 100}
                        identity: {version: v, id: i}
                        resolver: {timeout: 900ms, max-waiting: 55}
                        """);
        assertThat(c.listen())
                .extracting(io.ananas.transport.Addresses::format)
                .containsExactly("127.0.0.1:5301", "[::1]:5302", "127.0.0.2:5300");
        assertThat(c.forward())
                .extracting(io.ananas.transport.Addresses::format)
                .containsExactly(
                        "192.0.2.1:53", "192.0.2.2:5353", "[2001:db8::1]:53", "192.0.2.3:54");
        assertThat(c.cache().size()).isEqualTo(64 << 20);
        assertThat(c.cache().bounds().minTtl()).isEqualTo(1);
        assertThat(c.cache().bounds().maxTtl()).isEqualTo(3_600);
        assertThat(c.cache().bounds().minNegativeTtl()).isEqualTo(2);
        assertThat(c.cache().bounds().maxNegativeTtl()).isEqualTo(600);
        assertThat(c.cache().rotate()).isFalse();
        assertThat(c.cache().hugePages()).isFalse();
        assertThat(c.cache().maxEntry()).isEqualTo(20_000);
        assertThat(c.udp().engine()).isEqualTo(UdpEngine.NIO);
        assertThat(c.udp().threads()).isEqualTo(3);
        assertThat(c.udp().receiveBuffer()).isEqualTo(1 << 20);
        assertThat(c.tcp().idleTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(c.tcp().maxConnections()).isEqualTo(100);
        assertThat(c.tcp().maxInFlight()).isEqualTo(7);
        assertThat(c.access()).isEqualTo(List.of("192.0.2.0/24"));
        assertThat(c.rateLimit()).isEqualTo(new Configuration.RateLimit(50, 100));
        assertThat(c.identity()).isEqualTo(new Configuration.IdentityTexts("v", "i"));
        assertThat(c.resolving())
                .isEqualTo(new Configuration.Resolving(Duration.ofMillis(900), 55));
    }

    @Test
    void whatConcernsTheCache() throws ConfigException {
        final Configuration c =
                read(
                        """
                        cache:
                          min-ttl: 5
                          max-answer-ttl: 600
                          serve-stale: {max-age: 2h, answer-ttl: 20, client-timeout: 1s}
                          prefetch: {rate: 7}
                          zones:
                            - {name: example.com, max-ttl: 60}
                            - {name: example.net, min-negative-ttl: 9}
                          snapshot: {file: /tmp/ananas.snapshot, interval: 5m}
                        ecs: {zones: [cdn.example], upstreams: ["192.0.2.1:53"], ipv4-prefix: 20}
                        admin: {listen: "127.0.0.1:5381"}
                        """);
        assertThat(c.cache().maxAnswerTtl()).isEqualTo(600);
        assertThat(c.cache().stale().maxAge()).isEqualTo(7_200);
        assertThat(c.cache().stale().answerTtl()).isEqualTo(20);
        assertThat(c.caching().clientTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(c.caching().renewals()).isEqualTo(7);
        assertThat(c.caching().zones()).hasSize(2);
        assertThat(c.caching().zones().getFirst().bounds())
                .isEqualTo(new TtlBounds(5, 60, 0, 10_800));
        assertThat(c.caching().zones().getLast().bounds())
                .isEqualTo(new TtlBounds(5, 86_400, 9, 10_800));
        assertThat(c.caching().snapshot()).isEqualTo(Path.of("/tmp/ananas.snapshot"));
        assertThat(c.caching().snapshotInterval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(c.subnets().isOn()).isTrue();
        assertThat(c.subnets().prefix(4)).isEqualTo(20);
        assertThat(c.subnets().prefix(16)).isEqualTo(56);
        assertThat(c.subnets().tells(ConfigValues.upstream("192.0.2.1"))).isTrue();
        assertThat(c.subnets().tells(ConfigValues.upstream("192.0.2.2"))).isFalse();
        assertThat(c.admin().listen()).isEqualTo(ConfigValues.admin("127.0.0.1:5381"));
        final Configuration off =
                read("cache: {serve-stale: {enabled: false}, prefetch: {enabled: false}}");
        assertThat(off.cache().stale().maxAge()).isZero();
        assertThat(off.caching().renewals()).isZero();
    }

    @Test
    void recursionIsConfigured() throws ConfigException {
        final Configuration c =
                read(
                        """
                        resolver:
                          root-hints:
                            - {name: a.root.example, address: [192.0.2.1, "2001:db8::1"]}
                            - b.root.example 127.0.0.1@5353
                          trust-anchors: ["example. DS 1 8 2 00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"]
                          insecure: [one.example, {name: two.example, until: "2027-01-31T00:00:00Z"}]
                          qname-minimisation: off
                          case-randomisation: true
                          cookies: false
                          ipv6: false
                          query-local-networks: true
                          answer: full
                          payload-size: 1400
                          timeout: 3s
                          max-waiting: 77
                          aggressive-nsec: false
                          stub-zones: [{name: stub.example, servers: [10.0.0.1, "10.0.0.2@54"]}]
                          forward-zones: [{name: fwd.example, servers: 10.0.0.3, fallback: true}]
                          limits: {upstream-queries: 40, server-lookups: 3, alias-steps: 8}
                          validation: {keys-per-tag: 2, bogus-time: 10s}
                        local:
                          special-names-except: [onion]
                          records: [nas.example. A 192.0.2.9]
                          zones: [{name: lan.example, records: ["www A 192.0.2.8"]}]
                        """);
        final RecursorOptions o = c.recursion().options();
        assertThat(o.rootHints().size()).isEqualTo(2);
        assertThat(o.minimisation()).isEqualTo(RecursorOptions.Minimisation.OFF);
        assertThat(o.caseRandomisation()).isTrue();
        assertThat(o.cookies()).isFalse();
        assertThat(o.ipv4()).isTrue();
        assertThat(o.ipv6()).isFalse();
        assertThat(o.queryLocalNetworks()).isTrue();
        assertThat(o.fullAnswers()).isTrue();
        assertThat(o.payloadSize()).isEqualTo(1_400);
        assertThat(o.zones())
                .extracting(zone -> zone.name() + " " + zone.forward() + " " + zone.fallback())
                .containsExactly("stub.example. false false", "fwd.example. true true");
        assertThat(o.zones().getFirst().servers()).hasSize(2);
        assertThat(RecursionConfiguration.with(o.limits(), c.resolving()))
                .isEqualTo(new Limits(40, 3, 8, 10, 8, Duration.ofSeconds(3), 77));
        final RecursionSettings.Validation v = c.recursion().validation();
        assertThat(v.anchors().zones()).containsExactly(Name.of("example"));
        assertThat(v.insecure())
                .containsEntry(Name.of("one.example"), Instant.MAX)
                .containsEntry(Name.of("two.example"), Instant.parse("2027-01-31T00:00:00Z"));
        assertThat(v.aggressive()).isFalse();
        assertThat(v.limits().keysPerTag()).isEqualTo(2);
        assertThat(v.limits().bogusSeconds()).isEqualTo(10);
        final LocalZones local = c.localZones();
        for (String name : List.of("nas.example", "x.lan.example", "a.local", "localhost")) {
            assertThat(local.covers(Name.of(name))).as(name).isTrue();
        }
        for (String name : List.of("a.onion", "a.test", "example", "sub.nas.example")) {
            assertThat(local.covers(Name.of(name))).as(name).isFalse();
        }
    }

    @Test
    void anEmptyFileChangesNothing() throws ConfigException {
        assertThat(read("")).isEqualTo(Configuration.defaults());
        assertThat(read("# nothing\n")).isEqualTo(Configuration.defaults());
        assertThat(read("cache: {}\n")).isEqualTo(Configuration.defaults());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    lisen: 1            | 1: found the key 'lisen', expected one of access, admin, cache,
                    #\\ncache:\\n  sise: 1 | 3: found the key 'cache.sise', expected one of huge-pages,
                    cache: {size: many} | 1: cache.size: found 'many', expected a size such as 256MiB
                    cache: {size: 4}    | 1: cache.size: found '4', expected at least
                    #\\n\\nworkers: 0     | 3: workers: found '0', expected a number from 1 to 256
                    workers: [1, 2]     | 1: workers: found a list, expected a single value
                    cache: 7            | 1: cache: found '7', expected a section
                    listen: nowhere     | 1: listen: found 'nowhere', expected an address such as
                    listen:\\n - ::1\\n - x | 3: listen: found 'x', expected an address such as
                    listen: 127.0.0.1:99999 | 1: listen: found '127.0.0.1:99999', expected a number
                    udp: {engine: fast} | 1: udp.engine: found 'fast', expected auto, ffm or nio
                    tcp: {idle-timeout: 10} | 1: tcp.idle-timeout: found '10', expected a time such as
                    access: {allow: [10.0.0.1/8]} | 1: access.allow: found '10.0.0.1/8', expected a network
                    cache: {rotate: maybe} | 1: cache.rotate: found 'maybe', expected true or false
                    workers: 1\\nworkers: 2 | 2: found the key 'workers' again, expected it once
                    cache: {zones: [{max-ttl: 5}]} | 1: found no key 'cache.zones.name', which is needed here
                    cache: {zones: [{name: a..b}]} | 1: cache.zones.name: found 'a..b', expected a domain name
                    cache: {zones: [x]} | 1: cache.zones: found 'x', expected a section with keys
                    cache: {serve-stale: {max-age: 5}} | 1: cache.serve-stale.max-age: found '5', expected a time
                    cache: {serve-stale: {max-age: 73h}} | found '73h', expected a time from 1s to 72h
                    cache: {snapshot: {interval: 0s}} | found '0s', expected a time of 1s or more
                    cache: {prefetch: {speed: 1}} | found the key 'cache.prefetch.speed', expected one of enabled
                    ecs: {ipv4-prefix: 33} | 1: ecs.ipv4-prefix: found '33', expected a number from 1 to 32
                    admin: {listen: x}  | 1: admin.listen: found 'x', expected an address such as 127.0.0.1:5380
                    - a                 | 1: found a list, expected keys
                    cache: {size: [     | not YAML
                    resolver: {qname-minimisation: maybe} | 1: resolver.qname-minimisation: found 'maybe', expected off, relaxed or strict
                    resolver: {answer: long} | 1: resolver.answer: found 'long', expected full or minimal
                    resolver: {ipv4: off, ipv6: off} | 1: resolver.ipv6: found 'off', expected true
                    #\\nresolver:\\n  trust-anchors: [". DS 1"] | 3: resolver.trust-anchors: found '. DS 1', expected a DS or DNSKEY record
                    resolver: {root-hints: [a.root]} | 1: found no key 'resolver.root-hints.address'
                    resolver: {root-hints: [a.root nowhere]} | 1: resolver.root-hints.address: found 'nowhere', expected an address
                    resolver: {root-hints: [a b c]} | 1: resolver.root-hints: found 'a b c', expected name and address
                    resolver: {stub-zones: [{name: a.example}]} | 1: found no key 'resolver.stub-zones.servers'
                    resolver: {forward-zones: [{servers: [192.0.2.1]}]} | 1: found no key 'resolver.forward-zones.name'
                    resolver: {forward-zones: [{name: a, server: 192.0.2.1}]} | 1: found the key 'resolver.forward-zones.server'
                    resolver: {insecure: [a tomorrow]} | 1: resolver.insecure.until: found 'tomorrow', expected a time such as
                    resolver: {limits: {depth: 0}} | 1: resolver.limits.depth: found '0', expected a number from 1 to 32
                    resolver: {validation: {nsec3-insecure-above: 60, nsec3-bogus-above: 5}} | 1: resolver.validation.nsec3-bogus-above: found '5', expected a number from 60
                    resolver: {root-hints-file: /nowhere} | 1: resolver.root-hints-file: found '/nowhere', expected a readable file
                    resolver: {memory: 5} | 1: resolver.memory: found '5', expected at least 1MiB
                    local: {records: [nonsense]} | 1: local.records: found 'nonsense', expected a record such as
                    local: {zones: [{name: a.example, records: [b.example. A 192.0.2.1]}]} | 1: local.zones.records: found 'b.example. A 192.0.2.1', expected records of a.example
                    local: {hosts: [/nowhere]} | 1: local.hosts: found '/nowhere', expected a readable hosts file
                    cache: {max-ttl: 5, min-ttl: 6} | 1: cache.min-ttl: found '6', expected a number from 0 to 5
                    """)
    void whatIsWrongIsSaidWithItsLine(String yaml, String expected) {
        final String text = yaml.replace("\\n", "\n");
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("a.yaml:")
                .hasMessageContaining(expected);
    }

    @Test
    void aMissingFileIsNamed(@TempDir Path directory) {
        final Path file = directory.resolve("none.yaml");
        assertThatThrownBy(() -> ConfigurationReader.read(file, Configuration.defaults()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("no such file");
    }

    @ParameterizedTest
    @CsvSource({"4096, 4096", "4KiB, 4096", "4 KB, 4096", "2M, 2097152", "1GiB, 1073741824"})
    void sizes(String text, long octets) {
        assertThat(ConfigValues.size(text)).isEqualTo(octets);
    }

    @Test
    void sizesAreDescribed() {
        assertThat(ConfigValues.describeSize(256L << 20)).isEqualTo("256 MiB");
        assertThat(ConfigValues.describeSize(1L << 30)).isEqualTo("1 GiB");
        assertThat(ConfigValues.describeSize(1_000)).isEqualTo("1000 B");
    }
}
