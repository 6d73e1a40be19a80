package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.testkit.MemoryZone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** What a set of NSEC or NSEC3 records proves, and what it must not be taken to prove. */
class DenialProofTest {
    private static final Name ZONE = Name.of("example.test");

    private static Name name(String label) {
        return label.equals("@") ? ZONE : Name.of(label + ".example.test");
    }

    /** NSEC records from lines such as {@code "b d A RRSIG NSEC"}: owner, next, types. */
    private static NsecProof nsec(String... lines) {
        final List<Nsec> records = new ArrayList<>();
        for (final String line : lines) {
            final String[] words = line.split(" ", -1);
            final int[] types = new int[words.length - 2];
            for (int i = 2; i < words.length; i++) {
                types[i - 2] = words[i].equals("NXNAME") ? 128 : Type.value(words[i]);
            }
            final Record record =
                    MemoryZone.nsec(
                            MemoryZone.name(name(words[0]).toString()),
                            MemoryZone.name(name(words[1]).toString()),
                            types);
            final Nsec nsec = Nsec.parse(name(words[0]), record.rdataToWireCanonical());
            if (nsec != null) {
                records.add(nsec);
            }
        }
        assertThat(records).hasSize(lines.length);
        return new NsecProof(ZONE, records);
    }

    @Test
    void aRangeDeniesWhatIsInIt() {
        final NsecProof proof = nsec("b d A RRSIG NSEC", "@ b NS SOA RRSIG NSEC");
        assertThat(proof.nameError(name("c"))).isEqualTo(Proof.PROVEN);
        assertThat(proof.nameError(name("x.b"))).as("*.b is denied too").isEqualTo(Proof.PROVEN);
        assertThat(proof.nameError(name("b"))).isEqualTo(Proof.NONE);
        assertThat(proof.nameError(name("d"))).isEqualTo(Proof.NONE);
        assertThat(proof.nameError(name("e"))).isEqualTo(Proof.NONE);
        assertThat(proof.nameError(Name.of("c.other.test"))).isEqualTo(Proof.NONE);
        assertThat(nsec("b d A RRSIG NSEC").nameError(name("c")))
                .as("*.example.test is not denied")
                .isEqualTo(Proof.NONE);
    }

    @Test
    void theLastRangeEndsAtTheApex() {
        final NsecProof proof = nsec("x @ A RRSIG NSEC", "@ b NS SOA RRSIG NSEC");
        assertThat(proof.nameError(name("y"))).isEqualTo(Proof.PROVEN);
        assertThat(proof.nameError(name("c"))).isEqualTo(Proof.NONE);
        assertThat(proof.nameError(Name.of("zz.test"))).isEqualTo(Proof.NONE);
    }

    @Test
    void aZoneCutSaysNothingOfNamesBelow() {
        final NsecProof cut = nsec("b d NS RRSIG NSEC", "@ b NS SOA RRSIG NSEC");
        assertThat(cut.nameError(name("www.b"))).isEqualTo(Proof.NONE);
        assertThat(cut.noData(name("b"), RecordType.A)).isEqualTo(Proof.NONE);
        assertThat(cut.noData(name("b"), RecordType.DS)).isEqualTo(Proof.PROVEN);
        assertThat(cut.nameError(name("c"))).isEqualTo(Proof.PROVEN);
        assertThat(cut.noCloserMatch(name("www.b"), ZONE)).isEqualTo(Proof.NONE);
        assertThat(cut.delegation(name("b"))).isEqualTo(Delegation.INSECURE);
        assertThat(cut.delegation(name("sub.b"))).isEqualTo(Delegation.UNPROVEN);
    }

    @Test
    void aDnameSaysNothingOfNamesBelow() {
        final NsecProof dname = nsec("b d DNAME RRSIG NSEC", "@ b NS SOA RRSIG NSEC");
        assertThat(dname.nameError(name("www.b"))).isEqualTo(Proof.NONE);
        assertThat(dname.noData(name("b"), RecordType.A)).isEqualTo(Proof.PROVEN);
    }

    @Test
    void aNameWithCnameHasEveryType() {
        assertThat(nsec("b d CNAME RRSIG NSEC").noData(name("b"), RecordType.A))
                .isEqualTo(Proof.NONE);
    }

    @Test
    void onlyTheParentDeniesDs() {
        final NsecProof apex = nsec("@ b NS SOA RRSIG NSEC DNSKEY");
        assertThat(apex.noData(ZONE, RecordType.DS)).isEqualTo(Proof.NONE);
        assertThat(apex.noData(ZONE, RecordType.MX)).isEqualTo(Proof.PROVEN);
        assertThat(apex.delegation(ZONE)).isEqualTo(Delegation.UNPROVEN);
        assertThat(nsec("b d NS DS RRSIG NSEC").delegation(name("b")))
                .isEqualTo(Delegation.UNPROVEN);
        assertThat(nsec("b d A RRSIG NSEC").delegation(name("b"))).isEqualTo(Delegation.NO_CUT);
        assertThat(nsec("b d A RRSIG NSEC").delegation(name("c"))).isEqualTo(Delegation.NO_NAME);
        assertThat(nsec("b x.y.d A RRSIG NSEC").delegation(name("d"))).isEqualTo(Delegation.NO_CUT);
    }

    @Test
    void emptyNonTerminalsExistWithoutTypes() {
        final NsecProof proof = nsec("b x.y.d A RRSIG NSEC", "@ b NS SOA RRSIG NSEC");
        assertThat(proof.noData(name("d"), RecordType.A)).isEqualTo(Proof.PROVEN);
        assertThat(proof.noData(name("y.d"), RecordType.A)).isEqualTo(Proof.PROVEN);
        assertThat(proof.nameError(name("d"))).isEqualTo(Proof.NONE);
        assertThat(proof.nameError(name("a.d")))
                .as("*.d is denied by the same")
                .isEqualTo(Proof.PROVEN);
        assertThat(proof.noData(name("c"), RecordType.A)).isEqualTo(Proof.NONE);
    }

    @Test
    void aWildcardWithoutTheType() {
        final NsecProof proof = nsec("* b A RRSIG NSEC", "b d A RRSIG NSEC");
        assertThat(proof.noData(name("c"), RecordType.MX)).isEqualTo(Proof.PROVEN);
        assertThat(proof.noData(name("c"), RecordType.A)).isEqualTo(Proof.NONE);
        assertThat(proof.nameError(name("c"))).isEqualTo(Proof.NONE);
        assertThat(proof.noCloserMatch(name("c"), ZONE)).isEqualTo(Proof.PROVEN);
        assertThat(proof.noCloserMatch(name("x.b"), ZONE))
                .as("b exists, so *.example.test does not stand for names below it")
                .isEqualTo(Proof.NONE);
        assertThat(proof.noCloserMatch(name("x.b"), name("b"))).isEqualTo(Proof.PROVEN);
        assertThat(proof.noCloserMatch(name("b"), ZONE)).isEqualTo(Proof.NONE);
    }

    @Test
    void compactDenial() {
        final NsecProof proof = nsec("b \\000.b RRSIG NSEC NXNAME");
        assertThat(proof.noData(name("b"), RecordType.A)).isEqualTo(Proof.PROVEN);
        assertThat(proof.nameError(name("b"))).isEqualTo(Proof.PROVEN);
        assertThat(proof.delegation(name("b"))).isEqualTo(Delegation.NO_NAME);
        assertThat(proof.nameError(name("c"))).isEqualTo(Proof.NONE);
    }

    /** The example zone of RFC 5155, appendix A, as its own test zone: the same hashes. */
    @ParameterizedTest
    @CsvSource({
        "a, b, c, false",
        "a, c, b, true",
        "c, a, b, false",
        "c, a, d, true",
        "c, a, 0, true",
        "a, a, b, true",
        "a, a, a, false",
        "a, b, a, false",
        "a, b, b, false"
    })
    void ringOfHashes(String from, String to, String hash, boolean covered) {
        final byte[] next = hash(to);
        final byte[] rdata = new byte[6 + 20];
        rdata[0] = 1;
        rdata[5] = 20;
        System.arraycopy(next, 0, rdata, 6, 20);
        final Nsec3 nsec3 = Nsec3.parse(ZONE, name(Base32Hex.encode(hash(from))), rdata);
        assertThat(nsec3).isNotNull();
        if (nsec3 != null) {
            assertThat(nsec3.covers(hash(hash))).isEqualTo(covered);
            assertThat(nsec3.matches(hash(from))).isTrue();
        }
    }

    private static byte[] hash(String digit) {
        final byte[] hash = new byte[20];
        java.util.Arrays.fill(hash, (byte) Integer.parseInt(digit + digit, 16));
        return hash;
    }

    @Test
    void nsec3RecordsToBeIgnored() {
        final byte[] sound = new byte[26];
        sound[0] = 1;
        sound[5] = 20;
        final Name owner = name(Base32Hex.encode(hash("a")));
        assertThat(Nsec3.parse(ZONE, owner, sound)).isNotNull();
        assertThat(Nsec3.parse(Name.of("test"), owner, sound)).isNull();
        assertThat(Nsec3.parse(ZONE, name("nohash"), sound)).isNull();
        for (final int[] change : new int[][] {{0, 2}, {1, 2}, {4, 30}, {5, 19}}) {
            final byte[] odd = sound.clone();
            odd[change[0]] = (byte) change[1];
            assertThat(Nsec3.parse(ZONE, owner, odd)).isNull();
        }
    }

    private static Nsec3Proof nsec3(MemoryZone zone, String... names) {
        final List<Nsec3> records = new ArrayList<>();
        for (final String name : names) {
            final boolean at = name.startsWith("=");
            final org.xbill.DNS.Name target = MemoryZone.name(name(name.substring(1)).toString());
            final org.xbill.DNS.RRset set = at ? zone.nsec3At(target) : zone.nsec3Covering(target);
            if (set == null) {
                throw new IllegalArgumentException(name);
            }
            final Nsec3 nsec3 =
                    Nsec3.parse(
                            ZONE,
                            Name.of(set.getName().toString()),
                            set.first().rdataToWireCanonical());
            if (nsec3 != null) {
                records.add(nsec3);
            }
        }
        return new Nsec3Proof(
                ZONE,
                records,
                new Work(
                        ValidationLimits.DEFAULT,
                        new ValidationStatistics(),
                        (n, t) -> null,
                        MemoryZone.NOW.getEpochSecond()));
    }

    private static MemoryZone hashedZone() {
        return MemoryZone.signed("example.test", 13)
                .nsec3(1, "ab", false)
                .add("cut NS ns.cut")
                .add("dname DNAME other.test.")
                .add("alias CNAME www")
                .add("*.wild A 192.0.2.1")
                .add("www A 192.0.2.2");
    }

    @Test
    void nsec3OfAZoneCutOrDnameEnclosesNothing() {
        final MemoryZone zone = hashedZone();
        assertThat(nsec3(zone, "=cut", "?x.cut", "?*.cut").nameError(name("x.cut")))
                .isEqualTo(Proof.NONE);
        assertThat(nsec3(zone, "=dname", "?x.dname", "?*.dname").nameError(name("x.dname")))
                .isEqualTo(Proof.NONE);
        assertThat(nsec3(zone, "=www", "?x.www", "?*.www").nameError(name("x.www")))
                .isEqualTo(Proof.PROVEN);
        assertThat(nsec3(zone, "=cut").noData(name("cut"), RecordType.A)).isEqualTo(Proof.NONE);
        assertThat(nsec3(zone, "=cut").noData(name("cut"), RecordType.DS)).isEqualTo(Proof.PROVEN);
        assertThat(nsec3(zone, "=cut").delegation(name("cut"))).isEqualTo(Delegation.INSECURE);
        assertThat(nsec3(zone, "=cut", "?x.cut").delegation(name("x.cut")))
                .isEqualTo(Delegation.UNPROVEN);
        assertThat(nsec3(zone, "=alias").noData(name("alias"), RecordType.A)).isEqualTo(Proof.NONE);
        assertThat(nsec3(zone, "=@").noData(ZONE, RecordType.DS)).isEqualTo(Proof.NONE);
        assertThat(nsec3(zone, "=@").noData(ZONE, RecordType.MX)).isEqualTo(Proof.PROVEN);
    }

    @Test
    void everyPartOfAClosestEncloserProofIsNeeded() {
        final MemoryZone zone = hashedZone();
        final String[] parts = {"=@", "?nx", "?*"};
        assertThat(nsec3(zone, parts).nameError(name("nx"))).isEqualTo(Proof.PROVEN);
        assertThat(nsec3(zone, parts).nameError(name("a.b.nx"))).isEqualTo(Proof.PROVEN);
        for (int left = 0; left < parts.length; left++) {
            final List<String> fewer = new ArrayList<>(List.of(parts));
            fewer.remove(left);
            final Nsec3Proof proof = nsec3(zone, fewer.toArray(String[]::new));
            final boolean same =
                    left > 0
                            && zone.nsec3Covering(MemoryZone.name("nx.example.test"))
                                    .equals(zone.nsec3Covering(MemoryZone.name("*.example.test")));
            assertThat(proof.nameError(name("nx")))
                    .as("without " + parts[left])
                    .isEqualTo(same ? Proof.PROVEN : Proof.NONE);
        }
        assertThat(nsec3(zone, "=wild", "?x.wild", "=*.wild").noData(name("x.wild"), Type.MX))
                .isEqualTo(Proof.PROVEN);
        assertThat(nsec3(zone, "=wild", "?x.wild", "=*.wild").noData(name("x.wild"), Type.A))
                .isEqualTo(Proof.NONE);
        assertThat(nsec3(zone, "?x.wild").noCloserMatch(name("x.wild"), name("wild")))
                .isEqualTo(Proof.PROVEN);
        assertThat(nsec3(zone, "=www").noCloserMatch(name("www"), ZONE)).isEqualTo(Proof.NONE);
    }

    /** The NSEC3 records of the zone in RFC 5155, appendix A, by owner: next and types. */
    private static final Map<String, String> RFC_5155 =
            Map.ofEntries(
                    Map.entry(
                            "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom",
                            "2t7b4g4vsa5smi47k61mv5bv1a22bojr MX DNSKEY NS SOA NSEC3PARAM RRSIG"),
                    Map.entry(
                            "2t7b4g4vsa5smi47k61mv5bv1a22bojr",
                            "2vptu5timamqttgl4luu9kg21e0aor3s A RRSIG"),
                    Map.entry(
                            "2vptu5timamqttgl4luu9kg21e0aor3s",
                            "35mthgpgcu1qg68fab165klnsnk3dpvl MX RRSIG"),
                    Map.entry(
                            "35mthgpgcu1qg68fab165klnsnk3dpvl",
                            "b4um86eghhds6nea196smvmlo4ors995 NS DS RRSIG"),
                    Map.entry(
                            "b4um86eghhds6nea196smvmlo4ors995",
                            "gjeqe526plbf1g8mklp59enfd789njgi MX RRSIG"),
                    Map.entry(
                            "ji6neoaepv8b5o6k4ev33abha8ht9fgc", "k8udemvp1j2f7eg6jebps17vp3n8i58h"),
                    Map.entry(
                            "k8udemvp1j2f7eg6jebps17vp3n8i58h", "kohar7mbb8dc2ce8a9qvl8hon4k53uhi"),
                    Map.entry(
                            "q04jkcevqvmu85r014c7dkba38o0ji5r",
                            "r53bq7cc2uvmubfu5ocmm6pers9tk9en A RRSIG"),
                    Map.entry(
                            "r53bq7cc2uvmubfu5ocmm6pers9tk9en",
                            "t644ebqk9bibcna874givr6joj62mlhv MX RRSIG"));

    private static Nsec3Proof rfc5155(String... prefixes) {
        final List<Nsec3> records = new ArrayList<>();
        for (final String prefix : prefixes) {
            for (final Map.Entry<String, String> it : RFC_5155.entrySet()) {
                if (it.getKey().startsWith(prefix)) {
                    final Record record =
                            MemoryZone.record(
                                    it.getKey()
                                            + ".example. NSEC3 1 1 12 aabbccdd "
                                            + it.getValue());
                    final Nsec3 nsec3 =
                            Nsec3.parse(
                                    Name.of("example"),
                                    Name.of(it.getKey() + ".example"),
                                    record.rdataToWireCanonical());
                    if (nsec3 != null) {
                        records.add(nsec3);
                    }
                }
            }
        }
        assertThat(records).hasSize(prefixes.length);
        return new Nsec3Proof(
                Name.of("example"),
                records,
                new Work(
                        ValidationLimits.DEFAULT,
                        new ValidationStatistics(),
                        (n, t) -> null,
                        MemoryZone.NOW.getEpochSecond()));
    }

    /** RFC 5155, appendix B, section by section. The zone is signed with opt-out. */
    @Test
    void theExamplesOfRfc5155() {
        assertThat(rfc5155("0p9m", "b4um", "35mt").nameError(Name.of("a.c.x.w.example")))
                .as("B.1")
                .isEqualTo(Proof.OPT_OUT);
        assertThat(rfc5155("b4um", "0p9m").nameError(Name.of("a.c.x.w.example")))
                .isEqualTo(Proof.NONE);
        assertThat(rfc5155("2t7b").noData(Name.of("ns1.example"), Type.MX))
                .as("B.2")
                .isEqualTo(Proof.PROVEN);
        assertThat(rfc5155("ji6n").noData(Name.of("y.w.example"), Type.A))
                .as("B.2.1")
                .isEqualTo(Proof.PROVEN);
        assertThat(rfc5155("35mt", "0p9m").delegation(Name.of("c.example")))
                .as("B.3")
                .isEqualTo(Delegation.INSECURE);
        assertThat(rfc5155("q04j").noCloserMatch(Name.of("a.z.w.example"), Name.of("w.example")))
                .as("B.4")
                .isEqualTo(Proof.OPT_OUT);
        assertThat(rfc5155("k8ud", "q04j", "r53b").noData(Name.of("a.z.w.example"), Type.AAAA))
                .as("B.5")
                .isEqualTo(Proof.OPT_OUT);
        assertThat(rfc5155("k8ud", "q04j", "r53b").noData(Name.of("a.z.w.example"), Type.MX))
                .isEqualTo(Proof.NONE);
        assertThat(rfc5155("0p9m").noData(Name.of("example"), Type.DS))
                .as("B.6: from the child, which cannot deny it")
                .isEqualTo(Proof.NONE);
    }
}
