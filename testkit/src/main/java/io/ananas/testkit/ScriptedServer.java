package io.ananas.testkit;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One server of a {@link ScriptedInternet}: zones that it serves as it should, and what it does
 * instead for some queries. What was scripted last is looked at first. Thread-safe.
 */
public final class ScriptedServer {
    private static final Duration LATENCY = Duration.ofMillis(10);

    private record Rule(Predicate<ReceivedQuery> applies, Reply reply) {}

    private final InetSocketAddress address;
    private final List<ScriptedZone> zones = new CopyOnWriteArrayList<>();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<ReceivedQuery> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger drops = new AtomicInteger();
    private volatile Duration latency = LATENCY;

    ScriptedServer(InetSocketAddress address) {
        this.address = address;
    }

    /**
     * Serves a zone, in the place of one with this name.
     *
     * @param records in master file form with whole names, such as {@code "www.a.test. 60 A
     *     192.0.2.1"}; an SOA record is made up if there is none
     */
    public ScriptedServer zone(String name, String... records) {
        final Name zone = Name.of(name);
        zones.removeIf(known -> known.name().equals(zone));
        zones.add(new ScriptedZone(zone, ResourceRecord.parse(String.join("\n", records))));
        return this;
    }

    /** Does not serve a zone any more. */
    public ScriptedServer withoutZone(String name) {
        zones.removeIf(zone -> zone.name().equals(Name.of(name)));
        return this;
    }

    /** Says this to queries for a name and type. */
    public ScriptedServer on(String name, String type, Reply reply) {
        final Name wanted = Name.of(name);
        final int number = RecordType.parse(type);
        return on(query -> query.name().equals(wanted) && query.type() == number, reply);
    }

    /** Says this to queries for a name, whatever the type. */
    public ScriptedServer on(String name, Reply reply) {
        final Name wanted = Name.of(name);
        return on(query -> query.name().equals(wanted), reply);
    }

    /** Says this to some queries. */
    public ScriptedServer on(Predicate<ReceivedQuery> applies, Reply reply) {
        rules.addFirst(new Rule(applies, reply));
        return this;
    }

    /** Says this to all queries. */
    public ScriptedServer always(Reply reply) {
        return on(query -> true, reply);
    }

    /** Does as it should again. */
    public ScriptedServer unscripted() {
        rules.clear();
        return this;
    }

    /** Hears nothing of the next queries. */
    public ScriptedServer drop(int queries) {
        drops.set(queries);
        return this;
    }

    /** Round trip to it; 10 ms unless told. */
    public ScriptedServer latency(Duration roundTrip) {
        latency = roundTrip;
        return this;
    }

    Duration latency() {
        return latency;
    }

    public InetSocketAddress address() {
        return address;
    }

    /** All queries so far, with those that were dropped. */
    public List<ReceivedQuery> queries() {
        return List.copyOf(received);
    }

    /** Queries for names at and below this one. */
    public List<ReceivedQuery> queriesBelow(String name) {
        final Name top = Name.of(name);
        return received.stream().filter(query -> query.name().isSubdomainOf(top)).toList();
    }

    /** Queries so far. */
    public int count() {
        return received.size();
    }

    /** Queries for a name and type so far. */
    public int count(String name, String type) {
        final Name wanted = Name.of(name);
        final int number = RecordType.parse(type);
        return (int)
                received.stream()
                        .filter(query -> query.name().equals(wanted) && query.type() == number)
                        .count();
    }

    /** Forgets the queries so far. */
    public void clear() {
        received.clear();
    }

    byte @Nullable [] reply(ReceivedQuery query) throws InterruptedException {
        received.add(query);
        if (drops.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return null;
        }
        for (final Rule rule : rules) {
            if (rule.applies.test(query)) {
                return rule.reply.to(query);
            }
        }
        final List<ScriptedZone> serving = new ArrayList<>(zones);
        serving.removeIf(zone -> !query.name().isSubdomainOf(zone.name()));
        @Nullable ScriptedZone best = null;
        for (final ScriptedZone zone : serving) {
            final boolean parentSide =
                    query.type() == RecordType.DS
                            && query.name().equals(zone.name())
                            && serving.size() > 1;
            if (!parentSide && (best == null || zone.name().length() > best.name().length())) {
                best = zone;
            }
        }
        final ReplyMessage reply =
                best == null
                        ? ScriptedZone.refusal()
                        : best.answer(query.name(), query.type(), query.dnssecOk());
        return reply.to(query);
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
