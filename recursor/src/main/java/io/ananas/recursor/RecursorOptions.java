package io.ananas.recursor;

import io.ananas.message.Edns;
import java.util.List;

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
        return new RecursorOptions(
                other,
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

    public RecursorOptions withZones(List<ConfiguredZone> other) {
        return new RecursorOptions(
                rootHints,
                other,
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

    public RecursorOptions withLocalZones(LocalZones other) {
        return new RecursorOptions(
                rootHints,
                zones,
                other,
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

    public RecursorOptions withMinimisation(Minimisation other) {
        return new RecursorOptions(
                rootHints,
                zones,
                localZones,
                other,
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

    public RecursorOptions withCaseRandomisation(boolean other) {
        return new RecursorOptions(
                rootHints,
                zones,
                localZones,
                minimisation,
                other,
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

    public RecursorOptions withCookies(boolean other) {
        return new RecursorOptions(
                rootHints,
                zones,
                localZones,
                minimisation,
                caseRandomisation,
                other,
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

    public RecursorOptions withIpv4(boolean other) {
        return new RecursorOptions(
                rootHints,
                zones,
                localZones,
                minimisation,
                caseRandomisation,
                cookies,
                other,
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

    public RecursorOptions withIpv6(boolean other) {
        return new RecursorOptions(
                rootHints,
                zones,
                localZones,
                minimisation,
                caseRandomisation,
                cookies,
                ipv4,
                other,
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

    public RecursorOptions withQueryLocalNetworks(boolean other) {
        return new RecursorOptions(
                rootHints,
                zones,
                localZones,
                minimisation,
                caseRandomisation,
                cookies,
                ipv4,
                ipv6,
                other,
                fullAnswers,
                payloadSize,
                port,
                maxTtl,
                maxNegativeTtl,
                limits,
                linkOctets,
                memorySize);
    }

    public RecursorOptions withFullAnswers(boolean other) {
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
                other,
                payloadSize,
                port,
                maxTtl,
                maxNegativeTtl,
                limits,
                linkOctets,
                memorySize);
    }

    public RecursorOptions withPayloadSize(int other) {
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
                other,
                port,
                maxTtl,
                maxNegativeTtl,
                limits,
                linkOctets,
                memorySize);
    }

    public RecursorOptions withPort(int other) {
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
                other,
                maxTtl,
                maxNegativeTtl,
                limits,
                linkOctets,
                memorySize);
    }

    public RecursorOptions withMaxTtl(int other) {
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
                other,
                maxNegativeTtl,
                limits,
                linkOctets,
                memorySize);
    }

    public RecursorOptions withMaxNegativeTtl(int other) {
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
                other,
                limits,
                linkOctets,
                memorySize);
    }

    public RecursorOptions withLimits(Limits other) {
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
                other,
                linkOctets,
                memorySize);
    }

    public RecursorOptions withLinkOctets(long other) {
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
                other,
                memorySize);
    }

    public RecursorOptions withMemorySize(int other) {
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
                other);
    }
}
