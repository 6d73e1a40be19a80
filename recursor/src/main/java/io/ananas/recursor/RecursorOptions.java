package io.ananas.recursor;

import io.ananas.message.Edns;
import java.util.List;
import java.util.function.Consumer;

/**
 * How the recursor works. Immutable; {@code with...} methods give a changed one.
 *
 * @param rootHints where the root servers are at first
 * @param zones stub and forward zones
 * @param localZones what is answered without asking anybody
 * @param minimisation how much of a name a server gets to see (RFC 9156)
 * @param caseRandomisation whether letters go out in random case, and must come back in it
 * @param cookies whether servers are sent cookies (RFC 7873)
 * @param ipv4 whether servers are asked over IPv4
 * @param ipv6 whether servers are asked over IPv6
 * @param queryLocalNetworks whether referrals may lead to loopback and private addresses; those of
 *     stub and forward zones may in any case, and those below root hints that are local themselves
 * @param fullAnswers whether answers carry what servers added besides: NS records, addresses
 * @param payloadSize UDP payload size offered to servers, 512 to 4,096 octets
 * @param port where servers that referrals lead to listen; 53 but in laboratories
 * @param maxTtl seconds, the longest that anything is believed
 * @param maxNegativeTtl seconds, the longest that a denial is believed
 * @param limits what one question may cost
 * @param linkOctets heap for what resolution itself needs again, octets
 * @param memorySize entries of each of the other memories: delegations, servers, failures
 */
public record RecursorOptions(
        RootHints rootHints,
        List<ConfiguredZone> zones,
        LocalZones localZones,
        Minimisation minimisation,
        boolean caseRandomisation,
        boolean cookies,
        boolean ipv4,
        boolean ipv6,
        boolean queryLocalNetworks,
        boolean fullAnswers,
        int payloadSize,
        int port,
        int maxTtl,
        int maxNegativeTtl,
        Limits limits,
        long linkOctets,
        int memorySize) {
    /** How QNAMEs are minimised. */
    public enum Minimisation {
        /** Every server sees the whole name. */
        OFF,
        /** Where a minimised query fails or finds no name, the whole name is asked. */
        RELAXED,
        /** A minimised query that finds no name is believed. */
        STRICT
    }

    /** As a public resolver runs it. */
    public static final RecursorOptions DEFAULT =
            new RecursorOptions(
                    RootHints.builtIn(),
                    List.of(),
                    LocalZones.specialNames(),
                    Minimisation.RELAXED,
                    false,
                    true,
                    true,
                    true,
                    false,
                    false,
                    Edns.PAYLOAD_SIZE,
                    53,
                    86_400,
                    10_800,
                    Limits.DEFAULT,
                    32L << 20,
                    50_000);

    public RecursorOptions {
        zones = List.copyOf(zones);
        if (!ipv4 && !ipv6) {
            throw new IllegalArgumentException("of ipv4 and ipv6 at least one must be on");
        }
        if (payloadSize < 512 || payloadSize > 4_096) {
            throw new IllegalArgumentException(
                    "payloadSize must be 512 to 4096 octets, not " + payloadSize);
        }
        if (port < 1 || port > 0xffff) {
            throw new IllegalArgumentException("port must be 1 to 65535, not " + port);
        }
        if (maxTtl < 1 || maxNegativeTtl < 0 || linkOctets < 1 || memorySize < 1) {
            throw new IllegalArgumentException(
                    "maxTtl, linkOctets and memorySize must be at least 1 and maxNegativeTtl at least 0; got %d, %d, %d and %d"
                            .formatted(maxTtl, linkOctets, memorySize, maxNegativeTtl));
        }
    }

    public RecursorOptions withRootHints(RootHints other) {
        return with(draft -> draft.rootHints = other);
    }

    public RecursorOptions withZones(List<ConfiguredZone> other) {
        return with(draft -> draft.zones = other);
    }

    public RecursorOptions withLocalZones(LocalZones other) {
        return with(draft -> draft.localZones = other);
    }

    public RecursorOptions withMinimisation(Minimisation other) {
        return with(draft -> draft.minimisation = other);
    }

    public RecursorOptions withCaseRandomisation(boolean other) {
        return with(draft -> draft.caseRandomisation = other);
    }

    public RecursorOptions withCookies(boolean other) {
        return with(draft -> draft.cookies = other);
    }

    public RecursorOptions withIpv4(boolean other) {
        return with(draft -> draft.ipv4 = other);
    }

    public RecursorOptions withIpv6(boolean other) {
        return with(draft -> draft.ipv6 = other);
    }

    public RecursorOptions withQueryLocalNetworks(boolean other) {
        return with(draft -> draft.queryLocalNetworks = other);
    }

    public RecursorOptions withFullAnswers(boolean other) {
        return with(draft -> draft.fullAnswers = other);
    }

    public RecursorOptions withMaxTtl(int other) {
        return with(draft -> draft.maxTtl = other);
    }

    public RecursorOptions withMaxNegativeTtl(int other) {
        return with(draft -> draft.maxNegativeTtl = other);
    }

    public RecursorOptions withLimits(Limits other) {
        return with(draft -> draft.limits = other);
    }

    private RecursorOptions with(Consumer<Draft> change) {
        final Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** Options on their way to being others. */
    private static final class Draft {
        private RootHints rootHints;
        private List<ConfiguredZone> zones;
        private LocalZones localZones;
        private Minimisation minimisation;
        private boolean caseRandomisation;
        private boolean cookies;
        private boolean ipv4;
        private boolean ipv6;
        private boolean queryLocalNetworks;
        private boolean fullAnswers;
        private final int payloadSize;
        private final int port;
        private int maxTtl;
        private int maxNegativeTtl;
        private Limits limits;
        private final long linkOctets;
        private final int memorySize;

        Draft(RecursorOptions from) {
            rootHints = from.rootHints;
            zones = from.zones;
            localZones = from.localZones;
            minimisation = from.minimisation;
            caseRandomisation = from.caseRandomisation;
            cookies = from.cookies;
            ipv4 = from.ipv4;
            ipv6 = from.ipv6;
            queryLocalNetworks = from.queryLocalNetworks;
            fullAnswers = from.fullAnswers;
            payloadSize = from.payloadSize;
            port = from.port;
            maxTtl = from.maxTtl;
            maxNegativeTtl = from.maxNegativeTtl;
            limits = from.limits;
            linkOctets = from.linkOctets;
            memorySize = from.memorySize;
        }

        RecursorOptions options() {
            return new RecursorOptions(
                    rootHints,
                    zones,
                    localZones,
                    minimisation,
                    caseRandomisation,
                    cookies,
                    ipv4,
                    ipv6,
                    queryLocalNetworks,
                    fullAnswers,
                    payloadSize,
                    port,
                    maxTtl,
                    maxNegativeTtl,
                    limits,
                    linkOctets,
                    memorySize);
        }
    }
}
