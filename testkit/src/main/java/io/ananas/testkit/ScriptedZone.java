package io.ananas.testkit;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.message.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A zone as a sound authoritative server answers for it (RFC 1034, section 4.3.2): records,
 * delegations with the glue that stands in the zone, CNAME, DNAME, wildcards, name errors, and
 * empty nodes. Signatures and proofs are what its text holds: RRSIG goes along with what it covers
 * for clients that set DO, and all NSEC and NSEC3 records with every denial and referral.
 *
 * <p>Immutable.
 */
final class ScriptedZone {
    private static final int MAX_CHAIN = 20;

    private final Name name;
    private final List<ResourceRecord> records;

    ScriptedZone(Name name, List<ResourceRecord> records) {
        this.name = name;
        final List<ResourceRecord> all = new ArrayList<>(records);
        if (all.stream().noneMatch(record -> record.type() == RecordType.SOA)) {
            final String soa =
                    "%s 3600 SOA ns.invalid. host.invalid. 1 3600 600 86400 300".formatted(name);
            all.addAll(ResourceRecord.parse(soa));
        }
        this.records = List.copyOf(all);
    }

    Name name() {
        return name;
    }

    /** The response to a query for a name at or below the zone's. */
    ReplyMessage answer(Name asked, int type, boolean dnssecOk) {
        ReplyMessage reply = ReplyMessage.empty().authoritative();
        Name current = asked;
        for (int i = 0; i < MAX_CHAIN; i++) {
            final Name cut = cut(current, type);
            if (cut != null) {
                return i == 0 ? referral(cut, dnssecOk) : reply;
            }
            final ResourceRecord dname = dnameAbove(current);
            if (dname != null) {
                final Name target = substitute(current, dname);
                reply = reply.answer(set(dname.owner(), RecordType.DNAME, dnssecOk));
                if (target == null) {
                    return reply.code(ResponseCode.YXDOMAIN);
                }
                reply = reply.answer(List.of(cname(current, target, dname.ttl())));
                current = target;
            } else {
                final Name node = node(current);
                if (node == null) {
                    return denied(reply.code(ResponseCode.NXDOMAIN), dnssecOk);
                }
                final List<ResourceRecord> exact = renamed(set(node, type, dnssecOk), current);
                if (!exact.isEmpty()) {
                    return withAddresses(reply.answer(exact), exact);
                }
                final List<ResourceRecord> alias =
                        renamed(set(node, RecordType.CNAME, dnssecOk), current);
                if (alias.isEmpty()) {
                    return denied(reply, dnssecOk);
                }
                reply = reply.answer(alias);
                current = Name.ofWire(alias.getFirst().rdata(), 0);
            }
            if (!current.isSubdomainOf(name)) {
                return reply;
            }
        }
        return reply;
    }

    private @Nullable Name cut(Name asked, int type) {
        @Nullable Name highest = null;
        for (Name above = asked; above.length() > name.length(); above = above.parent()) {
            final boolean parentSide = type == RecordType.DS && above.equals(asked);
            if (!parentSide && !set(above, RecordType.NS, false).isEmpty()) {
                highest = above;
            }
        }
        return highest;
    }

    private ReplyMessage referral(Name cut, boolean dnssecOk) {
        final List<ResourceRecord> authority = new ArrayList<>(set(cut, RecordType.NS, false));
        final List<ResourceRecord> additional = addresses(authority);
        if (dnssecOk) {
            final List<ResourceRecord> ds = set(cut, RecordType.DS, true);
            authority.addAll(ds.isEmpty() ? proofs() : ds);
        }
        return new ReplyMessage(
                0, ResponseCode.NOERROR, List.of(), authority, additional, List.of(), false, false);
    }

    /** Addresses, as far as the zone has them, of the servers that NS records name. */
    private List<ResourceRecord> addresses(List<ResourceRecord> records) {
        final List<ResourceRecord> addresses = new ArrayList<>();
        for (final ResourceRecord record : List.copyOf(records)) {
            if (record.type() == RecordType.NS) {
                final Name server = Name.ofWire(record.rdata(), 0);
                addresses.addAll(set(server, RecordType.A, false));
                addresses.addAll(set(server, RecordType.AAAA, false));
            }
        }
        return addresses;
    }

    private ReplyMessage withAddresses(ReplyMessage reply, List<ResourceRecord> answer) {
        return new ReplyMessage(
                reply.flags(),
                reply.responseCode(),
                reply.answer(),
                reply.authority(),
                addresses(answer),
                List.of(),
                false,
                false);
    }

    private ReplyMessage denied(ReplyMessage reply, boolean dnssecOk) {
        final List<ResourceRecord> authority = new ArrayList<>(set(name, RecordType.SOA, dnssecOk));
        if (dnssecOk) {
            authority.addAll(proofs());
        }
        return new ReplyMessage(
                reply.flags(),
                reply.responseCode(),
                reply.answer(),
                authority,
                List.of(),
                List.of(),
                false,
                false);
    }

    private List<ResourceRecord> proofs() {
        return records.stream()
                .filter(record ->
                        record.type() == RecordType.NSEC
                                || record.type() == RecordType.NSEC3
                                || (record.type() == RecordType.RRSIG
                                        && (covered(record) == RecordType.NSEC
                                                || covered(record) == RecordType.NSEC3)))
                .toList();
    }

    private static int covered(ResourceRecord signature) {
        final byte[] rdata = signature.rdata();
        return Wire.u16(rdata, 0);
    }

    private List<ResourceRecord> set(Name owner, int type, boolean dnssecOk) {
        return records.stream()
                .filter(record -> record.owner().equals(owner))
                .filter(record ->
                        record.type() == type
                                || type == RecordType.ANY
                                || (dnssecOk
                                        && record.type() == RecordType.RRSIG
                                        && covered(record) == type))
                .toList();
    }

    private static List<ResourceRecord> renamed(List<ResourceRecord> set, Name owner) {
        return set.stream()
                .map(record ->
                        ResourceRecord.of(owner, record.type(), record.ttl(), record.rdata()))
                .toList();
    }

    private @Nullable ResourceRecord dnameAbove(Name asked) {
        for (final ResourceRecord record : records) {
            if (record.type() == RecordType.DNAME
                    && asked.length() > record.owner().length()
                    && asked.isSubdomainOf(record.owner())) {
                return record;
            }
        }
        return null;
    }

    private static @Nullable Name substitute(Name asked, ResourceRecord dname) {
        final int front = asked.length() - dname.owner().length();
        final byte[] target = dname.rdata();
        if (front + target.length > MessageLayout.MAX_NAME) {
            return null;
        }
        final byte[] wire = Arrays.copyOf(asked.wire(), front + target.length);
        System.arraycopy(target, 0, wire, front, target.length);
        return Name.ofWire(wire, 0);
    }

    private static ResourceRecord cname(Name owner, Name target, long ttl) {
        return ResourceRecord.of(owner, RecordType.CNAME, ttl, target.wire());
    }

    /** The node that a name has: itself, an empty one, or a wildcard; null if it does not exist. */
    private @Nullable Name node(Name asked) {
        for (Name above = asked; ; above = above.parent()) {
            final Name existing = above;
            if (records.stream().anyMatch(record -> record.owner().isSubdomainOf(existing))) {
                if (above.equals(asked)) {
                    return asked;
                }
                final Name wildcard = above.child("*");
                return records.stream().anyMatch(record -> record.owner().equals(wildcard))
                        ? wildcard
                        : null;
            }
            if (above.equals(name)) {
                return null;
            }
        }
    }

    /** REFUSED, as from a server that does not serve the zone. */
    static ReplyMessage refusal() {
        return ReplyMessage.empty().code(ResponseCode.REFUSED).flags(0);
    }

    static boolean isTruncated(byte[] response) {
        return response.length > MessageLayout.FLAGS
                && (response[MessageLayout.FLAGS] & MessageLayout.TC >> 8) != 0;
    }
}
