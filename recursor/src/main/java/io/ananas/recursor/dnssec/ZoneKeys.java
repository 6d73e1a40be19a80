package io.ananas.recursor.dnssec;

import io.ananas.message.ExtendedError;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of a zone and holds them against what its parent, or a trust anchor, says (RFC
 * 4035, section 5.2): one key must match, and must have signed the DNSKEY RRset. Then all keys of
 * the RRset count.
 */
final class ZoneKeys {
    /** Keys of one zone that are compared with DS records; a sound zone needs a few. */
    private static final int MAX_DIGESTS = 32;

    private final RrsetVerifier verifier;

    ZoneKeys(RrsetVerifier verifier) {
        this.verifier = verifier;
    }

    /**
     * @param point of known digests and algorithms only, not empty
     * @param expires of what the parent says, seconds since 1970
     */
    ZoneTrust read(TrustPoint point, long expires, @Nullable MessageView response, Work work) {
        final Name zone = point.zone();
        if (response == null
                || (response.responseCode() != ResponseCode.NOERROR
                        && response.responseCode() != ResponseCode.NXDOMAIN)) {
            return ChainOfTrust.unreachable(zone, RecordType.DNSKEY, work);
        }
        final Rrset set = Section.of(response, MessageView.ANSWER).get(zone, RecordType.DNSKEY);
        if (set == null) {
            return ChainOfTrust.bogus(
                    zone,
                    new Failure(
                            ExtendedError.DNSKEY_MISSING,
                            "%s must be signed, by %s, and has no DNSKEY RRset; the DS record must go or the keys come back"
                                    .formatted(zone, expected(point))),
                    work);
        }
        final List<Dnskey> keys = parse(set);
        final List<Dnskey> entries = entryPoints(point, keys, work);
        if (entries.isEmpty()) {
            return ChainOfTrust.bogus(zone, noMatch(point, keys), work);
        }
        return switch (verifier.verify(set, zone, entries, work)) {
            case Failure failure -> ChainOfTrust.bogus(zone, failure, work);
            case Valid valid ->
                    new ZoneTrust.Secure(
                            zone,
                            keys.stream().filter(Dnskey::maySignZone).toList(),
                            Math.min(expires, ChainOfTrust.expires(work, valid.ttl())));
        };
    }

    static List<Dnskey> parse(Rrset set) {
        final List<Dnskey> keys = new ArrayList<>();
        for (final byte[] rdata : set.rdata()) {
            final Dnskey key = Dnskey.parse(rdata);
            if (key != null) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** The keys that the parent or the anchor vouches for. */
    static List<Dnskey> entryPoints(TrustPoint point, List<Dnskey> keys, Work work) {
        final List<Dnskey> entries = new ArrayList<>(2);
        int digests = 0;
        for (final Dnskey key : keys) {
            if (key.maySignZone() && point.keys().contains(key)) {
                entries.add(key);
            } else if (key.maySignZone()) {
                for (final DelegationSigner ds : point.delegationSigners()) {
                    if (ds.mayMatch(key) && digests < MAX_DIGESTS) {
                        digests++;
                        work.beforeDigest();
                        if (ds.matches(point.zone(), key)) {
                            entries.add(key);
                            break;
                        }
                    }
                }
            }
        }
        return entries;
    }

    private static Failure noMatch(TrustPoint point, List<Dnskey> keys) {
        final boolean zoneKeys = keys.stream().anyMatch(Dnskey::isZoneKey);
        return new Failure(
                zoneKeys ? ExtendedError.DNSKEY_MISSING : ExtendedError.NO_ZONE_KEY_BIT_SET,
                "no DNSKEY of %s matches what is expected, %s; it has %s; after a change of keys the DS record must follow"
                        .formatted(point.zone(), expected(point), RrsetVerifier.list(keys)));
    }

    private static String expected(TrustPoint point) {
        final String from =
                point.delegationSigners().isEmpty()
                        ? point.keys().getFirst().toString()
                        : "DS " + point.delegationSigners().getFirst();
        final int more = point.delegationSigners().size() + point.keys().size() - 1;
        return more == 0 ? from : from + " or one of " + more + " more";
    }
}
