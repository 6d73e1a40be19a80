package io.ananas.recursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is answered without asking anybody. */
class LocalZonesTest {
    private static DnsMessage ask(LocalZones zones, String name, String type) {
        final byte[] response = zones.answer(Name.of(name), RecordType.parse(type));
        assertThat(response).as(name).isNotNull();
        return DnsMessage.parse(response == null ? new byte[0] : response);
    }

    private static List<String> answer(LocalZones zones, String name, String type) {
        final DnsMessage message = ask(zones, name, type);
        assertThat(message.responseCode()).isZero();
        assertThat(message.has(MessageLayout.AA)).isTrue();
        return Lab.text(message.answer());
    }

    @Test
    void specialNamesAreNameErrorsWithSoa() {
        final LocalZones zones = LocalZones.specialNames();
        for (final String name :
                List.of(
                        "a.test",
                        "b.a.invalid",
                        "printer.local",
                        "x.onion",
                        "host.home.arpa",
                        "x.alt",
                        "1.0.0.10.in-addr.arpa",
                        "1.1.16.172.in-addr.arpa",
                        "1.1.31.172.in-addr.arpa",
                        "1.1.168.192.in-addr.arpa",
                        "1.0.64.100.in-addr.arpa",
                        "1.1.254.169.in-addr.arpa",
                        "1.2.0.192.in-addr.arpa",
                        "1.8.b.d.0.1.0.0.2.ip6.arpa",
                        "1.d.f.ip6.arpa")) {
            final DnsMessage message = ask(zones, name, "PTR");
            assertThat(message.responseCode()).as(name).isEqualTo(ResponseCode.NXDOMAIN);
            assertThat(message.has(MessageLayout.AA)).isTrue();
            assertThat(message.authority()).hasSize(1);
        }
        for (final String name :
                List.of(
                        "example.com",
                        "tests",
                        "1.1.32.172.in-addr.arpa",
                        "1.1.15.172.in-addr.arpa",
                        "1.0.128.100.in-addr.arpa",
                        "1.0.63.100.in-addr.arpa",
                        "1.c.f.ip6.arpa",
                        "arpa",
                        "com")) {
            assertThat(zones.answer(Name.of(name), RecordType.A)).as(name).isNull();
            assertThat(zones.covers(Name.of(name))).isFalse();
        }
    }

    @Test
    void localhostAndItsReverse() {
        final LocalZones zones = LocalZones.specialNames();
        assertThat(answer(zones, "localhost", "A")).containsExactly("localhost. A 127.0.0.1");
        assertThat(answer(zones, "a.b.LOCALHOST", "AAAA")).hasSize(1);
        assertThat(answer(zones, "localhost", "MX")).isEmpty();
        assertThat(answer(zones, "1.0.0.127.in-addr.arpa", "PTR"))
                .containsExactly("1.0.0.127.in-addr.arpa. PTR localhost.");
        assertThat(answer(zones, "0.0.127.in-addr.arpa", "PTR")).as("an empty node").isEmpty();
        assertThat(ask(zones, "2.0.0.127.in-addr.arpa", "PTR").responseCode())
                .isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(answer(zones, "1." + "0.".repeat(31) + "ip6.arpa", "PTR")).hasSize(1);
    }

    @Test
    void theNameOfNat64IsKnown() {
        final LocalZones zones = LocalZones.specialNames();
        assertThat(answer(zones, "ipv4only.arpa", "A")).hasSize(2);
        assertThat(answer(zones, "ipv4only.arpa", "AAAA")).isEmpty();
        assertThat(answer(zones, "170.0.0.192.in-addr.arpa", "PTR")).hasSize(1);
    }

    @Test
    void eachCanBeSwitchedOff() {
        final LocalZones zones =
                new LocalZones.Builder()
                        .specialNames()
                        .without(Name.of("localhost"))
                        .without(Name.of("test"))
                        .build();
        assertThat(zones.answer(Name.of("localhost"), RecordType.A)).isNull();
        assertThat(zones.answer(Name.of("x.localhost"), RecordType.A)).isNull();
        assertThat(zones.answer(Name.of("x.test"), RecordType.A)).isNull();
        assertThat(zones.answer(Name.of("x.onion"), RecordType.A)).isNotNull();
    }

    @Test
    void aConfiguredZoneTakesThePlaceOfASpecialName() {
        final ConfiguredZone forward =
                ConfiguredZone.forward(Name.of("home.arpa"), List.of(Lab.socket("10.0.0.1")));
        final LocalZones zones =
                new LocalZones.Builder()
                        .specialNames()
                        .without(List.of(forward))
                        .zone(Name.of("10.in-addr.arpa"), "1.0.0 PTR h.lan.")
                        .build();
        assertThat(zones.answer(Name.of("h.home.arpa"), RecordType.A)).isNull();
        assertThat(answer(zones, "1.0.0.10.in-addr.arpa", "PTR")).hasSize(1);
        assertThat(answer(zones, "10.in-addr.arpa", "NS")).isEmpty();
    }

    @Test
    void aZoneIsServedAsByAnAuthoritativeServer() {
        final LocalZones zones =
                new LocalZones.Builder()
                        .zone(
                                Name.of("lan"),
                                """
                                @ 60 SOA ns host 1 2 3 4 5
                                a.b 60 A 192.0.2.1
                                *.w 60 TXT any
                                x.w 60 A 192.0.2.2
                                c 60 CNAME a.b
                                """)
                        .build();
        assertThat(answer(zones, "a.b.lan", "A")).hasSize(1);
        assertThat(answer(zones, "b.lan", "A")).isEmpty();
        assertThat(answer(zones, "q.w.lan", "TXT")).hasSize(1);
        assertThat(answer(zones, "x.w.lan", "TXT")).isEmpty();
        assertThat(answer(zones, "c.lan", "A")).containsExactly("c.lan. CNAME a.b.lan.");
        final DnsMessage denial = ask(zones, "nx.lan", "A");
        assertThat(denial.responseCode()).isEqualTo(ResponseCode.NXDOMAIN);
        assertThat(Lab.text(denial.authority()).getFirst()).startsWith("lan. SOA ns.lan.");
    }

    @Test
    void singleRecordsLeaveNamesAroundThemAlone() {
        final LocalZones zones =
                new LocalZones.Builder().records("www.example.com. 60 A 192.0.2.1").build();
        assertThat(answer(zones, "WWW.example.com", "A")).hasSize(1);
        assertThat(answer(zones, "www.example.com", "AAAA")).isEmpty();
        assertThat(zones.answer(Name.of("example.com"), RecordType.A)).isNull();
        assertThat(zones.answer(Name.of("a.www.example.com"), RecordType.A)).isNull();
    }

    @Test
    void aHostsFile() {
        final LocalZones zones =
                new LocalZones.Builder()
                        .hosts(
                                """
                                # comment
                                192.0.2.1  one.lan one   # two names
                                192.0.2.2  one.lan
                                2001:db8::1 one.lan
                                """)
                        .build();
        assertThat(answer(zones, "one.lan", "A")).hasSize(2);
        assertThat(answer(zones, "one", "A")).hasSize(1);
        assertThat(answer(zones, "one.lan", "AAAA")).hasSize(1);
        assertThat(answer(zones, "1.2.0.192.in-addr.arpa", "PTR"))
                .containsExactly("1.2.0.192.in-addr.arpa. PTR one.lan.");
        assertThatThrownBy(() -> new LocalZones.Builder().hosts("\n192.0.2.999 a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2 of the hosts file");
        assertThatThrownBy(() -> new LocalZones.Builder().hosts("192.0.2.9"))
                .hasMessageContaining("at least one name");
    }

    @Test
    void aRecordOutsideItsZoneIsRefused() {
        assertThatThrownBy(() ->
                        new LocalZones.Builder()
                                .zone(Name.of("lan"), "www.example.com. 60 A 192.0.2.1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not below it");
    }

    @Test
    void aLocalAliasIsFollowedIntoTheWorld() {
        final Lab lab = new Lab();
        lab.options(
                lab.options()
                        .withLocalZones(
                                new LocalZones.Builder()
                                        .records("search.example. 60 CNAME safe.a.test.")
                                        .build()));
        lab.zone("a.test", "192.0.2.11", "safe.a.test. 60 A 192.0.2.5");
        assertThat(lab.answer("search.example", "A"))
                .containsExactly("search.example. CNAME safe.a.test.", "safe.a.test. A 192.0.2.5");
        assertThat(lab.answer("search.example", "CNAME")).hasSize(1);
    }
}
