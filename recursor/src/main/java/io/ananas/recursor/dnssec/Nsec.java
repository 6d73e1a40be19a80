package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import org.jspecify.annotations.Nullable;

/**
 * An NSEC record (RFC 4034, section 4): nothing exists between its owner and the next name, and of
 * the owner only the types it lists.
 */
final class Nsec {
    private final Name owner;
    private final Name next;
    private final byte[] rdata;

    private Nsec(Name owner, Name next, byte[] rdata) {
        this.owner = owner;
        this.next = next;
        this.rdata = rdata;
    }

    /** Null if the rdata is none. */
    static @Nullable Nsec parse(Name owner, byte[] rdata) {
        try {
            final Name next = Name.ofWire(rdata, 0);
            return TypeBitmap.isSound(rdata, next.length()) ? new Nsec(owner, next, rdata) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    Name owner() {
        return owner;
    }

    Name next() {
        return next;
    }

    boolean has(int type) {
        return TypeBitmap.has(rdata, next.length(), type);
    }

    /** Whether it is that of a zone cut, seen from above. */
    boolean isDelegation() {
        return has(RecordType.NS) && !has(RecordType.SOA);
    }

    /**
     * Whether {@code name}, which must lie in {@code zone}, is strictly between owner and next. The
     * last NSEC of a zone leads back to its apex. That of a zone cut or of a DNAME says nothing of
     * names below (RFC 6840, section 4.1; RFC 6672, section 5.3.2).
     */
    boolean covers(Name name, Name zone) {
        if (!owner.isSubdomainOf(zone) || !next.isSubdomainOf(zone)) {
            return false;
        }
        if (name.isSubdomainOf(owner) && (isDelegation() || has(RecordType.DNAME))) {
            return false;
        }
        if (owner.compareTo(name) >= 0) {
            return false;
        }
        return next.equals(zone) || name.compareTo(next) < 0;
    }

    /**
     * Whether this, which covers {@code name}, shows that something exists below it: an empty
     * non-terminal.
     */
    boolean showsNameBelow(Name name) {
        return next.isSubdomainOf(name);
    }

    /**
     * The deepest ancestor of {@code name} that this, which covers it, shows to exist: what it
     * shares with owner or next.
     */
    Name closestEncloser(Name name) {
        final int labels = Math.max(commonLabels(name, owner), commonLabels(name, next));
        return name.suffix(labels);
    }

    static int commonLabels(Name a, Name b) {
        int labels = Math.min(a.labelCount(), b.labelCount());
        while (!a.suffix(labels).equals(b.suffix(labels))) {
            labels--;
        }
        return labels;
    }
}
