package io.ananas.recursor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a response means. */
sealed interface Judgement {
    /**
     * It answers: the link asked for, and those that follow it in the same zone.
     *
     * @param servers of the zone, as it names them itself; maybe none
     */
    record Answered(List<Link> links, List<NameServer> servers) implements Judgement {}

    /**
     * Servers of a zone further down know more.
     *
     * @param ds what the parent says of the zone's keys: DS records, or the proof that there are
     *     none; null if it says nothing
     */
    record Referred(Delegation delegation, @Nullable Link ds) implements Judgement {}

    /** The server does not serve the zone. */
    record Lame(String why) implements Judgement {}

    /** The server fails at this question. */
    record Failing(String why) implements Judgement {}
}
