package io.ananas.recursor;

import static io.ananas.message.ExtendedError.NO_REACHABLE_AUTHORITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.ReceivedQuery;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ReplyMessage;
import io.ananas.testkit.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How servers are spoken to, and which of them. */
class DialogueTest {
    private static final byte[] SERVER_COOKIE = {1, 2, 3, 4, 5, 6, 7, 8};

    private final Lab lab = new Lab();
    private final ScriptedServer server =
            lab.zone("a.test", "192.0.2.11", "*.a.test. 1 A 192.0.2.5");

    @Test
    void queriesOfferEdnsWithDoAndAskForNoRecursion() {
        lab.answer("w.a.test", "A");
        final ReceivedQuery query = server.queries().getLast();
        assertThat(query.payloadSize()).isEqualTo(1232);
        assertThat(query.dnssecOk()).isTrue();
        assertThat(query.message().flags()).isZero();
    }

    @Test
    void aServerThatRefusesEdnsIsAskedWithoutFromThenOn() {
        for (final int code :
                List.of(ResponseCode.FORMERR, ResponseCode.NOTIMP, ResponseCode.BADVERS)) {
            final Lab other = new Lab();
            final ScriptedServer old =
                    other.zone("a.test", "192.0.2.11", "*.a.test. 1 A 192.0.2.5")
                            .on(ReceivedQuery::hasEdns, Reply.code(code));
            assertThat(other.answer("w.a.test", "A")).hasSize(1);
            assertThat(other.count(Event.EDNS_FALLBACK)).isEqualTo(1);
            old.clear();
            assertThat(other.answer("v.a.test", "A")).hasSize(1);
            assertThat(old.queries()).noneMatch(ReceivedQuery::hasEdns);
            other.advance(16 * 60);
            old.clear();
            other.answer("u.a.test", "A");
            assertThat(old.queries())
                    .as("now and then EDNS is tried again")
                    .anyMatch(ReceivedQuery::hasEdns);
        }
    }

    @Test
    void aServerThatDropsEdnsIsFoundOut() {
        server.on(ReceivedQuery::hasEdns, Reply.silence());
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
        assertThat(lab.answer("v.a.test", "A")).hasSize(1);
        server.clear();
        assertThat(lab.answer("u.a.test", "A")).hasSize(1);
        assertThat(server.queries()).noneMatch(ReceivedQuery::hasEdns);
    }

    @Test
    void lossAloneDoesNotCostAServerItsEdns() {
        lab.answer("w.a.test", "A");
        for (int i = 0; i < 10; i++) {
            server.drop(4);
            assertThat(lab.answer("x%d.a.test".formatted(i), "A")).hasSize(1);
        }
        assertThat(server.queries()).allMatch(ReceivedQuery::hasEdns);
    }

    @Test
    void aMalformedResponseIsAskedForAgain() {
        final int[] count = {0};
        server.on(
                "w.a.test",
                "A",
                query ->
                        count[0]++ == 0
                                ? Arrays.copyOf(
                                        Reply.answer("w.a.test. 1 A 192.0.2.9").to(query), 40)
                                : Reply.answer("w.a.test. 1 A 192.0.2.5")
                                        .authoritative()
                                        .to(query));
        assertThat(lab.answer("w.a.test", "A")).containsExactly("w.a.test. A 192.0.2.5");
        assertThat(lab.count(Event.UPSTREAM_UNSOUND)).isEqualTo(1);
    }

    @Test
    void whatIsTruncatedComesOverTcp() {
        server.on(
                "w.a.test",
                "A",
                Reply.answer("w.a.test. 1 A 192.0.2.5").authoritative().truncated());
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
        assertThat(server.queries().getLast().overTcp()).isTrue();
    }

    private static byte[] cookie(ReceivedQuery query) {
        final Edns edns = query.message().edns();
        if (edns != null) {
            for (final EdnsOption option : edns.options()) {
                if (option.code() == EdnsOption.COOKIE) {
                    return option.data();
                }
            }
        }
        return new byte[0];
    }

    private static EdnsOption full(byte[] client) {
        final byte[] both = Arrays.copyOf(client, 16);
        System.arraycopy(SERVER_COOKIE, 0, both, 8, 8);
        return EdnsOption.of(EdnsOption.COOKIE, both);
    }

    private static ReplyMessage address(ReceivedQuery query) {
        return Reply.answer(query.name() + " 1 A 192.0.2.5").authoritative();
    }

    private void withCookies() {
        lab.options(lab.options().withCookies(true));
    }

    @Test
    void aServerCookieIsSentBack() {
        withCookies();
        server.always(
                query -> address(query).option(full(Arrays.copyOf(cookie(query), 8))).to(query));
        lab.answer("w.a.test", "A");
        assertThat(cookie(server.queries().getFirst())).hasSize(8);
        lab.answer("v.a.test", "A");
        final byte[] second = cookie(server.queries().getLast());
        assertThat(second).hasSize(16).endsWith(SERVER_COOKIE);
        assertThat(second).startsWith(cookie(server.queries().getFirst()));
        assertThat(cookie(lab.tld().queries().getFirst()))
                .as("each server gets a cookie of its own")
                .isNotEqualTo(cookie(server.queries().getFirst()));
    }

    @Test
    void badCookieIsTriedOnceMoreAndThenOverTcp() {
        withCookies();
        server.on(
                query -> !query.overTcp(),
                query ->
                        Reply.code(ResponseCode.BADCOOKIE)
                                .option(full(Arrays.copyOf(cookie(query), 8)))
                                .to(query));
        assertThat(lab.answer("w.a.test", "A")).hasSize(1);
        assertThat(server.queries())
                .extracting(ReceivedQuery::overTcp)
                .containsExactly(false, false, true);
        assertThat(cookie(server.queries().get(1))).hasSize(16);
        assertThat(lab.count(Event.COOKIE_RETRY)).isEqualTo(1);
    }

    @Test
    void aResponseWithAnotherCookieIsNotTaken() {
        withCookies();
        final int[] count = {0};
        server.always(query -> {
            final byte[] client = Arrays.copyOf(cookie(query), 8);
            if (count[0]++ == 0) {
                client[0] ^= 1;
                return Reply.answer(query.name() + " 1 A 192.0.2.66")
                        .authoritative()
                        .option(full(client))
                        .to(query);
            }
            return address(query).option(full(client)).to(query);
        });
        assertThat(lab.answer("w.a.test", "A")).containsExactly("w.a.test. A 192.0.2.5");
    }

    @Test
    void aServerThatGaveACookieAndSendsNoneIsAskedOverTcp() {
        withCookies();
        server.on(
                "w.a.test",
                query -> address(query).option(full(Arrays.copyOf(cookie(query), 8))).to(query));
        server.on(
                query -> query.name().toString().startsWith("v.") && !query.overTcp(),
                Reply.answer("v.a.test. 1 A 192.0.2.66").authoritative());
        lab.answer("w.a.test", "A");
        assertThat(lab.answer("v.a.test", "A")).containsExactly("v.a.test. A 192.0.2.5");
        assertThat(lab.count(Event.COOKIE_TCP)).isEqualTo(1);
    }

    @Test
    void randomCaseMustComeBack() {
        lab.options(lab.options().withCaseRandomisation(true));
        final String name = "abcdefghijklmnopqrstuvwxyz.a.test";
        assertThat(lab.answer(name, "A")).hasSize(1);
        final String asked = server.queries().getLast().name().toString();
        assertThat(asked).isEqualToIgnoringCase(name + ".").isNotEqualTo(name + ".");
        server.always(query ->
                address(query)
                        .changed(octets -> {
                            for (int i = 12; i < 46; i++) {
                                if (octets[i] >= 'A' && octets[i] <= 'Z') {
                                    octets[i] |= 0x20;
                                }
                            }
                            return octets;
                        })
                        .to(query));
        assertThat(lab.answer("abcdefghijklmnopqrstuvwxy.a.test", "A")).hasSize(1);
        assertThat(server.queries().getLast().name())
                .hasToString("abcdefghijklmnopqrstuvwxy.a.test.");
        assertThat(lab.count(Event.UPSTREAM_UNSOUND)).isEqualTo(1);
    }

    @Test
    void theFastestServerGetsMostAndTheOthersAFew() {
        final List<ScriptedServer> servers = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            lab.tld(
                    "f.test. 86400 NS ns%d.f.test.".formatted(i),
                    "ns%d.f.test. 86400 A 192.0.2.4%d".formatted(i, i));
            servers.add(
                    lab.server("192.0.2.4" + i)
                            .zone("f.test", "*.f.test. 1 A 192.0.2.5")
                            .latency(Duration.ofMillis(i == 2 ? 5 : 80)));
        }
        for (int i = 0; i < 400; i++) {
            lab.answer("w%d.f.test".formatted(i), "A");
        }
        assertThat(servers.get(1).count()).isGreaterThan(300);
        assertThat(servers.get(0).count()).isBetween(1, 60);
        assertThat(servers.get(2).count()).isBetween(1, 60);
        servers.get(0).latency(Duration.ofMillis(1));
        servers.get(1).latency(Duration.ofMillis(200));
        lab.internet.clear();
        for (int i = 0; i < 400; i++) {
            lab.answer("v%d.f.test".formatted(i), "A");
        }
        assertThat(servers.get(0).count()).as("it has become the fastest").isGreaterThan(200);
    }

    @Test
    void aDeadServerIsLeftAloneForLongerAndLonger() {
        lab.tld(
                "g.test. 864000 NS ns1.g.test.",
                "g.test. 864000 NS ns2.g.test.",
                "ns1.g.test. 864000 A 192.0.2.41",
                "ns2.g.test. 864000 A 192.0.2.42");
        lab.server("192.0.2.41").always(Reply.silence());
        lab.server("192.0.2.42")
                .zone("g.test", "*.g.test. 1 A 192.0.2.5")
                .latency(Duration.ofMillis(300));
        for (int i = 0; i < 3_000; i++) {
            lab.answer("w%d.g.test".formatted(i), "A");
        }
        assertThat(lab.server("192.0.2.41").count()).isBetween(1, 40);
        lab.server("192.0.2.41").unscripted().zone("g.test", "*.g.test. 1 A 192.0.2.5");
        lab.server("192.0.2.42").always(Reply.silence());
        lab.advance(400);
        assertThat(lab.answer("back.g.test", "A")).hasSize(1);
    }

    @Test
    void tenPercentLossEachWayLosesNothing() {
        final java.util.Random random = new java.util.Random(7);
        for (final ScriptedServer each : List.of(lab.root(), lab.tld(), server)) {
            each.on(query -> random.nextInt(100) < 19, Reply.silence());
        }
        int lost = 0;
        for (int i = 0; i < 2_000; i++) {
            if (lab.resolve("w%d.a.test".formatted(i), "A").isFailure()) {
                lost++;
            }
        }
        assertThat(lost).isLessThanOrEqualTo(2);
    }

    @Test
    void aServfailOfAllServersIsOneQueryToEach() {
        server.always(Reply.code(ResponseCode.SERVFAIL));
        lab.options(lab.options().withMinimisation(RecursorOptions.Minimisation.OFF));
        lab.failure("w.a.test", "A", NO_REACHABLE_AUTHORITY);
        assertThat(server.count()).isEqualTo(1);
    }
}
