package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.RdataLayout;
import io.ananas.message.RecordClass;
import io.ananas.message.Wire;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The octets that a signature covers (RFC 4034, section 3.1.8.1): the RRSIG without its signature,
 * then the RRset in canonical form and order (section 6).
 *
 * <p>Names in rdata go to lower case only for the types of RFC 4034, section 6.2, as corrected by
 * RFC 6840, section 5.1: those are just the types that {@link RdataLayout} has names for. Records
 * that are equal in canonical form count once.
 */
final class SignedData {
    private static final int FIXED = 10;

    private SignedData() {}

    /**
     * @param owner as it was signed: the wildcard where the RRset was made from one
     */
    static byte[] of(Rrset set, Name owner, Rrsig signature) {
        final List<byte[]> canonical = new ArrayList<>(set.rdata().size());
        for (final byte[] rdata : set.rdata()) {
            canonical.add(canonicalRdata(set.type(), rdata));
        }
        canonical.sort(Arrays::compareUnsigned);
        final byte[] name = owner.toLowerCase().wire();
        final byte[] fixed = new byte[FIXED];
        Wire.put16(fixed, 0, set.type());
        Wire.put16(fixed, 2, RecordClass.IN);
        Wire.put32(fixed, 4, (int) signature.originalTtl());
        final ByteArrayOutputStream data = new ByteArrayOutputStream(512);
        data.writeBytes(signature.signedPart());
        byte[] last = null;
        for (final byte[] rdata : canonical) {
            if (last == null || !Arrays.equals(last, rdata)) {
                Wire.put16(fixed, 8, rdata.length);
                data.writeBytes(name);
                data.writeBytes(fixed);
                data.writeBytes(rdata);
            }
            last = rdata;
        }
        return data.toByteArray();
    }

    static byte[] canonicalRdata(int type, byte[] rdata) {
        final int names = RdataLayout.nameCount(type);
        if (names == 0) {
            return rdata;
        }
        final byte[] canonical = rdata.clone();
        int at = RdataLayout.firstName(rdata, type, 0, rdata.length);
        for (int i = 0; i < names; i++) {
            at = Name.ofWire(rdata, at).toLowerCase().copyTo(canonical, at);
        }
        return canonical;
    }
}
