package io.ananas.recursor;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is answered without asking anybody: special names, zones and records of the configuration, a
 * hosts file. Immutable and thread-safe; usable before the cache.
 *
 * <p>A <em>zone</em> is answered for as an authoritative server would: its records, wildcards, and
 * NXDOMAIN or NODATA with its SOA record for all else at and below its name. A <em>record</em>
 * outside a zone answers for its name and type only; other types of that name are NODATA, and names
 * below it are resolved as usual. Of a zone and a special name with the same name, the zone counts.
 */
public final class LocalZones {
    private static final long TTL = 10_800;
    private static final int NO_EDNS_LIMIT = MessageLayout.MAX_MESSAGE;

    private final Map<Name, Map<Integer, RRset>> nodes;
    private final Map<Name, RRset> zones;

    private LocalZones(Map<Name, Map<Integer, RRset>> nodes, Map<Name, RRset> zones) {
        this.nodes = nodes;
        this.zones = zones;
    }

    /** None. */
    public static LocalZones none() {
        return new Builder().build();
    }

    /** The special names and the reverse zones of private addresses, see {@link SpecialNames}. */
    public static LocalZones specialNames() {
        return new Builder().specialNames().build();
    }

    /** Puts local zones together. */
    public static final class Builder {
        private final Map<Name, Map<Integer, RRset>> nodes = new HashMap<>();
        private final Map<Name, RRset> zones = new HashMap<>();

        /** All special names. */
        public Builder specialNames() {
            SpecialNames.addTo(this);
            return this;
        }

        /** Without a zone, such as a special name that is to be resolved as any other. */
        public Builder without(Name zone) {
            zones.remove(zone);
            nodes.keySet()
                    .removeIf(name -> name.isSubdomainOf(zone) && zoneOf(name, zones) == null);
            return this;
        }

        /** Without the special names at and below those that are configured otherwise. */
        public Builder without(Collection<ConfiguredZone> configured) {
            configured.forEach(zone ->
                    List.copyOf(zones.keySet()).stream()
                            .filter(name -> name.isSubdomainOf(zone.name()))
                            .filter(name -> !zone.name().isRoot())
                            .forEach(this::without));
            return this;
        }

        /**
         * A zone that is served from here, in the place of one with this name.
         *
         * @param masterFile its records (RFC 1035, section 5), relative to its name; an SOA record
         *     is made up if there is none
         * @throws IllegalArgumentException if it is no master file, or a record is outside the zone
         */
        public Builder zone(Name name, String masterFile) {
            without(name);
            zones.put(name, soa(name));
            for (final RRset set : MasterFile.parse(masterFile, name, TTL)) {
                if (!set.owner().isSubdomainOf(name)) {
                    throw new IllegalArgumentException(
                            "local zone %s holds a record of %s, which is not below it"
                                    .formatted(name, set.owner()));
                }
                add(set);
                if (set.is(name, RecordType.SOA)) {
                    zones.put(name, set);
                }
            }
            return this;
        }

        /**
         * Single records, in master file form; relative names are below the root.
         *
         * @throws IllegalArgumentException if they are not
         */
        public Builder records(String masterFile) {
            MasterFile.parse(masterFile, Name.ROOT, TTL).forEach(this::add);
            return this;
        }

        /**
         * A hosts file: an address and names per line, {@code #} begins a comment. The names get
         * their addresses, and the address the first name in reverse.
         *
         * @throws IllegalArgumentException if a line is not of this form, with its number
         */
        public Builder hosts(String hostsFile) {
            HostsFile.parse(hostsFile, TTL).forEach(this::add);
            return this;
        }

        void emptyZone(Name name) {
            zones.put(name, soa(name));
            add(RRset.of(name, RecordType.SOA, TTL, soa(name).rdatas().getFirst()));
            add(RRset.of(name, RecordType.NS, TTL, name.wire()));
        }

        void add(RRset set) {
            nodes.computeIfAbsent(set.owner(), name -> new HashMap<>())
                    .merge(set.type(), set, Builder::joined);
        }

        private static RRset joined(RRset old, RRset more) {
            final List<byte[]> rdatas = new ArrayList<>(old.rdatas());
            rdatas.addAll(more.rdatas());
            return new RRset(old.owner(), old.type(), more.ttl(), rdatas, List.of());
        }

        /** The local zones. */
        public LocalZones build() {
            final Map<Name, Map<Integer, RRset>> copy = new HashMap<>();
            zones.forEach((name, soa) ->
                    nodes.computeIfAbsent(name, any -> new HashMap<>())
                            .putIfAbsent(RecordType.SOA, soa));
            nodes.forEach((name, types) -> copy.put(name, Map.copyOf(types)));
            for (final Name name : List.copyOf(copy.keySet())) {
                addEmptyNodes(name, copy);
            }
            return new LocalZones(Map.copyOf(copy), Map.copyOf(zones));
        }

        private void addEmptyNodes(Name name, Map<Name, Map<Integer, RRset>> copy) {
            final Name zone = zoneOf(name, zones);
            if (zone != null) {
                for (Name node = name; !node.equals(zone); node = node.parent()) {
                    copy.putIfAbsent(node, Map.of());
                }
            }
        }
    }

    private static RRset soa(Name zone) {
        final byte[] nobody = Name.of("nobody.invalid").wire();
        final byte[] rdata = new byte[zone.length() + nobody.length + 20];
        int at = zone.copyTo(rdata, 0);
        System.arraycopy(nobody, 0, rdata, at, nobody.length);
        at += nobody.length;
        for (final int value : new int[] {1, 3_600, 1_200, 604_800, (int) TTL}) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                rdata[at++] = (byte) (value >>> shift);
            }
        }
        return RRset.of(zone, RecordType.SOA, TTL, rdata);
    }

    /** Whether {@link #answer} has an answer for some type of this name. */
    public boolean covers(Name name) {
        return nodes.containsKey(name) || zoneOf(name) != null;
    }

    /**
     * The whole response to a question, with AA; null if the name is none of ours.
     *
     * @return the response with id 0, of any length
     */
    public byte @Nullable [] answer(Name name, int type) {
        final Name zone = zoneOf(name);
        Map<Integer, RRset> node = nodes.get(name);
        if (zone == null && node == null) {
            return null;
        }
        if (type == RecordType.DS && zone != null && name.equals(zone) && !zone.isRoot()) {
            node = Map.of();
        }
        if (node == null && zone != null) {
            node = wildcard(name, zone);
        }
        return response(name, type, zone, node);
    }

    /** The link of a name that is a local alias; null if it is none. */
    @Nullable Link alias(Name name, int type) {
        final Map<Integer, RRset> node = nodes.get(name);
        final RRset cname = node == null ? null : node.get(RecordType.CNAME);
        return cname == null || !LinkCache.followsAliases(type)
                ? null
                : new Link(
                        name,
                        type,
                        Link.Kind.ALIAS,
                        ResponseCode.NOERROR,
                        name,
                        name,
                        List.of(cname),
                        List.of(),
                        List.of(),
                        0,
                        0,
                        null,
                        null);
    }

    private @Nullable Name zoneOf(Name name) {
        return zoneOf(name, zones);
    }

    private static @Nullable Name zoneOf(Name name, Map<Name, RRset> zones) {
        for (Name zone = name; ; zone = zone.parent()) {
            if (zones.containsKey(zone)) {
                return zone;
            }
            if (zone.isRoot()) {
                return null;
            }
        }
    }

    private @Nullable Map<Integer, RRset> wildcard(Name name, Name zone) {
        for (Name above = name; !above.equals(zone); ) {
            above = above.parent();
            if (above.length() + 2 <= MessageLayout.MAX_NAME) {
                final Map<Integer, RRset> wildcard = nodes.get(above.child("*"));
                if (wildcard != null) {
                    return wildcard;
                }
            }
            if (nodes.containsKey(above)) {
                return null;
            }
        }
        return null;
    }

    private byte[] response(
            Name name, int type, @Nullable Name zone, @Nullable Map<Integer, RRset> node) {
        final MessageWriter writer = new MessageWriter(NO_EDNS_LIMIT);
        writer.header(0, MessageLayout.QR | MessageLayout.AA | MessageLayout.RA)
                .question(name, type, RecordClass.IN);
        boolean answered = false;
        if (node != null) {
            for (final RRset set : node.values()) {
                final boolean alias =
                        set.type() == RecordType.CNAME && LinkCache.followsAliases(type);
                if (set.type() == type || type == RecordType.ANY || alias) {
                    answered = true;
                    new RRset(name, set.type(), set.ttl(), set.rdatas(), List.of())
                            .writeTo(writer, MessageView.ANSWER);
                }
            }
        } else {
            writer.responseCode(ResponseCode.NXDOMAIN);
        }
        final RRset soa = zone == null ? null : zones.get(zone);
        if (!answered && soa != null) {
            soa.writeTo(writer, MessageView.AUTHORITY);
        }
        return writer.toByteArray();
    }
}
