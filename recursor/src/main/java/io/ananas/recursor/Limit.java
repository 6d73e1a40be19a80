package io.ananas.recursor;

import io.ananas.message.ExtendedError;

/** The budgets of a question; see {@link Limits} for their sizes. */
public enum Limit {
    /** Queries sent to servers, for all branches and aliases of a question together. */
    UPSTREAM_QUERIES(ExtendedError.OTHER, Event.LIMIT_UPSTREAM_QUERIES),
    /** Names of servers looked up for one referral (NXNSAttack). */
    SERVER_LOOKUPS(ExtendedError.NO_REACHABLE_AUTHORITY, Event.LIMIT_SERVER_LOOKUPS),
    /** CNAME and DNAME records followed. */
    ALIAS_STEPS(ExtendedError.OTHER, Event.LIMIT_ALIAS_STEPS),
    /** Minimised queries per name; beyond it the whole name is asked. */
    MINIMISATION_STEPS(ExtendedError.OTHER, Event.LIMIT_MINIMISATION_STEPS),
    /** Time from the question to its answer. */
    WALL_TIME(ExtendedError.NO_REACHABLE_AUTHORITY, Event.LIMIT_WALL_TIME),
    /** Server names whose lookup needs the lookup of others. */
    DEPTH(ExtendedError.NO_REACHABLE_AUTHORITY, Event.LIMIT_DEPTH),
    /** Questions in hand at a time. */
    IN_FLIGHT(ExtendedError.OTHER, Event.LIMIT_IN_FLIGHT);

    private final ExtendedError error;
    private final Event event;

    Limit(ExtendedError error, Event event) {
        this.error = error;
        this.event = event;
    }

    /** What a client is told when the limit is reached. */
    public ExtendedError error() {
        return error;
    }

    Event event() {
        return event;
    }
}
