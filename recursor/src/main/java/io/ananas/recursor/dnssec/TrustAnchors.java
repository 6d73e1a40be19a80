package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Master;
import org.xbill.DNS.Record;

/**
 * Trust anchors as configured: DS or DNSKEY records in master file form. Immutable.
 *
 * <p>The closest anchor above a name is where its chain begins (RFC 6840, appendix C).
 */
public final class TrustAnchors implements AnchorSource {
    /**
     * The keys of the root, as published at https://data.iana.org/root-anchors/root-anchors.xml:
     * KSK-2017 and KSK-2024.
     */
    private static final List<String> ROOT_KEYS =
            List.of(
                    ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
                    ". IN DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16");

    private static final long ANY_TTL = 86_400;

    private final Map<Name, TrustPoint> points;

    private TrustAnchors(Map<Name, TrustPoint> points) {
        this.points = points;
    }

    /** The root's, KSK-2017 and KSK-2024. */
    public static TrustAnchors root() {
        return of(ROOT_KEYS);
    }

    /** None: nothing is validated. */
    public static TrustAnchors none() {
        return new TrustAnchors(Map.of());
    }

    /**
     * Reads records such as {@code ". IN DS 20326 8 2 E06D..."}, one a line; TTL and class may be
     * left out.
     *
     * @throws IllegalArgumentException if one is no DS or DNSKEY record, or a DNSKEY that may not
     *     sign a zone; the message says which
     */
    public static TrustAnchors of(List<String> lines) {
        final byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        try {
            return read(new ByteArrayInputStream(text), "the list of trust anchors");
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Reads a file of such records, with comments and parentheses as in a master file (RFC 1035,
     * section 5).
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if what it holds is none; the message says which line
     */
    public static TrustAnchors file(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, file.toString());
        }
    }

    private static TrustAnchors read(InputStream in, String from) throws IOException {
        final Map<Name, TrustPoint> points = new HashMap<>();
        try (Master master = new Master(in, org.xbill.DNS.Name.root, ANY_TTL)) {
            for (Record it = master.nextRecord(); it != null; it = master.nextRecord()) {
                add(points, it, from);
            }
        } catch (org.xbill.DNS.TextParseException e) {
            throw new IllegalArgumentException(
                    "%s: %s; expected DS or DNSKEY records such as \"%s\""
                            .formatted(from, e.getMessage(), ROOT_KEYS.getFirst()),
                    e);
        }
        return new TrustAnchors(Map.copyOf(points));
    }

    private static void add(Map<Name, TrustPoint> points, Record record, String from) {
        final Name zone = Name.ofWire(record.getName().toWire(), 0);
        final byte[] rdata = record.rdataToWireCanonical();
        final TrustPoint point =
                points.computeIfAbsent(
                        zone, it -> new TrustPoint(it, new ArrayList<>(), new ArrayList<>()));
        final DelegationSigner ds =
                record.getType() == RecordType.DS ? DelegationSigner.parse(rdata) : null;
        final Dnskey key = record.getType() == RecordType.DNSKEY ? Dnskey.parse(rdata) : null;
        if (ds != null) {
            point.delegationSigners().add(ds);
        } else if (key != null && key.maySignZone()) {
            point.keys().add(key);
        } else {
            throw new IllegalArgumentException(
                    "%s: \"%s\" is no trust anchor; expected a DS record, or a DNSKEY with flags 256 or 257 and protocol 3"
                            .formatted(from, record));
        }
    }

    /** These and those. */
    public TrustAnchors and(TrustAnchors others) {
        final Map<Name, TrustPoint> all = new HashMap<>(points);
        for (final TrustPoint theirs : others.points.values()) {
            all.merge(theirs.zone(), theirs, TrustAnchors::join);
        }
        return new TrustAnchors(Map.copyOf(all));
    }

    private static TrustPoint join(TrustPoint a, TrustPoint b) {
        final List<DelegationSigner> signers = new ArrayList<>(a.delegationSigners());
        b.delegationSigners().stream().filter(it -> !signers.contains(it)).forEach(signers::add);
        final List<Dnskey> keys = new ArrayList<>(a.keys());
        b.keys().stream().filter(it -> !keys.contains(it)).forEach(keys::add);
        return new TrustPoint(a.zone(), signers, keys);
    }

    /** The zones that have one. */
    public Collection<Name> zones() {
        return points.keySet();
    }

    @Nullable TrustPoint at(Name zone) {
        return points.get(zone);
    }

    @Override
    public @Nullable Name closestAnchor(Name name) {
        Name at = name;
        while (!points.containsKey(at)) {
            if (at.isRoot()) {
                return null;
            }
            at = at.parent();
        }
        return at;
    }
}
