package io.ananas.recursor;

import java.util.Locale;

/** What the recursor counts; {@link #label} names it in metrics. */
public enum Event {
    /** Questions given to the recursor. */
    QUESTION,
    /** Questions answered from local zones. */
    LOCAL_ANSWER,
    /** Questions answered from validated proofs (RFC 8198). */
    SYNTHESIS,
    /** Questions that ended in SERVFAIL, for whatever reason. */
    FAILURE,
    /** Questions answered from the memory of failures (RFC 9520). */
    CACHED_FAILURE,
    /** Names whose records were known, so that nothing was asked. */
    KNOWN_LINK,
    /** Names that waited for the same question of another client. */
    SHARED_LINK,
    /** Queries sent to servers. */
    UPSTREAM_QUERY,
    /** Queries that no response came to in time. */
    UPSTREAM_TIMEOUT,
    /** Queries that could not be sent, or whose connection failed. */
    UPSTREAM_NETWORK_ERROR,
    /** Responses that were malformed, or did not fit the question, letter case or cookie. */
    UPSTREAM_UNSOUND,
    /** Responses of servers that do not serve the zone that they were asked for. */
    UPSTREAM_LAME,
    /** Queries repeated without EDNS. */
    EDNS_FALLBACK,
    /** Queries repeated for a new server cookie (RFC 7873). */
    COOKIE_RETRY,
    /** Queries made over TCP because of a cookie. */
    COOKIE_TCP,
    /** Referrals followed. */
    REFERRAL,
    /** Addresses of name servers looked up because no glue came. */
    SERVER_LOOKUP,
    /** Queries for a part of the name only (RFC 9156). */
    MINIMISED_QUERY,
    /** Names asked in full because the minimised query failed. */
    MINIMISATION_FALLBACK,
    /** Times that the root servers were asked for themselves (RFC 8109). */
    PRIMING,
    /** Answers that failed validation. */
    BOGUS,
    /** {@link Limit#UPSTREAM_QUERIES} reached. */
    LIMIT_UPSTREAM_QUERIES,
    /** {@link Limit#SERVER_LOOKUPS} reached. */
    LIMIT_SERVER_LOOKUPS,
    /** {@link Limit#ALIAS_STEPS} reached. */
    LIMIT_ALIAS_STEPS,
    /** {@link Limit#MINIMISATION_STEPS} reached. */
    LIMIT_MINIMISATION_STEPS,
    /** {@link Limit#WALL_TIME} reached. */
    LIMIT_WALL_TIME,
    /** {@link Limit#DEPTH} reached. */
    LIMIT_DEPTH,
    /** {@link Limit#IN_FLIGHT} reached. */
    LIMIT_IN_FLIGHT,
    /** Aliases that led back to a name of their own chain. */
    ALIAS_LOOP;

    /** In lower case with underscores. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
