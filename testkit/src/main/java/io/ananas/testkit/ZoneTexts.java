package io.ananas.testkit;

import io.ananas.testkit.SignedTree.Zone;

/** The records of the zones of a {@link SignedTree}. */
final class ZoneTexts {
    private static final String DATA =
            """
            www A 192.0.2.1
            www A 192.0.2.2
            www AAAA 2001:db8::1
            mail A 192.0.2.3
            @ MX 10 mail
            txt TXT "hello" "world"
            *.wild A 192.0.2.4
            *.wild TXT "wild"
            fixed.wild A 192.0.2.5
            *.aliases CNAME www
            a.b.ent A 192.0.2.6
            alias CNAME www
            alias2 CNAME alias
            toplain CNAME www.plain.net.
            tosigned CNAME www.sec.com.
            tobogus CNAME www.forged.org.
            tonothing CNAME nothing
            tonothing2 CNAME nothing.ed.net.
            circle CNAME circle2
            circle2 CNAME circle
            old DNAME new
            x.new A 192.0.2.7
            away DNAME sec.com.
            _443._tcp.www TLSA 3 1 1 00112233
            """;

    private ZoneTexts() {}

    /**
     * @param hosts of these, {@code n0} to {@code n}hosts-1, each has one address
     */
    static String of(Zone zone, int hosts) {
        final StringBuilder text = new StringBuilder();
        text.append(
                """
                $TTL 300
                @ SOA ns hostmaster 1 3600 600 86400 60
                @ NS ns
                ns A %s
                """
                        .formatted(SignedTree.address(zone.server())));
        if (zone.name().equals(".")) {
            return text.toString()
                    .replace("ns hostmaster", "ns.root-servers.test. hostmaster.")
                    .replace("@ NS ns", "@ NS ns.root-servers.test.")
                    .replace("ns A", "ns.root-servers.test. A");
        }
        if (zone.name().contains(".")) {
            text.append(DATA);
            for (int i = 0; i < hosts; i++) {
                text.append("n%d A 198.51.%d.%d\n".formatted(i, i / 256 % 256, i % 256));
            }
        }
        return text.toString();
    }

    /** What the parent says of a zone, without its DS records. */
    static String delegation(Zone zone) {
        return "%1$s. NS ns.%1$s.\nns.%1$s. A %2$s\n"
                .formatted(zone.name(), SignedTree.address(zone.server()));
    }
}
