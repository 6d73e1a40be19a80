package io.ananas.testkit;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsMessage.Question;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes random responses of every shape that DNS permits; the same ones for the same seed.
 *
 * <p>They are valid: all of class IN, an RRset stands once, has one TTL and no record twice, a
 * CNAME stands alone at its owner. Names hold any octets, in mixed case, up to 255 of them. Not
 * thread-safe.
 */
public final class AnswerGenerator {
    /** What kind of response. */
    public enum Shape {
        /** One A or AAAA RRset for the name asked. */
        ADDRESSES,
        /** Any type at the name asked, or one that nobody knows. */
        ANY_TYPE,
        /** One to eight CNAMEs, and maybe what was asked at the end. */
        ALIASES,
        /** Name error with SOA, maybe behind an alias, maybe with signed proof. */
        NAME_ERROR,
        /** No data with SOA, maybe with signed proof. */
        NO_DATA,
        /** A referral: NS and DS, and addresses. */
        REFERRAL,
        /** All sections, signatures, aliases, DNAME. */
        FULL,
        /** A failure with Extended DNS Errors and no records. */
        FAILURE,
        /** TXT of many strings, or hundreds of addresses: up to 65,535 octets. */
        LARGE
    }

    private static final Shape[] SHAPES = Shape.values();
    private static final long[] TTLS = {0, 1, 30, 300, 3600, 86_400, 604_800, 0x7fff_ffffL};

    private final Random random;
    private final RandomNames names;
    private final RandomRdata rdata;
    private final Map<Name, Map<Integer, Long>> ttls = new HashMap<>();
    private List<ResourceRecord> answer = new ArrayList<>();
    private List<ResourceRecord> authority = new ArrayList<>();
    private List<ResourceRecord> additional = new ArrayList<>();
    private Name name = Name.ROOT;
    private int type;

    public AnswerGenerator(long seed) {
        random = new Random(seed);
        names = new RandomNames(random);
        rdata = new RandomRdata(random, names);
    }

    /** The response that a generator with this seed makes first. */
    public static DnsMessage answer(long seed) {
        return new AnswerGenerator(seed).next();
    }

    /** The next response, of any shape. */
    public DnsMessage next() {
        return next(SHAPES[random.nextInt(SHAPES.length)]);
    }

    /** The next response of a shape. */
    public DnsMessage next(Shape shape) {
        ttls.clear();
        answer = new ArrayList<>();
        authority = new ArrayList<>();
        additional = new ArrayList<>();
        name = names.next();
        type = RecordType.A;
        final int code = fill(shape);
        int flags = MessageLayout.QR | MessageLayout.RD | MessageLayout.RA;
        if (random.nextInt(4) == 0) {
            flags |= MessageLayout.AA;
        }
        if (random.nextInt(4) == 0) {
            flags |= MessageLayout.AD;
        }
        if (random.nextInt(8) == 0) {
            flags |= MessageLayout.CD;
        }
        return new DnsMessage(
                random.nextInt(0x10000),
                flags,
                code,
                new Question(name, type, RecordClass.IN),
                answer,
                authority,
                additional,
                edns(code != ResponseCode.NOERROR && code != ResponseCode.NXDOMAIN));
    }

    private int fill(Shape shape) {
        return switch (shape) {
            case ADDRESSES -> {
                type = random.nextBoolean() ? RecordType.A : RecordType.AAAA;
                rrset(answer, name, type, 1 + random.nextInt(8));
                yield ResponseCode.NOERROR;
            }
            case ANY_TYPE -> {
                type = anyType();
                rrset(answer, name, type, 1 + random.nextInt(4));
                yield ResponseCode.NOERROR;
            }
            case ALIASES -> {
                type = anyType();
                final Name last = aliases(1 + random.nextInt(8));
                if (random.nextInt(4) != 0) {
                    rrset(answer, last, type, 1 + random.nextInt(4));
                }
                yield ResponseCode.NOERROR;
            }
            case NAME_ERROR -> {
                type = anyType();
                negative(random.nextInt(4) == 0 ? aliases(1) : name);
                yield ResponseCode.NXDOMAIN;
            }
            case NO_DATA -> {
                type = anyType();
                negative(name);
                yield ResponseCode.NOERROR;
            }
            case REFERRAL -> {
                referral();
                yield ResponseCode.NOERROR;
            }
            case FULL -> {
                full();
                yield ResponseCode.NOERROR;
            }
            case FAILURE -> random.nextBoolean() ? ResponseCode.SERVFAIL : ResponseCode.REFUSED;
            case LARGE -> {
                large();
                yield ResponseCode.NOERROR;
            }
        };
    }

    private int anyType() {
        return random.nextInt(8) == 0
                ? 65_280 + random.nextInt(254)
                : RandomRdata.TYPES[random.nextInt(RandomRdata.TYPES.length)];
    }

    private long ttl() {
        return random.nextBoolean() ? TTLS[random.nextInt(TTLS.length)] : random.nextInt(86_400);
    }

    private void rrset(List<ResourceRecord> section, Name owner, int ofType, int count) {
        rrset(section, owner, ofType, contents(ofType, count));
    }

    private boolean rrset(
            List<ResourceRecord> section, Name owner, int ofType, List<byte[]> contents) {
        final Map<Integer, Long> atOwner = ttls.computeIfAbsent(owner, absent -> new HashMap<>());
        final boolean alone = ofType == RecordType.CNAME || atOwner.containsKey(RecordType.CNAME);
        if (atOwner.containsKey(ofType) || (alone && !atOwner.isEmpty())) {
            return false;
        }
        final long ttl = ttl();
        atOwner.put(ofType, ttl);
        final Set<ResourceRecord> records = new LinkedHashSet<>();
        for (final byte[] content : contents) {
            records.add(ResourceRecord.of(owner, ofType, ttl, content));
        }
        section.addAll(records);
        return true;
    }

    private boolean single(List<ResourceRecord> section, Name owner, int ofType, byte[] content) {
        return rrset(section, owner, ofType, List.of(content));
    }

    /** Adds an RRset and one signature over it or two, of the same TTL (RFC 4034, section 3). */
    private void signed(
            List<ResourceRecord> section, Name owner, int ofType, List<byte[]> contents) {
        if (!rrset(section, owner, ofType, contents)) {
            return;
        }
        final long ttl = section.getLast().ttl();
        for (int i = random.nextInt(4) == 0 ? 2 : 1; i > 0; i--) {
            section.add(
                    ResourceRecord.of(
                            owner, RecordType.RRSIG, ttl, rdata.signature(ofType, owner, ttl)));
        }
    }

    private List<byte[]> contents(int ofType, int count) {
        final List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            contents.add(rdata.next(ofType));
        }
        return contents;
    }

    private Name aliases(int count) {
        Name at = name;
        for (int i = 0; i < count; i++) {
            final Name target = names.next();
            final List<byte[]> content = List.of(target.wire());
            if (ttls.containsKey(target) || target.equals(at)) {
                return at;
            }
            if (random.nextInt(6) == 0) {
                signed(answer, at, RecordType.CNAME, content);
            } else {
                rrset(answer, at, RecordType.CNAME, content);
            }
            at = target;
        }
        return at;
    }

    private void negative(Name denied) {
        final Name apex = denied.suffix(Math.min(denied.labelCount(), 1 + random.nextInt(3)));
        final List<byte[]> soa = contents(RecordType.SOA, 1);
        final int proof = random.nextInt(4);
        if (proof == 0) {
            rrset(authority, apex, RecordType.SOA, soa);
            return;
        }
        signed(authority, apex, RecordType.SOA, soa);
        for (int i = 0; i < proof; i++) {
            final Name owner = names.below(apex);
            if (random.nextBoolean()) {
                final byte[] next = rdata.nsec(names.below(apex));
                signed(authority, owner, RecordType.NSEC, List.of(next));
            } else {
                signed(authority, owner, RecordType.NSEC3, List.of(rdata.nsec3()));
            }
        }
    }

    private void referral() {
        final Name cut = name.suffix(Math.min(name.labelCount(), 2));
        final List<Name> servers = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            servers.add(names.below(cut));
        }
        rrset(authority, cut, RecordType.NS, servers.stream().map(Name::wire).toList());
        if (random.nextBoolean()) {
            signed(authority, cut, RecordType.DS, contents(RecordType.DS, 1 + random.nextInt(2)));
        }
        for (final Name server : servers) {
            rrset(additional, server, RecordType.A, 1 + random.nextInt(2));
            rrset(additional, server, RecordType.AAAA, 1);
        }
    }

    private void full() {
        type = anyType();
        if (random.nextInt(4) == 0 && !name.isRoot()) {
            signed(answer, name.parent(), RecordType.DNAME, contents(RecordType.DNAME, 1));
        }
        final Name last = random.nextBoolean() ? aliases(1 + random.nextInt(2)) : name;
        signed(answer, last, type, contents(type, 1 + random.nextInt(5)));
        final Name zone = last.suffix(Math.min(last.labelCount(), 1));
        signed(authority, zone, RecordType.NS, contents(RecordType.NS, 1 + random.nextInt(3)));
        for (int i = random.nextInt(6); i > 0; i--) {
            final Name owner = names.next();
            final int extra = anyType();
            final List<byte[]> content = contents(extra, 1 + random.nextInt(3));
            if (random.nextBoolean()) {
                signed(additional, owner, extra, content);
            } else {
                rrset(additional, owner, extra, content);
            }
        }
    }

    private void large() {
        switch (random.nextInt(3)) {
            case 0 -> {
                type = RecordType.TXT;
                final int strings = 1 + random.nextInt(200);
                single(answer, name, type, rdata.text(strings, 255));
            }
            case 1 -> {
                type = RecordType.A;
                // uncompressed, the longest owner makes a record of 269 octets
                rrset(answer, name, type, 1 + random.nextInt(230));
            }
            default -> {
                type = 65_300;
                final byte[] content = new byte[random.nextInt(64_000)];
                random.nextBytes(content);
                single(answer, name, type, content);
            }
        }
    }

    private @Nullable Edns edns(boolean failure) {
        if (!failure && random.nextInt(3) == 0) {
            return null;
        }
        Edns edns = Edns.of(Edns.PAYLOAD_SIZE, random.nextBoolean());
        final ExtendedError[] errors = ExtendedError.values();
        for (int i = failure ? 1 + random.nextInt(3) : random.nextInt(8) / 7; i > 0; i--) {
            final ExtendedError error = errors[random.nextInt(errors.length)];
            edns =
                    edns.with(
                            EdnsOption.extendedError(
                                    error, random.nextBoolean() ? error.text() : ""));
        }
        return edns;
    }
}
