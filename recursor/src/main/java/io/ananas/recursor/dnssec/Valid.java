package io.ananas.recursor.dnssec;

import io.ananas.message.Name;

/**
 * An RRset that a key of its zone has signed.
 *
 * @param signature the one that holds
 * @param ttl how long that may be relied on: the least of TTL, original TTL and what is left of the
 *     signature (RFC 4035, section 5.3.3), seconds, 0 to 2^31-1
 */
record Valid(Rrset set, Rrsig signature, long ttl) implements Checked {
    /** The zone it is in. */
    Name zone() {
        return signature.signer();
    }

    /** Whether it was made from a wildcard (RFC 4035, section 5.3.4). */
    boolean isExpanded() {
        return signature.labels() < labelsToSign(set.owner());
    }

    /** The name under which it was signed: the owner, or the wildcard that it was made from. */
    Name signedOwner() {
        return signedOwner(set.owner(), signature);
    }

    static Name signedOwner(Name owner, Rrsig signature) {
        return signature.labels() < labelsToSign(owner)
                ? owner.suffix(signature.labels()).child("*")
                : owner;
    }

    /** Labels as an RRSIG counts them: without the root and without a first {@code *}. */
    static int labelsToSign(Name owner) {
        return owner.isWildcard() ? owner.labelCount() - 1 : owner.labelCount();
    }
}
