package io.ananas.recursor.dnssec;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of one owner and type in a section, of class IN, and the signatures over them.
 *
 * @param ttl the least of all its records and signatures, seconds, 0 to 2^31-1
 * @param rdata with names uncompressed, in the order of the message
 * @param records where they stand in the message they came in, signatures included
 */
record Rrset(
        Name owner,
        int type,
        long ttl,
        List<byte[]> rdata,
        List<Rrsig> signatures,
        List<Integer> records) {

    /** {@code www.example.com. A}. */
    @Override
    public String toString() {
        return owner + " " + RecordType.text(type);
    }

    /** The name in the rdata of a CNAME, DNAME or NS; null if it is none. */
    @Nullable Name target() {
        try {
            return Name.ofWire(rdata.getFirst(), 0);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Where this DNAME leads {@code name}, which is below its owner (RFC 6672, section 2.2); null
     * if that is no name, for being too long.
     */
    @Nullable Name redirect(Name name) {
        final Name target = target();
        final int front = name.length() - owner.length();
        if (target == null || front + target.length() > MessageLayout.MAX_NAME) {
            return null;
        }
        final byte[] wire = new byte[front + target.length()];
        System.arraycopy(name.wire(), 0, wire, 0, front);
        target.copyTo(wire, front);
        return Name.ofWire(wire, 0);
    }

    /** The zones said to have signed it, without doubles, in order. */
    List<Name> signers() {
        final List<Name> signers = new ArrayList<>(1);
        for (final Rrsig signature : signatures) {
            if (!signers.contains(signature.signer())) {
                signers.add(signature.signer());
            }
        }
        return signers;
    }
}
