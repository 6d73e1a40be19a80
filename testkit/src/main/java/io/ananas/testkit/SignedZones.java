package io.ananas.testkit;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.Responses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Signed zones behind one server on a socket, sound or hostile, for tests of whoever resolves: a
 * resolver that has {@link #configuration()} knows the server of every zone, and finds the chain of
 * trust by itself. All times are near {@link #NOW}.
 */
public final class SignedZones implements AutoCloseable {
    /** When the signatures hold. */
    public static final Instant NOW = MemoryZone.NOW;

    private static final int ALGORITHM = 13;

    private final MemoryTree tree = new MemoryTree();
    private final List<String> names = new ArrayList<>();
    private final ScriptedUpstream server = ScriptedUpstream.start();

    /** With a signed root and a signed {@code test.} */
    public SignedZones() {
        tree.add(MemoryZone.signed(".", ALGORITHM).add("ns A 127.0.0.1"));
        signed("test");
        server.otherwise().reply(this::respond);
    }

    private static MemoryZone with(MemoryZone zone, String... records) {
        for (final String record : records) {
            zone.add(record);
        }
        return zone;
    }

    /** A zone that denies by NSEC; records relative to it, such as {@code "www A 192.0.2.1"}. */
    public SignedZones signed(String zone, String... records) {
        tree.add(with(MemoryZone.signed(zone, ALGORITHM), records));
        names.add(zone);
        return this;
    }

    /** A zone that denies by NSEC3. */
    public SignedZones hashed(String zone, String... records) {
        tree.add(with(MemoryZone.signed(zone, ALGORITHM).nsec3(0, "", false), records));
        names.add(zone);
        return this;
    }

    /** A zone without signatures, and so without a DS record in its parent. */
    public SignedZones unsigned(String zone, String... records) {
        tree.add(with(MemoryZone.unsigned(zone), records));
        names.add(zone);
        return this;
    }

    /** The resolver is not told of the servers of some zones; the root's says all of them. */
    public SignedZones untold(String... zones) {
        names.removeAll(List.of(zones));
        return this;
    }

    /** A zone with many keys of one tag and algorithm, the first of which signs. */
    public SignedZones twins(String zone, int keys, String... records) {
        final MemoryZone made = with(MemoryZone.unsigned(zone).key(ZoneKey.shortRsa()), records);
        final DNSKEYRecord first = made.keys.getFirst().dnskey(made.origin);
        for (int i = 1; i < keys; i++) {
            made.addRecord(TwinKeys.of(first, i));
        }
        tree.add(made);
        names.add(zone);
        return this;
    }

    /** From now on an RRset has this many signatures, and none of them is any good. */
    public SignedZones forge(String name, String type, int signatures) {
        tree.change(
                name,
                Type.value(type),
                message -> {
                    for (final Record it : List.copyOf(message.getSection(Section.ANSWER))) {
                        if (it instanceof RRSIGRecord good) {
                            message.removeRecord(it, Section.ANSWER);
                            forged(good, signatures)
                                    .forEach(bad -> message.addRecord(bad, Section.ANSWER));
                        }
                    }
                    return message;
                });
        return this;
    }

    /** Signatures over the same, by the same key, and none of them is any good. */
    public static List<Record> forged(RRSIGRecord good, int count) {
        final List<Record> bad = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final byte[] signature = good.getSignature().clone();
            signature[20] ^= (byte) (i + 1);
            signature[21] ^= (byte) ((i >> 8) + 1);
            bad.add(
                    new RRSIGRecord(
                            good.getName(),
                            good.getDClass(),
                            good.getTTL(),
                            good.getTypeCovered(),
                            good.getAlgorithm(),
                            good.getOrigTTL(),
                            good.getExpire(),
                            good.getTimeSigned(),
                            good.getFootprint(),
                            good.getSigner(),
                            signature));
        }
        return bad;
    }

    private synchronized byte[] respond(ReceivedQuery query) {
        final Message message =
                tree.respond(MemoryZone.name(query.name().toString()), query.type());
        if (message == null) {
            return new byte[0];
        }
        if (query.hasEdns()) {
            message.addRecord(new OPTRecord(1_232, 0, 0, Flags.DO), Section.ADDITIONAL);
        }
        final byte[] octets = message.toWire(MessageLayout.MAX_MESSAGE);
        System.arraycopy(query.octets(), MessageLayout.ID, octets, MessageLayout.ID, 2);
        return query.overTcp() ? octets : Responses.truncate(octets, query.payloadSize());
    }

    /** The server of all the zones. */
    public ScriptedUpstream server() {
        return server;
    }

    /** Queries so far for names at and below this one. */
    public long countBelow(String name) {
        final Name top = Name.of(name);
        return server.queries().stream().filter(q -> q.name().isSubdomainOf(top)).count();
    }

    /** The section {@code resolver} of a configuration that resolves and validates here. */
    public String configuration() {
        final String place = "127.0.0.1@" + server.port();
        final StringBuilder stubs = new StringBuilder();
        for (final String name : names) {
            stubs.append("    - {name: %s, servers: [%s]}\n".formatted(name, place));
        }
        return """
        resolver:
          root-hints: [ns %s]
          port: %d
          ipv6: false
          trust-anchors: ["%s"]
          stub-zones:
        %s\
        """
                .formatted(place, server.port(), tree.anchor().replace('\t', ' '), stubs);
    }

    @Override
    public void close() {
        server.close();
    }
}
