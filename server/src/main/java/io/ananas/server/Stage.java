package io.ananas.server;

/**
 * One step of a service. It sees all open packets of a batch at once, so that work which gains from
 * it, such as looking up many names, can be done for all together; what it has answered, dropped or
 * detached it does not keep open. Belongs to one listener thread; the rules of {@link
 * io.ananas.message.QueryHandler} hold.
 */
interface Stage {
    /** What the order of stages, metrics and logs call it. */
    String name();

    void apply(Round round);
}
