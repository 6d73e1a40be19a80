package io.ananas.recursor.dnssec;

import io.ananas.message.Name;

/**
 * A validated RRset that is kept.
 *
 * @param owner as it was signed
 * @param expires seconds since 1970
 */
record Stored(Name owner, Valid valid, long expires) {
    static Stored of(Valid valid, long now) {
        return new Stored(valid.signedOwner(), valid, now + valid.ttl());
    }

    boolean isFresh(long now) {
        return expires > now;
    }

    byte[] rdata() {
        return valid.set().rdata().getFirst();
    }
}
