package io.ananas.recursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.message.Upstream;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ManualClock;
import io.ananas.testkit.ResourceRecord;
import io.ananas.testkit.ScriptedInternet;
import io.ananas.testkit.ScriptedServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A scripted internet with a recursor in it: the root at 192.0.2.1, {@code test.} at 192.0.2.2, and
 * zones below as a test adds them.
 */
final class Lab {
    static final String ROOT = "192.0.2.1";
    static final String TLD = "192.0.2.2";

    final ManualClock clock = new ManualClock();
    final ScriptedInternet internet = new ScriptedInternet(clock);
    private final List<String> root = new ArrayList<>();
    private final List<String> tld = new ArrayList<>();
    private RecursorOptions options =
            RecursorOptions.DEFAULT
                    .withRootHints(hints())
                    .withLocalZones(LocalZones.none())
                    .withCookies(false);
    private @Nullable AnswerValidator validator;
    private @Nullable Recursor recursor;
    private final long seed = new Random().nextLong();

    Lab() {
        root.add(". 518400 NS a.root.");
        root.add("a.root. 518400 A 192.0.2.1");
        root.add("test. 172800 NS ns.test.");
        root.add("ns.test. 172800 A 192.0.2.2");
        tld.add("test. 172800 NS ns.test.");
        tld.add("ns.test. 172800 A 192.0.2.2");
        serve();
        System.out.println("seed of the recursor: " + seed);
    }

    static RootHints hints() {
        return RootHints.of(Map.of(Name.of("a.root"), List.of(socket(ROOT))));
    }

    static InetSocketAddress socket(String address) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 53);
    }

    private void serve() {
        internet.server(ROOT).zone(".", root.toArray(String[]::new));
        internet.server(TLD).zone("test", tld.toArray(String[]::new));
    }

    ScriptedServer root() {
        return internet.server(ROOT);
    }

    ScriptedServer tld() {
        return internet.server(TLD);
    }

    ScriptedServer server(String address) {
        return internet.server(address);
    }

    /** More records of the zone {@code test.} */
    Lab tld(String... records) {
        tld.addAll(List.of(records));
        serve();
        return this;
    }

    /** More records of the root. */
    Lab root(String... records) {
        root.addAll(List.of(records));
        serve();
        return this;
    }

    /** Delegates {@code name} to {@code ns.name} at an address, and serves it there. */
    ScriptedServer zone(String name, String address, String... records) {
        final String ns = "ns." + name + ".";
        final String[] delegation = {
            name + ". 86400 NS " + ns, ns + " 86400 A " + address,
        };
        if (Name.of(name).labelCount() == 1) {
            root(delegation);
        } else {
            tld(delegation);
        }
        final List<String> all = new ArrayList<>(List.of(delegation));
        all.addAll(List.of(records));
        return server(address).zone(name, all.toArray(String[]::new));
    }

    /** Takes a name and all below it out of the zone {@code test.} */
    void withdraw(String name) {
        tld.removeIf(record ->
                ResourceRecord.parse(record).getFirst().owner().isSubdomainOf(Name.of(name)));
        serve();
    }

    RecursorOptions options() {
        return options;
    }

    Lab options(RecursorOptions other) {
        options = other;
        recursor = null;
        return this;
    }

    Lab limits(Limits limits) {
        return options(options.withLimits(limits));
    }

    Lab validator(AnswerValidator other) {
        validator = other;
        recursor = null;
        return this;
    }

    Recursor recursor() {
        @Nullable Recursor known = recursor;
        if (known == null) {
            final Recursor.Builder builder =
                    Recursor.builder(
                                    new UpstreamFactory() {
                                        @Override
                                        public Upstream udp(InetSocketAddress server) {
                                            return internet.udp(server);
                                        }

                                        @Override
                                        public Upstream tcp(InetSocketAddress server) {
                                            return internet.tcp(server);
                                        }
                                    })
                            .options(options)
                            .clock(clock)
                            .nanoTime(clock::nanoTime)
                            .random(new Random(seed));
            if (validator != null) {
                builder.validator(validator);
            }
            known = builder.build();
            recursor = known;
        }
        return known;
    }

    Resolution resolve(String name, String type) {
        return recursor().resolve(Name.of(name), RecordType.parse(type), false);
    }

    DnsMessage ask(String name, String type) {
        return DnsMessage.parse(resolve(name, type).response());
    }

    /** Asks, expects NOERROR, and gives the answer section as text. */
    List<String> answer(String name, String type) {
        final DnsMessage message = ask(name, type);
        assertThat(message.responseCode()).as(message + "\n" + internet.log()).isZero();
        return text(message.answer());
    }

    /** Asks and expects SERVFAIL with this reason first. */
    Resolution failure(String name, String type, ExtendedError error) {
        final Resolution resolution = resolve(name, type);
        assertThat(resolution.view().responseCode())
                .as(resolution + "\n" + internet.log())
                .isEqualTo(ResponseCode.SERVFAIL);
        assertThat(resolution.isFailure()).isTrue();
        assertThat(resolution.reasons().getFirst().error())
                .as(resolution.toString())
                .isEqualTo(error);
        return resolution;
    }

    static List<String> text(List<ResourceRecord> records) {
        return records.stream().map(ResourceRecord::brief).toList();
    }

    long count(Event event) {
        return recursor().counters().getOrDefault(event, -1L);
    }

    void advance(int seconds) {
        clock.advance(Duration.ofSeconds(seconds));
    }
}
