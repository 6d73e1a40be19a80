package io.ananas.testkit;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.DSRecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Zones from the root down, and the responses of their servers. */
public class MemoryTree {
    private final Map<Name, MemoryZone> zones = new TreeMap<>();
    private final Map<String, UnaryOperator<Message>> changes = new HashMap<>();
    private final Set<String> silent = new HashSet<>();
    private boolean second;
    public final List<String> asked = new ArrayList<>();

    /** Adds a zone, the root first; its parent gets NS and, if it is signed, DS records. */
    public MemoryTree add(MemoryZone zone) {
        return add(zone, zone.isSigned());
    }

    public MemoryTree add(MemoryZone zone, boolean withDs) {
        zones.put(zone.origin, zone);
        if (!zone.origin.equals(Name.root)) {
            final MemoryZone parent = zoneOf(new Name(zone.origin, 1));
            final Name server = MemoryZone.name("ns." + zone.origin);
            parent.addRecord(new NSRecord(zone.origin, DClass.IN, MemoryZone.TTL, server));
            if (withDs) {
                parent.addRecord(ds(zone, 2));
            }
        }
        return this;
    }

    public static DSRecord ds(MemoryZone zone, int digest) {
        return new DSRecord(
                zone.origin,
                DClass.IN,
                MemoryZone.TTL,
                digest,
                zone.keys.getFirst().dnskey(zone.origin));
    }

    public MemoryZone zone(String origin) {
        final MemoryZone zone = zones.get(MemoryZone.name(origin));
        if (zone == null) {
            throw new IllegalArgumentException(origin);
        }
        return zone;
    }

    /** Changes a response; changes add up. */
    public MemoryTree change(String name, int type, UnaryOperator<Message> change) {
        changes.merge(
                key(MemoryZone.name(name), type), change, (a, b) -> it -> b.apply(a.apply(it)));
        return this;
    }

    /** No server answers this any more. */
    public MemoryTree silence(String name, int type) {
        silent.add(key(MemoryZone.name(name), type));
        return this;
    }

    private static String key(Name name, int type) {
        return name.toString().toLowerCase(java.util.Locale.ROOT) + " " + Type.string(type);
    }

    /** The DS record of the root. */
    public String anchor() {
        return ds(zone("."), 2).toString();
    }

    public @Nullable MessageView fetch(io.ananas.message.Name name, int type) {
        asked.add(name + " " + Type.string(type));
        final Message message = respond(MemoryZone.name(name.toString()), type);
        return message == null ? null : view(message);
    }

    /** Whether there is a second server, which gives what nobody has changed. */
    public MemoryTree second(boolean there) {
        second = there;
        return this;
    }

    public @Nullable MessageView refetch(io.ananas.message.Name name, int type) {
        if (!second) {
            return null;
        }
        asked.add(name + " " + Type.string(type) + " again");
        return view(answer(MemoryZone.name(name.toString()), type));
    }

    public static MessageView view(Message message) {
        final byte[] octets = message.toWire(65_535);
        if (message.getHeader().getFlag(Flags.TC) || (octets[2] & 2) != 0) {
            throw new IllegalStateException("the response does not fit in a message");
        }
        final MessageView view = new MessageView();
        final Fault fault = view.parse(octets, octets.length);
        if (fault != Fault.NONE) {
            throw new IllegalStateException(fault.text());
        }
        return view;
    }

    /** The response to a question, changed where a test wants it so. */
    public @Nullable Message respond(Name name, int type) {
        final String key = key(name, type);
        return silent.contains(key)
                ? null
                : changes.getOrDefault(key, it -> it).apply(answer(name, type));
    }

    /** What a resolver that follows aliases gives: the answers of several zones in one. */
    public @Nullable Message resolve(Name name, int type) {
        final Message message = respond(name, type);
        Message last = message;
        for (int i = 0; i < 8 && last != null && message != null; i++) {
            final Name target = openEnd(last, type);
            last = target == null ? null : respond(target, type);
            if (last != null) {
                for (int section = Section.ANSWER; section <= Section.AUTHORITY; section++) {
                    for (final Record it : last.getSection(section)) {
                        message.addRecord(it, section);
                    }
                }
                message.getHeader().setRcode(last.getHeader().getRcode());
            }
        }
        return message;
    }

    private @Nullable Name openEnd(Message message, int type) {
        Name at = message.getQuestion().getName();
        boolean moved = true;
        while (moved && type != Type.CNAME) {
            moved = false;
            for (final Record it : message.getSection(Section.ANSWER)) {
                if (it instanceof CNAMERecord cname && cname.getName().equals(at)) {
                    at = cname.getTarget();
                    moved = true;
                }
            }
        }
        final boolean aliased = !at.equals(message.getQuestion().getName());
        final Name asked = message.getQuestion().getName();
        return aliased && zoneFor(at, type) != zoneFor(asked, type) ? at : null;
    }

    public MemoryZone zoneOf(Name name) {
        Name at = name;
        while (true) {
            final MemoryZone zone = zones.get(at);
            if (zone != null) {
                return zone;
            }
            at = new Name(at, 1);
        }
    }

    public MemoryZone zoneFor(Name name, int type) {
        return zoneOf(type == Type.DS && !name.equals(Name.root) ? new Name(name, 1) : name);
    }

    private Message answer(Name name, int type) {
        final MemoryZone zone = zoneFor(name, type);
        final Message message = Message.newQuery(Record.newRecord(name, type, DClass.IN));
        message.getHeader().setFlag(Flags.QR);
        message.getHeader().setFlag(Flags.AA);
        Name current = name;
        for (int i = 0; i < 8 && current != null && current.subdomain(zone.origin); i++) {
            current = step(zone, current, type, message);
        }
        return message;
    }

    /** Adds what there is at a name; returns where an alias leads, or null at the end. */
    private static @Nullable Name step(MemoryZone zone, Name name, int type, Message message) {
        final RRset dname = dnameAbove(zone, name);
        if (dname != null) {
            put(zone, dname, name, false, Section.ANSWER, message);
            return synthesise((DNAMERecord) dname.first(), name, message);
        }
        final boolean exists = zone.exists(name);
        final Name source = exists ? name : wildcard(zone, name);
        final RRset set = source == null ? null : zone.get(source, type);
        final RRset alias = source == null ? null : zone.get(source, Type.CNAME);
        final RRset found = set != null ? set : alias;
        if (source == null) {
            message.getHeader().setRcode(Rcode.NXDOMAIN);
        }
        if (found != null) {
            put(zone, found, name, !exists, Section.ANSWER, message);
            if (!exists && zone.isSigned()) {
                denyCloser(zone, name, message);
            }
            return set != null ? null : ((CNAMERecord) found.first()).getTarget();
        }
        deny(zone, name, source, message);
        return null;
    }

    private static @Nullable Name wildcard(MemoryZone zone, Name name) {
        final Name wildcard = under(zone.closestEncloser(name));
        return zone.get(wildcard, Type.NSEC) != null || zone.exists(wildcard) ? wildcard : null;
    }

    public static Name under(Name encloser) {
        return MemoryZone.name("*." + (encloser.equals(Name.root) ? "" : encloser.toString()));
    }

    private static @Nullable RRset dnameAbove(MemoryZone zone, Name name) {
        for (Name at = name; !at.equals(zone.origin); ) {
            at = new Name(at, 1);
            final RRset dname = zone.get(at, Type.DNAME);
            if (dname != null) {
                return dname;
            }
        }
        return null;
    }

    private static @Nullable Name synthesise(DNAMERecord dname, Name name, Message message) {
        try {
            final Name target = name.fromDNAME(dname);
            message.addRecord(
                    new CNAMERecord(name, DClass.IN, dname.getTTL(), target), Section.ANSWER);
            return target;
        } catch (NameTooLongException e) {
            message.getHeader().setRcode(Rcode.YXDOMAIN);
            return null;
        }
    }

    /** Adds an RRset and its signatures under the name that was asked. */
    private static void put(
            MemoryZone zone,
            RRset set,
            Name owner,
            boolean expanded,
            int section,
            Message message) {
        final boolean signed =
                zone.isSigned() && !(set.getType() == Type.NS && zone.isDelegation(set.getName()));
        final List<Record> records = new ArrayList<>(set.rrs());
        if (signed) {
            records.addAll(zone.sign(set));
        }
        for (final Record it : records) {
            message.addRecord(expanded ? rename(it, owner) : it, section);
        }
    }

    public static Record rename(Record record, Name owner) {
        return Record.newRecord(
                owner,
                record.getType(),
                record.getDClass(),
                record.getTTL(),
                record.rdataToWireCanonical());
    }

    private static void put(MemoryZone zone, @Nullable RRset set, Message message) {
        if (set != null && !message.findRecord(set.first())) {
            put(zone, set, set.getName(), false, Section.AUTHORITY, message);
        }
    }

    private static void deny(MemoryZone zone, Name name, @Nullable Name source, Message message) {
        final RRset soa = zone.get(zone.origin, Type.SOA);
        put(zone, soa, message);
        if (!zone.isSigned()) {
            return;
        }
        if (zone.usesNsec3()) {
            denyNsec3(zone, name, source, message);
            return;
        }
        put(zone, zone.nsec(name), message);
        if (!zone.exists(name)) {
            final Name wildcard = under(zone.closestEncloser(name));
            put(zone, zone.nsec(wildcard), message);
        }
    }

    private static void denyNsec3(
            MemoryZone zone, Name name, @Nullable Name source, Message message) {
        final RRset at = zone.nsec3At(name);
        if (at != null) {
            put(zone, at, message);
            return;
        }
        Name encloser = new Name(name, 1);
        Name nextCloser = name;
        while (zone.nsec3At(encloser) == null) {
            nextCloser = encloser;
            encloser = new Name(encloser, 1);
        }
        put(zone, zone.nsec3At(encloser), message);
        put(zone, zone.nsec3Covering(nextCloser), message);
        if (!zone.exists(name)) {
            final RRset wildcard = zone.nsec3At(under(encloser));
            put(zone, wildcard != null ? wildcard : zone.nsec3Covering(under(encloser)), message);
        }
        if (source == null) {
            message.getHeader().setRcode(Rcode.NXDOMAIN);
        }
    }

    private static void denyCloser(MemoryZone zone, Name name, Message message) {
        if (!zone.usesNsec3()) {
            put(zone, zone.nsec(name), message);
            return;
        }
        final Name encloser = zone.closestEncloser(name);
        put(
                zone,
                zone.nsec3Covering(new Name(name, name.labels() - encloser.labels() - 1)),
                message);
    }
}
