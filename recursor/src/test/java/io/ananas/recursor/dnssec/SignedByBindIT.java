package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.testkit.MemoryZone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Master;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/** A zone that BIND's {@code dnssec-signzone} has signed: every RRset of it holds here. */
class SignedByBindIT {
    private static final String ZONE =
            """
            $TTL 300
            @ SOA ns hostmaster 1 3600 600 86400 60
            @ NS ns
            ns A 192.0.2.53
            WwW A 192.0.2.1
            www A 192.0.2.2
            www AAAA 2001:db8::1
            @ MX 10 Mail.Example.TEST.
            @ MX 20 mail2
            _sip._udp SRV 1 2 5060 SIP.example.test.
            n NAPTR 1 2 "u" "E2U+sip" "!^.*$!sip:a@example.test!" Replacement
            t TXT "one" "two" "three"
            *.wild A 192.0.2.3
            a.b.ent A 192.0.2.4
            d DNAME Other.Test.
            c CNAME WWW
            unknown TYPE65280 \\# 3 414243
            svc HTTPS 1 . alpn=h2
            cut NS ns.cut
            ns.cut A 192.0.2.5
            """;

    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({
        "RSASHA256, false",
        "RSASHA512, true",
        "ECDSAP256SHA256, true",
        "ECDSAP384SHA384, false",
        "ED25519, false",
        "ED25519, true",
        "ED448, true"
    })
    void everyRrsetHolds(String algorithm, boolean nsec3) throws Exception {
        requireBind();
        Files.writeString(directory.resolve("zone"), ZONE);
        run("dnssec-keygen", "-q", "-a", algorithm, "-f", "KSK", "example.test");
        run("dnssec-keygen", "-q", "-a", algorithm, "example.test");
        final List<String> sign = new ArrayList<>(List.of("dnssec-signzone", "-q", "-P", "-S"));
        sign.addAll(List.of("-s", "20310501000000", "-e", "20310601000000", "-o", "example.test"));
        if (nsec3) {
            sign.addAll(List.of("-3", "abcd", "-H", "7"));
        }
        sign.add("zone");
        run(sign.toArray(String[]::new));
        final Map<String, List<Record>> sets = read(directory.resolve("zone.signed"));
        final List<Dnskey> keys = ZoneKeys.parse(set(sets, "example.test.", RecordType.DNSKEY));
        final TrustAnchors anchors = TrustAnchors.file(dsFile());
        final TrustPoint point = anchors.at(Name.of("example.test"));
        assertThat(point).isNotNull();
        if (point != null) {
            assertThat(ZoneKeys.entryPoints(point, keys, work())).hasSize(1);
        }
        int held = 0;
        for (final String key : sets.keySet()) {
            final String[] words = key.split(" ", -1);
            final Rrset set = set(sets, words[0], Integer.parseInt(words[1]));
            if (!set.signatures().isEmpty()) {
                assertThat(new RrsetVerifier(1).verify(set, Name.of("example.test"), keys, work()))
                        .as(key)
                        .isInstanceOf(Valid.class);
                held++;
            }
        }
        assertThat(held).isGreaterThan(25);
    }

    private static void requireBind() {
        final boolean there =
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(it -> Files.isExecutable(Path.of(it, "dnssec-signzone")));
        if ("true".equals(System.getenv("CI"))) {
            assertThat(there).as("dnssec-signzone of bind9-utils").isTrue();
        }
        assumeTrue(there, "dnssec-signzone is not installed (Debian: bind9-utils)");
    }

    private void run(String... command) throws IOException, InterruptedException {
        final Path log = directory.resolve("log");
        final Process process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
    }

    private Path dsFile() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(it -> it.getFileName().toString().startsWith("dsset-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Map<String, List<Record>> read(Path file) throws IOException {
        final Map<String, List<Record>> sets = new LinkedHashMap<>();
        try (Master master =
                new Master(file.toString(), MemoryZone.name("example.test"), MemoryZone.TTL)) {
            for (Record it = master.nextRecord(); it != null; it = master.nextRecord()) {
                final int type =
                        it instanceof RRSIGRecord signature
                                ? signature.getTypeCovered()
                                : it.getType();
                sets.computeIfAbsent(
                                it.getName().toString().toLowerCase(java.util.Locale.ROOT)
                                        + " "
                                        + type,
                                key -> new ArrayList<>())
                        .add(it);
            }
        }
        return sets;
    }

    private static Rrset set(Map<String, List<Record>> sets, String owner, int type) {
        final List<byte[]> rdata = new ArrayList<>();
        final List<Rrsig> signatures = new ArrayList<>();
        for (final Record it : sets.getOrDefault(owner + " " + type, List.of())) {
            final byte[] whole = it.toWire(Section.ANSWER);
            final byte[] octets =
                    Arrays.copyOfRange(whole, it.getName().length() + 10, whole.length);
            final Rrsig signature = it.getType() == RecordType.RRSIG ? Rrsig.parse(octets) : null;
            if (signature != null) {
                signatures.add(signature);
            } else {
                rdata.add(octets);
            }
        }
        return new Rrset(Name.of(owner), type, 300, rdata, signatures, List.of());
    }

    private static Work work() {
        return new Work(
                ValidationLimits.DEFAULT,
                new ValidationStatistics(),
                (name, type) -> null,
                MemoryZone.NOW.getEpochSecond());
    }
}
