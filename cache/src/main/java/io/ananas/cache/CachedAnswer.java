package io.ananas.cache;

import io.ananas.message.Name;

/**
 * What the cache holds of one question, for people who manage it.
 *
 * @param name the asked name, in lower case
 * @param type the asked type
 * @param responseCode NOERROR, NXDOMAIN, or that of a remembered failure
 * @param remaining seconds until it expires; 0 or negative where it has
 * @param octets its length in the cache, without its place in the index
 * @param authenticated whether it was validated (AD)
 * @param unchecked whether it came for CD=1 and is given to such queries only
 * @param negative whether it denies the name or the type
 * @param subnet the clients that it is for, as {@code 192.0.2.0/24}; empty if for all
 */
public record CachedAnswer(
        Name name,
        int type,
        int responseCode,
        int remaining,
        int octets,
        boolean authenticated,
        boolean unchecked,
        boolean negative,
        String subnet) {}
