package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.testkit.MemoryZone;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * The same trees, sound and broken at random, before this validator and before dnsjava's: what one
 * takes for secure the other must too.
 */
class OracleTest {
    private static final int CASES = 500;
    private static final String[] NAMES = {
        "www.example.test",
        "alias.example.test",
        "away.example.test",
        "www.moved.example.test",
        "nothing.example.test",
        "deep.nothing.example.test",
        "ent.example.test",
        "x.b.ent.example.test",
        "any.wild.example.test",
        "a.b.wild.example.test",
        "wild.example.test",
        "example.test",
        "www.plain.test",
        "plain.test",
        "nothing.plain.test",
        "www.other.test",
        "zzz.other.test",
        "www.sub.example.test",
        "sub.example.test",
        "test",
        "nx",
        "topl.example.test"
    };
    private static final int[] TYPES = {Type.A, Type.TXT, Type.MX, Type.DS, Type.SOA, Type.CNAME};

    private static TestTree tree(Random random) {
        final int algorithm = random.nextBoolean() ? 13 : 15;
        final TestTree tree = new TestTree();
        tree.add(denial(MemoryZone.signed(".", algorithm), random));
        tree.add(denial(MemoryZone.signed("test", 8), random));
        final MemoryZone zone = denial(MemoryZone.signed("example.test", algorithm), random);
        zone.add("www A 192.0.2.1").add("www A 192.0.2.2").add("www TXT \"hello\"");
        zone.add("alias CNAME www").add("away CNAME www.other.test.");
        zone.add("topl CNAME nothing").add("a.b.ent A 192.0.2.3");
        zone.add("*.wild A 192.0.2.4").add("*.wild MX 10 mail");
        zone.add("moved DNAME other.test.");
        tree.add(zone);
        tree.add(denial(MemoryZone.signed("other.test", 13), random).add("www A 192.0.2.9"));
        tree.add(MemoryZone.unsigned("plain.test").add("www A 192.0.2.10"));
        tree.add(MemoryZone.signed("sub.example.test", 13).add("www A 192.0.2.11"));
        return tree;
    }

    private static MemoryZone denial(MemoryZone zone, Random random) {
        return switch (random.nextInt(4)) {
            case 0, 1 -> zone;
            case 2 -> zone.nsec3(random.nextInt(3), random.nextBoolean() ? "" : "abcd", false);
            default -> zone.nsec3(0, "", true);
        };
    }

    @Test
    void bothValidatorsAgree() {
        final long seed = 20_310_506L;
        final Random random = new Random(seed);
        final List<String> differences = new ArrayList<>();
        final Map<Status, Integer> seen = new EnumMap<>(Status.class);
        for (int i = 0; i < CASES; i++) {
            final TestTree tree = tree(random);
            final String name = NAMES[random.nextInt(NAMES.length)];
            final int type = TYPES[random.nextInt(TYPES.length)];
            final String broken = random.nextInt(3) == 0 ? "" : breakIt(tree, name, type, random);
            final Verdict verdict = ours(tree, name, type);
            final Status ours =
                    verdict.status() == Status.INDETERMINATE ? Status.BOGUS : verdict.status();
            final Status theirs = new Oracle(tree).status(name, type);
            seen.merge(ours, 1, Integer::sum);
            if (ours != theirs && !isExplained(tree, name, type, verdict, theirs)) {
                differences.add(
                        "case %d: %s %s, %s: ours %s, dnsjava %s\n%s"
                                .formatted(
                                        i,
                                        name,
                                        Type.string(type),
                                        broken,
                                        ours,
                                        theirs,
                                        tree.resolve(MemoryZone.name(name), type)));
            }
        }
        assertThat(seen.getOrDefault(Status.SECURE, 0)).isGreaterThan(CASES / 10);
        assertThat(seen.getOrDefault(Status.INSECURE, 0)).isGreaterThan(CASES / 20);
        assertThat(seen.getOrDefault(Status.BOGUS, 0)).isGreaterThan(CASES / 10);
        assertThat(differences).as("seed " + seed).isEmpty();
    }

    private static String breakIt(TestTree tree, String name, int type, Random random) {
        final String zone = new String[] {"example.test", "test", "other.test"}[random.nextInt(3)];
        return switch (random.nextInt(8)) {
            case 0 -> change(tree, zone, Type.DNSKEY, random);
            case 1 -> change(tree, zone, Type.DS, random);
            case 2 -> {
                tree.zone(zone)
                        .validity(MemoryZone.NOW.minusSeconds(999), MemoryZone.NOW.minusSeconds(9));
                yield zone + " expired";
            }
            default -> change(tree, name, type, random);
        };
    }

    private static String change(TestTree tree, String name, int type, Random random) {
        final int what = random.nextInt(6);
        final int pick = random.nextInt(100);
        final UnaryOperator<Message> change =
                message ->
                        switch (what) {
                            case 0 -> without(message, pick, Section.ANSWER, true);
                            case 1 -> without(message, pick, Section.AUTHORITY, true);
                            case 2 -> without(message, pick, Section.AUTHORITY, false);
                            case 3 -> spoil(message, pick, Section.ANSWER);
                            case 4 -> spoil(message, pick, Section.AUTHORITY);
                            default -> swapRcode(message);
                        };
        tree.change(name, type, change);
        return "%s %s changed by %d, %d".formatted(name, Type.string(type), what, pick);
    }

    private static Message without(Message message, int pick, int section, boolean signature) {
        final List<Record> records = new ArrayList<>(message.getSection(section));
        records.removeIf(it -> it instanceof RRSIGRecord != signature);
        records.removeIf(it -> it instanceof SOARecord);
        if (!records.isEmpty()) {
            message.removeRecord(records.get(pick % records.size()), section);
        }
        return message;
    }

    private static Message spoil(Message message, int pick, int section) {
        final List<Record> records = new ArrayList<>(message.getSection(section));
        if (!records.isEmpty()) {
            final Record record = records.get(pick % records.size());
            final byte[] rdata = record.rdataToWireCanonical();
            rdata[rdata.length - 1] ^= 1;
            final Record spoilt =
                    Record.newRecord(
                            record.getName(), record.getType(), DClass.IN, record.getTTL(), rdata);
            if (spoilt != null) {
                message.removeRecord(record, section);
                message.addRecord(spoilt, section);
            }
        }
        return message;
    }

    private static Message swapRcode(Message message) {
        final boolean nameError = message.getRcode() == Rcode.NXDOMAIN;
        message.getHeader().setRcode(nameError ? Rcode.NOERROR : Rcode.NXDOMAIN);
        return message;
    }

    private static Verdict ours(TestTree tree, String name, int type) {
        final DnssecValidator validator = new Fixture(tree).validator;
        final Message response = tree.resolve(MemoryZone.name(name), type);
        if (response == null) {
            throw new IllegalStateException(name);
        }
        return validator.validate(Name.of(name), type, TestTree.view(response), Name.ROOT, tree);
    }

    /** The differences that are known, each with its reason. */
    private static boolean isExplained(
            TestTree tree, String name, int type, Verdict ours, Status theirs) {
        final Message response = tree.resolve(MemoryZone.name(name), type);
        if (response == null) {
            return false;
        }
        final List<RRset> authority = response.getSectionRRsets(Section.AUTHORITY);
        final boolean optOut = ours.text().contains("opt-out");
        // NXDOMAIN where NODATA is proven: dnsjava puts it right for NSEC, not for NSEC3.
        if (ours.nodata()) {
            return theirs == Status.BOGUS;
        }
        // RFC 5155, section 9.2: no AD for NXDOMAIN by opt-out, behind an alias either.
        if (optOut && theirs == Status.SECURE) {
            return response.getRcode() == Rcode.NXDOMAIN
                    && !response.getSection(Section.ANSWER).isEmpty();
        }
        // In an opt-out range there may be an unsigned delegation, so a NODATA is possible.
        if (optOut && theirs == Status.BOGUS) {
            return response.getRcode() == Rcode.NOERROR;
        }
        // An NSEC3 without signature proves nothing (RFC 4035, section 5.4), not even opt-out.
        return ours.status() == Status.BOGUS
                && theirs == Status.INSECURE
                && authority.stream()
                        .anyMatch(it -> it.getType() == Type.NSEC3 && it.sigs().isEmpty());
    }
}
