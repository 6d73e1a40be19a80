package io.ananas.testkit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.Master;
import org.xbill.DNS.NSEC3PARAMRecord;
import org.xbill.DNS.NSEC3Record;
import org.xbill.DNS.NSECRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;
import org.xbill.DNS.utils.base32;

/**
 * A zone in memory, signed with dnsjava as it is asked, denying by NSEC or NSEC3: the data and its
 * signatures, which {@link MemoryTree} makes responses of.
 */
public final class MemoryZone {
    public static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");
    public static final long TTL = 300;

    private static final base32 BASE32 = new base32(base32.Alphabet.BASE32HEX, false, false);

    public final Name origin;
    public final List<ZoneKey> keys = new ArrayList<>();
    public Instant from = NOW.minusSeconds(86_400);
    public Instant until = NOW.plusSeconds(10 * 86_400);
    private final NavigableMap<Name, Map<Integer, RRset>> nodes = new TreeMap<>();
    private final Map<RRset, List<RRSIGRecord>> signatures = new HashMap<>();
    private boolean nsec3;
    private boolean optOut;
    private int iterations;
    private byte[] salt = new byte[0];

    private MemoryZone(String origin) {
        this.origin = name(origin);
        add("@ SOA ns hostmaster 1 3600 600 86400 60");
        add("@ NS ns");
    }

    public static MemoryZone unsigned(String origin) {
        return new MemoryZone(origin);
    }

    public static MemoryZone signed(String origin, int algorithm) {
        final MemoryZone zone = new MemoryZone(origin);
        zone.key(ZoneKey.of(algorithm, origin));
        return zone;
    }

    public static Name name(String text) {
        return Name.fromConstantString(dotted(text));
    }

    private static String dotted(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    /** Adds a key to the DNSKEY RRset; the first signs. */
    public MemoryZone key(ZoneKey key) {
        keys.add(key);
        addRecord(key.dnskey(origin));
        return this;
    }

    public MemoryZone nsec3(int iterations, String salt, boolean optOut) {
        nsec3 = true;
        this.iterations = iterations;
        this.salt = HexFormat.of().parseHex(salt);
        this.optOut = optOut;
        return this;
    }

    public MemoryZone validity(Instant from, Instant until) {
        this.from = from;
        this.until = until;
        return this;
    }

    public boolean isSigned() {
        return !keys.isEmpty();
    }

    /** Adds a record in master file form, {@code "www A 192.0.2.1"}. */
    public MemoryZone add(String line) {
        final byte[] text = line.getBytes(StandardCharsets.US_ASCII);
        try (Master master = new Master(new ByteArrayInputStream(text), origin, TTL)) {
            for (Record it = master.nextRecord(); it != null; it = master.nextRecord()) {
                addRecord(it);
            }
            return this;
        } catch (IOException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    /** A record in master file form, its owner in full. */
    public static Record record(String line) {
        final byte[] text = line.getBytes(StandardCharsets.US_ASCII);
        try (Master master = new Master(new ByteArrayInputStream(text), Name.root, TTL)) {
            final Record record = master.nextRecord();
            if (record == null) {
                throw new IllegalArgumentException(line);
            }
            return record;
        } catch (IOException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    public MemoryZone addRecord(Record record) {
        nodes.computeIfAbsent(record.getName(), it -> new TreeMap<>())
                .computeIfAbsent(record.getType(), it -> new RRset())
                .addRR(record);
        signatures.clear();
        return this;
    }

    public @Nullable RRset get(Name name, int type) {
        return nodes.getOrDefault(name, Map.of()).get(type);
    }

    public boolean exists(Name name) {
        return nodes.containsKey(name) || isEmptyNonTerminal(name);
    }

    public boolean isEmptyNonTerminal(Name name) {
        return !nodes.containsKey(name)
                && nodes.keySet().stream().anyMatch(it -> it.subdomain(name));
    }

    public boolean isDelegation(Name name) {
        return !name.equals(origin) && get(name, Type.NS) != null;
    }

    /** The zone cut at or above the name; null if the zone itself holds it. */
    public @Nullable Name cut(Name name) {
        for (int labels = origin.labels() + 1; labels <= name.labels(); labels++) {
            final Name at = new Name(name, name.labels() - labels);
            if (isDelegation(at)) {
                return at;
            }
        }
        return null;
    }

    public Name closestEncloser(Name name) {
        Name at = new Name(name, 1);
        while (!exists(at)) {
            at = new Name(at, 1);
        }
        return at;
    }

    public List<RRSIGRecord> sign(RRset set) {
        return signatures.computeIfAbsent(set, it -> List.of(sign(it, keys.getFirst())));
    }

    public RRSIGRecord sign(RRset set, ZoneKey key) {
        try {
            return DNSSEC.sign(set, key.dnskey(origin), key.privateKey(), from, until);
        } catch (DNSSEC.DNSSECException e) {
            throw new IllegalStateException(set.toString(), e);
        }
    }

    public boolean usesNsec3() {
        return nsec3;
    }

    private int[] types(Name name, int denialType) {
        final List<Integer> types = new ArrayList<>();
        for (final int type : nodes.getOrDefault(name, Map.of()).keySet()) {
            if (!isDelegation(name) || type == Type.NS || type == Type.DS) {
                types.add(type);
            }
        }
        final boolean signs = !isDelegation(name) || types.contains(Type.DS);
        if (denialType == Type.NSEC) {
            types.add(Type.NSEC);
            types.add(Type.RRSIG);
        } else if (signs && !types.isEmpty()) {
            types.add(Type.RRSIG);
        }
        if (name.equals(origin) && denialType == Type.NSEC3) {
            types.add(Type.NSEC3PARAM);
        }
        return types.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
    }

    /** Names that the zone holds itself, in canonical order. */
    private SortedSet<Name> chain() {
        final SortedSet<Name> names = new TreeSet<>();
        for (final Name name : nodes.keySet()) {
            final Name cut = cut(name);
            if (cut == null || cut.equals(name)) {
                names.add(name);
            }
        }
        return names;
    }

    /** The NSEC at the name, or the one that covers it. */
    public RRset nsec(Name name) {
        final List<Name> names = new ArrayList<>(chain());
        int at = names.size() - 1;
        while (names.get(at).compareTo(name) > 0) {
            at--;
        }
        final Name owner = names.get(at);
        final Name next = names.get((at + 1) % names.size());
        return new RRset(nsec(owner, next, types(owner, Type.NSEC)));
    }

    public static NSECRecord nsec(Name owner, Name next, int... types) {
        return new NSECRecord(owner, DClass.IN, 60, next, types);
    }

    private NavigableMap<String, Name> hashed() {
        final NavigableMap<String, Name> hashed = new TreeMap<>();
        for (final Name name : chain()) {
            final boolean skipped = optOut && isDelegation(name) && get(name, Type.DS) == null;
            for (Name at = name; !skipped && at.subdomain(origin); at = new Name(at, 1)) {
                hashed.put(hash(at), at);
                if (at.equals(origin)) {
                    break;
                }
            }
        }
        return hashed;
    }

    public String hash(Name name) {
        try {
            final NSEC3PARAMRecord parameters =
                    new NSEC3PARAMRecord(
                            origin, DClass.IN, 0, 1, 0, iterations, salt.length == 0 ? null : salt);
            return BASE32.toString(parameters.hashName(name)).toLowerCase(Locale.ROOT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The NSEC3 that matches the name; null if none does. */
    public @Nullable RRset nsec3At(Name name) {
        return hashed().containsKey(hash(name)) ? nsec3(hash(name)) : null;
    }

    /** The NSEC3 that covers the name. */
    public RRset nsec3Covering(Name name) {
        final NavigableMap<String, Name> hashed = hashed();
        final String before = hashed.lowerKey(hash(name));
        return nsec3(before != null ? before : hashed.lastKey());
    }

    private RRset nsec3(String hash) {
        final NavigableMap<String, Name> hashed = hashed();
        final Name owner = hashed.get(hash);
        final String higher = hashed.higherKey(hash);
        final String next = higher == null ? hashed.firstKey() : higher;
        final byte[] nextHash = BASE32.fromString(next);
        if (owner == null) {
            throw new IllegalStateException(hash);
        }
        return new RRset(
                new NSEC3Record(
                        name(hash + "." + (origin.equals(Name.root) ? "" : origin.toString())),
                        DClass.IN,
                        60,
                        1,
                        optOut ? 1 : 0,
                        iterations,
                        salt.length == 0 ? null : salt,
                        nextHash,
                        types(owner, Type.NSEC3)));
    }
}
