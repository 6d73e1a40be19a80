package io.ananas.recursor;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.Judgement.Answered;
import io.ananas.recursor.Judgement.Failing;
import io.ananas.recursor.Judgement.Lame;
import io.ananas.recursor.Judgement.Referred;
import io.ananas.recursor.Link.Kind;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the response of a server of one zone.
 *
 * <p><b>Scrubbing.</b> Nothing counts whose owner is not at or below the zone that was asked (RFC
 * 5452, section 6): what a server adds of other zones is neither kept nor passed on. Of the
 * additional section addresses are taken as glue for the servers of a referral, and for nothing
 * else (RFC 2181, section 5.4.1).
 *
 * <p><b>Order</b> (RFC 1034, section 5.3.3): an answer, an alias, a denial, a referral; what is
 * none of these is lame or broken. Aliases are followed within the response as long as they stay in
 * the zone; the response code belongs to the last name of the chain (RFC 6604, section 3) and is
 * believed of it only if that is in the zone and an SOA record stands for it. A denial has an SOA
 * record (RFC 2308, section 2.1); without one it is good for the question in progress only. CNAME
 * records that came with a DNAME record are not read but made anew (RFC 6672, section 3.4).
 */
final class Judge {
    private static final int SOA_MINIMUM = 4;

    private final RecursorOptions options;
    private final InstantSource clock;
    private final BiPredicate<Name, Name> sameService;

    /**
     * @param sameService whether two names would be asked of the same configured servers
     */
    Judge(RecursorOptions options, InstantSource clock, BiPredicate<Name, Name> sameService) {
        this.options = options;
        this.clock = clock;
        this.sameService = sameService;
    }

    /** Judges a response to {@code asked} of a server that {@code from} named. */
    Judgement judge(
            Delegation from, QuestionKey asked, MessageView view, InetSocketAddress server) {
        final int code = view.responseCode();
        return switch (code) {
            case ResponseCode.NOERROR, ResponseCode.NXDOMAIN, ResponseCode.YXDOMAIN ->
                    new Reading(from, asked, view, server).judge();
            case ResponseCode.REFUSED, ResponseCode.NOTAUTH -> new Lame(ResponseCode.text(code));
            default -> new Failing(ResponseCode.text(code));
        };
    }

    /** One response being read. */
    private final class Reading {
        private final Delegation from;
        private final QuestionKey asked;
        private final MessageView view;
        private final InetSocketAddress server;
        private final Name zone;
        private final boolean forward;
        private final boolean authoritative;
        private final List<RRset> answers;
        private final List<RRset> authority;
        private final List<RRset> additional;
        private final long now = clock.millis();

        Reading(Delegation from, QuestionKey asked, MessageView view, InetSocketAddress server) {
            this.from = from;
            this.asked = asked;
            this.view = view;
            this.server = server;
            zone = from.zone();
            forward = from.source() == Delegation.Source.FORWARD;
            authoritative = (view.flags() & MessageLayout.AA) != 0;
            final boolean signaturesAlone = asked.type() == RecordType.RRSIG;
            answers = read(MessageView.ANSWER, signaturesAlone);
            authority = read(MessageView.AUTHORITY, false);
            additional = read(MessageView.ADDITIONAL, false);
        }

        private List<RRset> read(int section, boolean signaturesAlone) {
            return RRset.read(view, section, zone, signaturesAlone, options.maxTtl());
        }

        Judgement judge() {
            final RRset cut = forward ? null : cut();
            if (cut != null && !authoritative && view.responseCode() == ResponseCode.NOERROR) {
                return refer(cut);
            }
            final List<Link> links = chain();
            if (!links.isEmpty()) {
                return new Answered(links, zoneServers());
            }
            if (view.endRecord(MessageView.ANSWER) > 0 && soaFor(asked.name()) == null) {
                return new Failing("an answer that does not belong to the question");
            }
            if (view.responseCode() == ResponseCode.NXDOMAIN) {
                return answered(denial(asked.name(), Kind.NAME_ERROR));
            }
            if (soaFor(asked.name()) != null) {
                return answered(denial(asked.name(), Kind.NO_DATA));
            }
            return cut != null ? refer(cut) : withoutAnything();
        }

        private Judgement answered(Link link) {
            return new Answered(List.of(link), zoneServers());
        }

        private Judgement withoutAnything() {
            if (!authoritative && !forward) {
                if (view.endRecord(MessageView.AUTHORITY) > view.endRecord(MessageView.ANSWER)) {
                    return new Lame("it refers to a zone that is not below " + zone);
                }
                if ((view.flags() & MessageLayout.RA) != 0) {
                    return new Lame("it resolves and does not serve " + zone);
                }
            }
            return answered(denial(asked.name(), Kind.NO_DATA));
        }

        /** The NS records of a zone below ours that the name is in. */
        private @Nullable RRset cut() {
            for (final RRset set : authority) {
                if (set.type() == RecordType.NS
                        && set.owner().length() > zone.length()
                        && asked.name().isSubdomainOf(set.owner())) {
                    return set;
                }
            }
            return null;
        }

        private Judgement refer(RRset ns) {
            final Link ds = ds(ns.owner());
            if (asked.type() == RecordType.DS && asked.name().equals(ns.owner())) {
                return answered(ds != null ? ds : denial(asked.name(), Kind.NO_DATA));
            }
            final Delegation delegation =
                    new Delegation(
                            ns.owner(),
                            Delegation.Source.REFERRAL,
                            servers(ns),
                            now + ns.ttl() * 1_000,
                            from.localAllowed());
            return new Referred(delegation, ds);
        }

        private List<NameServer> servers(RRset ns) {
            final List<NameServer> servers = new ArrayList<>();
            for (final byte[] rdata : ns.rdatas()) {
                final Name name = Name.ofWire(rdata, 0);
                final List<InetSocketAddress> glue = new ArrayList<>(2);
                for (final RRset set : additional) {
                    if (set.owner().equals(name)
                            && (set.type() == RecordType.A || set.type() == RecordType.AAAA)) {
                        set.rdatas().forEach(address -> glue.add(socket(address)));
                    }
                }
                servers.add(new NameServer(name, glue));
            }
            return servers;
        }

        private InetSocketAddress socket(byte[] address) {
            return new InetSocketAddress(RootHints.address(address), options.port());
        }

        /** The zone's own word on its servers, if it is authoritative. */
        private List<NameServer> zoneServers() {
            if (authoritative && !forward) {
                for (final List<RRset> section : List.of(authority, answers)) {
                    for (final RRset set : section) {
                        if (set.is(zone, RecordType.NS)) {
                            return servers(set);
                        }
                    }
                }
            }
            return List.of();
        }

        private @Nullable Link ds(Name child) {
            final List<RRset> proofs = new ArrayList<>();
            for (final RRset set : authority) {
                if (set.is(child, RecordType.DS)) {
                    return link(
                            child, RecordType.DS, Kind.ANSWER, List.of(set), List.of(), set.ttl());
                }
                if (isProof(set)) {
                    proofs.add(set);
                }
            }
            if (proofs.isEmpty()) {
                return null;
            }
            final long ttl = Math.min(options.maxNegativeTtl(), least(proofs));
            return link(child, RecordType.DS, Kind.NO_DATA, List.of(), proofs, ttl);
        }

        /** The name asked for, and what follows it in this response. */
        private List<Link> chain() {
            final List<Link> links = new ArrayList<>(2);
            final Set<Name> visited = new HashSet<>();
            Name name = asked.name();
            while (visited.add(name) && isOurs(name)) {
                final Link link = step(name);
                if (link == null) {
                    final Link end = links.isEmpty() ? null : end(name);
                    if (end != null) {
                        links.add(end);
                    }
                    return links;
                }
                links.add(link);
                if (link.kind() != Kind.ALIAS) {
                    return links;
                }
                name = link.target();
            }
            return links;
        }

        private boolean isOurs(Name name) {
            return name.isSubdomainOf(zone) && sameService.test(asked.name(), name);
        }

        private @Nullable Link step(Name name) {
            final List<RRset> exact = new ArrayList<>(1);
            for (final RRset set : answers) {
                if (set.owner().equals(name)
                        && (set.type() == asked.type() || asked.type() == RecordType.ANY)) {
                    exact.add(set);
                }
            }
            if (!exact.isEmpty()) {
                return answer(name, exact);
            }
            for (final RRset set : answers) {
                if (set.type() == RecordType.DNAME
                        && name.length() > set.owner().length()
                        && name.isSubdomainOf(set.owner())) {
                    final Link dname = alias(set.owner(), RecordType.DNAME, Kind.ANSWER, set);
                    return Aliases.fromDname(dname, name, asked.type());
                }
            }
            if (LinkCache.followsAliases(asked.type())) {
                for (final RRset set : answers) {
                    if (set.is(name, RecordType.CNAME) && set.rdatas().size() == 1) {
                        return alias(name, asked.type(), Kind.ALIAS, set);
                    }
                }
            }
            return null;
        }

        private Link answer(Name name, List<RRset> sets) {
            final boolean expanded = sets.stream().anyMatch(RRset::isExpanded);
            final List<RRset> besides = new ArrayList<>();
            long ttl = least(sets);
            for (final RRset set : authority) {
                if (set.type() == RecordType.NS || (expanded && isProof(set))) {
                    besides.add(set);
                    ttl = isProof(set) ? Math.min(ttl, set.ttl()) : ttl;
                }
            }
            return link(name, asked.type(), Kind.ANSWER, sets, besides, ttl);
        }

        private Link alias(Name name, int type, Kind kind, RRset set) {
            final List<RRset> proofs =
                    set.isExpanded()
                            ? authority.stream().filter(Reading::isProof).toList()
                            : List.of();
            return link(name, type, kind, List.of(set), proofs, set.ttl());
        }

        /** What the response says of the last name of its chain, if it says it properly. */
        private @Nullable Link end(Name name) {
            if (soaFor(name) == null) {
                return null;
            }
            return denial(
                    name,
                    view.responseCode() == ResponseCode.NXDOMAIN ? Kind.NAME_ERROR : Kind.NO_DATA);
        }

        private Link denial(Name name, Kind kind) {
            final List<RRset> proofs = new ArrayList<>();
            final RRset soa = soaFor(name);
            long ttl = 0;
            if (soa != null) {
                ttl = Math.min(options.maxNegativeTtl(), Math.min(soa.ttl(), minimum(soa)));
                proofs.add(soa.withTtl(ttl));
            }
            for (final RRset set : authority) {
                if (isProof(set)) {
                    proofs.add(set);
                    ttl = Math.min(ttl, set.ttl());
                }
            }
            return link(name, asked.type(), kind, List.of(), proofs, ttl);
        }

        private @Nullable RRset soaFor(Name name) {
            for (final RRset set : authority) {
                if (set.type() == RecordType.SOA && name.isSubdomainOf(set.owner())) {
                    return set;
                }
            }
            return null;
        }

        private static long minimum(RRset soa) {
            final byte[] rdata = soa.rdatas().getFirst();
            long minimum = 0;
            for (int i = rdata.length - SOA_MINIMUM; i < rdata.length; i++) {
                minimum = minimum << 8 | (rdata[i] & 0xff);
            }
            return minimum;
        }

        private static boolean isProof(RRset set) {
            return set.type() == RecordType.NSEC || set.type() == RecordType.NSEC3;
        }

        private static long least(List<RRset> sets) {
            long least = Long.MAX_VALUE;
            for (final RRset set : sets) {
                least = Math.min(least, set.ttl());
            }
            return least;
        }

        private Link link(
                Name name,
                int type,
                Kind kind,
                List<RRset> answer,
                List<RRset> besides,
                long lifetime) {
            return new Link(
                    name,
                    type,
                    kind,
                    kind == Kind.NAME_ERROR ? ResponseCode.NXDOMAIN : ResponseCode.NOERROR,
                    name,
                    zone,
                    answer,
                    besides,
                    kind == Kind.ANSWER ? additional : List.of(),
                    now,
                    lifetime,
                    server,
                    null);
        }
    }
}
