package io.ananas.recursor;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.recursor.Delegation.Source;
import io.ananas.recursor.FailureMemory.Failure;
import io.ananas.recursor.FailureMemory.Scope;
import io.ananas.recursor.Link.Kind;
import io.ananas.recursor.ResolutionFailure.LimitReached;
import io.ananas.recursor.ResolutionFailure.Remembered;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where links come from: what is known, what somebody else is asking already, or an {@link
 * Iteration} of one's own. Holds all that resolutions share. Thread-safe.
 */
final class Links {
    private static final QuestionKey PRIMING = new QuestionKey(Name.ROOT, RecordType.NS);
    private static final int PRIMING_QUERIES = 16;
    private static final long UNPRIMED_MILLIS = Duration.ofSeconds(30).toMillis();

    private final RecursorOptions options;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private final Events events;
    private final ConfiguredZones zones;
    private final LinkCache cache;
    private final DelegationCache delegations;
    private final Infrastructure infrastructure;
    private final FailureMemory failures;
    private final Flights flights;
    private final Dialogue dialogue;
    private final Judge judge;
    private final Delegation hints;

    Links(
            RecursorOptions options,
            UpstreamFactory upstreams,
            InstantSource clock,
            LongSupplier nanoTime,
            RandomGenerator random,
            Events events,
            boolean validating) {
        this.options = options;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.random = random;
        this.events = events;
        zones = new ConfiguredZones(options.zones());
        cache = new LinkCache(options.linkOctets(), clock);
        delegations = new DelegationCache(options.memorySize(), clock);
        infrastructure = new Infrastructure(options.memorySize(), upstreams, clock, random);
        failures = new FailureMemory(options.memorySize(), clock);
        flights = new Flights(events);
        dialogue = new Dialogue(options, clock, nanoTime, random, events, validating);
        judge = new Judge(options, clock, zones::sameService);
        hints = options.rootHints().delegation();
    }

    /**
     * The link of a question.
     *
     * @param fresh whether servers are asked even if it is known
     */
    Link find(QuestionKey key, Task task, boolean fresh) throws ResolutionFailure {
        if (!fresh) {
            final Link known = known(key, task);
            if (known != null) {
                events.add(Event.KNOWN_LINK);
                return known;
            }
        }
        final Failure failure = failures.find(key, Scope.LINK);
        if (failure != null) {
            throw new Remembered(failure.error(), failure.text());
        }
        if (task.isInProgress(key)) {
            throw new ResolutionFailure(
                    ExtendedError.NO_REACHABLE_AUTHORITY,
                    "%s is needed to find %s itself".formatted(key, key));
        }
        if (task.depth() >= options.limits().depth()) {
            events.add(Event.LIMIT_DEPTH);
            throw new ResolutionFailure(
                    Limit.DEPTH.error(),
                    "servers are served by others, %d deep".formatted(task.depth()));
        }
        return flights.join(key, task, () -> iterate(key, task, fresh));
    }

    /** Whether {@link #find} would ask nobody. */
    boolean isKnown(QuestionKey key, Task task) {
        return known(key, task) != null;
    }

    private @Nullable Link known(QuestionKey key, Task task) {
        final Link found = task.found(key);
        return found != null ? found : cache.find(key.name(), key.type());
    }

    private Link iterate(QuestionKey key, Task task, boolean fresh) throws ResolutionFailure {
        if (!fresh) {
            final Link known = known(key, task);
            if (known != null) {
                return known;
            }
        }
        task.begin(key);
        try {
            final List<Link> links = new Iteration(this, task, key).run();
            for (final Link link : links) {
                keep(link);
                task.keep(link);
            }
            failures.forget(key, Scope.LINK);
            return links.getFirst();
        } catch (LimitReached | Remembered e) {
            throw e;
        } catch (ResolutionFailure e) {
            if (task.avoided(key).isEmpty()) {
                failures.remember(key, Scope.LINK, e);
            }
            throw e;
        } finally {
            task.end();
        }
    }

    /** Addresses of a server, from its own zone; none if they cannot be found. */
    List<InetSocketAddress> addresses(Name server, Task task) throws LimitReached {
        for (final int type : ServerAddresses.types(options)) {
            try {
                final Link link = find(new QuestionKey(server, type), task, false);
                final List<InetSocketAddress> addresses = ServerAddresses.of(link, options);
                if (!addresses.isEmpty() || link.kind() != Kind.NO_DATA) {
                    return addresses;
                }
            } catch (LimitReached e) {
                throw e;
            } catch (ResolutionFailure e) {
                return List.of();
            }
        }
        return List.of();
    }

    /** The deepest zone at or above a name whose servers are known or configured. */
    Delegation deepest(Name name, boolean configured, Task task) throws LimitReached {
        final ConfiguredZone zone = configured ? zones.longest(name) : null;
        if (zone != null && zone.forward()) {
            return zone.delegation();
        }
        final Delegation known = delegations.deepest(name);
        if (zone != null && (known == null || known.zone().length() <= zone.name().length())) {
            return zone.delegation();
        }
        return known != null ? known : root(task);
    }

    /** The root servers by their own word (RFC 8109), or by the hints if they give none. */
    private Delegation root(Task task) throws LimitReached {
        if (task.isInProgress(PRIMING)) {
            return hints;
        }
        events.add(Event.PRIMING);
        final Limits limits = options.limits().withUpstreamQueries(PRIMING_QUERIES);
        final Task priming = new Task(new Budget(limits, events, nanoTime));
        Delegation root;
        try {
            root = primed(flights.join(PRIMING, task, () -> prime(priming)));
        } catch (ResolutionFailure e) {
            root = hintsFor(UNPRIMED_MILLIS);
            root.servers()
                    .forEach(server ->
                            server.glue()
                                    .forEach(address ->
                                            infrastructure.markSound(address, Name.ROOT)));
        }
        task.budget().remaining();
        delegations.put(root);
        return root;
    }

    private Link prime(Task priming) throws ResolutionFailure {
        priming.begin(PRIMING);
        return Iteration.prime(this, priming, PRIMING).getFirst();
    }

    private Delegation hintsFor(long millis) {
        return new Delegation(
                Name.ROOT,
                Source.ROOT,
                hints.servers(),
                clock.millis() + millis,
                hints.localAllowed());
    }

    private Delegation primed(Link link) {
        if (link.kind() != Kind.ANSWER || link.answer().getFirst().type() != RecordType.NS) {
            return hintsFor(UNPRIMED_MILLIS);
        }
        final Map<Name, List<InetSocketAddress>> addresses = new HashMap<>();
        hints.servers().forEach(server -> addresses.put(server.name(), server.glue()));
        final Map<Name, List<InetSocketAddress>> fresh = new HashMap<>();
        for (final RRset set : link.additional()) {
            if (set.type() == RecordType.A || set.type() == RecordType.AAAA) {
                final List<InetSocketAddress> list =
                        fresh.computeIfAbsent(set.owner(), name -> new ArrayList<>());
                set.rdatas()
                        .forEach(rdata ->
                                list.add(
                                        new InetSocketAddress(
                                                RootHints.address(rdata), options.port())));
            }
        }
        addresses.putAll(fresh);
        final RRset ns = link.answer().getFirst();
        final List<NameServer> servers = new ArrayList<>();
        boolean reachable = false;
        for (final byte[] rdata : ns.rdatas()) {
            final Name name = Name.ofWire(rdata, 0);
            final List<InetSocketAddress> glue = addresses.getOrDefault(name, List.of());
            reachable |= !glue.isEmpty();
            servers.add(new NameServer(name, glue));
        }
        return reachable
                ? new Delegation(
                        Name.ROOT,
                        Source.ROOT,
                        servers,
                        clock.millis() + Math.max(1, ns.ttl()) * 1_000,
                        hints.localAllowed())
                : hintsFor(UNPRIMED_MILLIS);
    }

    boolean hasFallback(Name name) {
        final ConfiguredZone zone = zones.longest(name);
        return zone != null && zone.fallback();
    }

    ServerChoice choice(Delegation delegation, Task task, QuestionKey question) {
        return new ServerChoice(
                delegation, options, infrastructure, cache, clock, random, task.avoided(question));
    }

    /** Whether a name is known to exist. */
    boolean exists(Name name) {
        final Link link = cache.exact(name, RecordType.A);
        return link != null && link.kind() != Kind.NAME_ERROR;
    }

    void keep(Link link) {
        cache.put(link);
    }

    void keep(Delegation delegation) {
        delegations.put(delegation);
    }

    void addServers(Name zone, List<NameServer> servers) {
        if (!zone.isRoot()) {
            delegations.addServers(zone, servers);
        }
    }

    void forget(Link link, Task task) {
        cache.forget(link);
        task.drop(link.key());
    }

    /** Forgets all at and below a name. */
    void forget(Name subtree) {
        cache.forget(subtree);
        delegations.forget(subtree);
        failures.forget(subtree);
        infrastructure.forget(subtree);
    }

    /** Forgets denials and failures. */
    void forgetDenials() {
        cache.forgetDenials();
        failures.forget(Name.ROOT);
        infrastructure.forget(Name.ROOT);
    }

    RecursorOptions options() {
        return options;
    }

    Delegation hints() {
        return hints;
    }

    Events events() {
        return events;
    }

    Dialogue dialogue() {
        return dialogue;
    }

    Judge judge() {
        return judge;
    }

    FailureMemory failures() {
        return failures;
    }

    LinkCache cache() {
        return cache;
    }

    DelegationCache delegations() {
        return delegations;
    }

    Infrastructure infrastructure() {
        return infrastructure;
    }
}
