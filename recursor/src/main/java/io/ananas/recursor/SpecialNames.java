package io.ananas.recursor;

import io.ananas.message.Name;
import java.util.ArrayList;
import java.util.List;

/**
 * Names that mean nothing in the public DNS, and are answered here so that they do not leak.
 *
 * <ul>
 *   <li>RFC 6761: localhost, invalid, test. RFC 6762: local and the reverse names of link-local
 *       addresses. RFC 7686: onion. RFC 8375: home.arpa. RFC 9476: alt. RFC 9462: resolver.arpa.
 *   <li>RFC 8880: ipv4only.arpa and the reverse of its two addresses, which are the same
 *       everywhere.
 *   <li>RFC 6303, sections 4.2 to 4.6: the reverse of private, loopback, documentation and other
 *       local addresses. RFC 6598: of shared address space.
 * </ul>
 */
final class SpecialNames {
    private static final List<String> EMPTY =
            List.of(
                    "invalid",
                    "test",
                    "local",
                    "onion",
                    "home.arpa",
                    "alt",
                    "resolver.arpa",
                    "10.in-addr.arpa",
                    "168.192.in-addr.arpa",
                    "0.in-addr.arpa",
                    "254.169.in-addr.arpa",
                    "2.0.192.in-addr.arpa",
                    "100.51.198.in-addr.arpa",
                    "113.0.203.in-addr.arpa",
                    "255.255.255.255.in-addr.arpa",
                    "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa",
                    "d.f.ip6.arpa",
                    "8.e.f.ip6.arpa",
                    "9.e.f.ip6.arpa",
                    "a.e.f.ip6.arpa",
                    "b.e.f.ip6.arpa",
                    "8.b.d.0.1.0.0.2.ip6.arpa");

    private static final String LOCALHOST =
            """
            @ SOA @ nobody.invalid. 1 3600 1200 604800 10800
            @ NS @
            @ A 127.0.0.1
            @ AAAA ::1
            * A 127.0.0.1
            * AAAA ::1
            """;
    private static final String HEAD = "@ SOA @ nobody.invalid. 1 3600 1200 604800 10800\n@ NS @\n";

    private SpecialNames() {}

    private static List<String> emptyZones() {
        final List<String> zones = new ArrayList<>(EMPTY);
        for (int i = 16; i < 32; i++) {
            zones.add(i + ".172.in-addr.arpa");
        }
        for (int i = 64; i < 128; i++) {
            zones.add(i + ".100.in-addr.arpa");
        }
        return zones;
    }

    static void addTo(LocalZones.Builder builder) {
        emptyZones().forEach(zone -> builder.emptyZone(Name.of(zone)));
        builder.zone(Name.of("localhost"), LOCALHOST);
        builder.zone(Name.of("127.in-addr.arpa"), HEAD + "1.0.0 PTR localhost.\n");
        builder.zone(
                Name.of("1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa"),
                HEAD + "@ PTR localhost.\n");
        builder.zone(Name.of("ipv4only.arpa"), HEAD + "@ A 192.0.0.170\n@ A 192.0.0.171\n");
        builder.zone(Name.of("170.0.0.192.in-addr.arpa"), HEAD + "@ PTR ipv4only.arpa.\n");
        builder.zone(Name.of("171.0.0.192.in-addr.arpa"), HEAD + "@ PTR ipv4only.arpa.\n");
    }
}
