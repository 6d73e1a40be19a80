package io.ananas.recursor;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.ResponseCode;
import io.ananas.message.Upstream;
import io.ananas.recursor.Reply.Heard;
import io.ananas.recursor.Reply.Silent;
import io.ananas.recursor.ResolutionFailure.LimitReached;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks one server one question, in a way that it understands.
 *
 * <p>Sent are EDNS with DO (RFC 6891, RFC 3225) and a cookie (RFC 7873). A server that refuses EDNS
 * is asked without (RFC 6891, section 7); one never heard to take it also after three tries that
 * nothing came back of. BADCOOKIE is followed by one try with the new cookie, then by TCP; where a
 * server that gave a cookie sends none, the answer might be forged and is asked for over TCP, where
 * it is taken with or without. If letters went out in random case (draft-vixie-dnsext-dns0x20) and
 * do not come back so, the server gets one more try with plain letters.
 */
final class Dialogue {
    private static final int PLAIN_FROM = 3;

    private final RecursorOptions options;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private final Events events;
    private final int forwardFlags;

    /**
     * @param validating whether forwarders are asked to leave validation to us (RFC 6840, section
     *     5.9)
     */
    Dialogue(
            RecursorOptions options,
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
        forwardFlags = MessageLayout.RD | (validating ? MessageLayout.CD : 0);
    }

    /** One question and how it is put. */
    private record Wording(
            Name name, int type, int flags, boolean edns, boolean cookie, boolean randomCase) {
        Wording plain() {
            return new Wording(name, type, flags, false, false, randomCase);
        }

        Wording withoutRandomCase() {
            return new Wording(name, type, flags, edns, cookie, false);
        }
    }

    /**
     * @param forward whether the server is asked to resolve
     * @param attempt how often it was asked this before
     */
    Reply ask(
            ServerRecord server, QuestionKey question, boolean forward, int attempt, Budget budget)
            throws LimitReached {
        final boolean takes = server.takesEdns(clock.millis());
        final boolean doubtful = takes && attempt >= PLAIN_FROM && !server.isEdnsKnownToWork();
        final boolean edns = takes && !doubtful;
        final Wording wording =
                new Wording(
                        question.name(),
                        question.type(),
                        forward ? forwardFlags : 0,
                        edns,
                        edns && options.cookies(),
                        options.caseRandomisation() && server.keepsCase());
        final Reply reply = exchange(server, wording, attempt, budget);
        if (reply instanceof Heard && doubtful) {
            server.ednsSuspected(clock.millis());
        }
        return reply;
    }

    private Reply exchange(ServerRecord server, Wording wording, int attempt, Budget budget)
            throws LimitReached {
        final Reply first = send(server, server.udp(), wording, attempt, budget);
        if (!(first instanceof Heard(MessageView response)) || !wording.edns()) {
            return first;
        }
        if (response.hasEdns()) {
            server.ednsWorked();
        }
        return switch (response.responseCode()) {
            case ResponseCode.FORMERR, ResponseCode.NOTIMP, ResponseCode.BADVERS ->
                    askPlainly(server, wording, attempt, budget, first);
            case ResponseCode.BADCOOKIE -> askWithNewCookie(server, wording, attempt, budget);
            default ->
                    lacksCookie(server, wording, response)
                            ? overTcp(server, wording, budget)
                            : first;
        };
    }

    private Reply askPlainly(
            ServerRecord server, Wording wording, int attempt, Budget budget, Reply refusal)
            throws LimitReached {
        events.add(Event.EDNS_FALLBACK);
        final Reply plain = send(server, server.udp(), wording.plain(), attempt, budget);
        if (plain instanceof Heard(MessageView response)
                && response.responseCode() != ResponseCode.FORMERR
                && response.responseCode() != ResponseCode.NOTIMP) {
            server.ednsRefused(clock.millis());
            return plain;
        }
        return plain instanceof Heard ? plain : refusal;
    }

    private Reply askWithNewCookie(ServerRecord server, Wording wording, int attempt, Budget budget)
            throws LimitReached {
        events.add(Event.COOKIE_RETRY);
        final Reply again = send(server, server.udp(), wording, attempt, budget);
        final boolean refused =
                again instanceof Heard(MessageView response)
                        && response.responseCode() == ResponseCode.BADCOOKIE;
        return refused ? overTcp(server, wording, budget) : again;
    }

    private static boolean lacksCookie(ServerRecord server, Wording wording, MessageView response) {
        return wording.cookie()
                && server.hasServerCookie()
                && response.option(EdnsOption.COOKIE) == 0;
    }

    private Reply overTcp(ServerRecord server, Wording wording, Budget budget) throws LimitReached {
        events.add(Event.COOKIE_TCP);
        final Reply reply = send(server, server.tcp(), wording, 2, budget);
        if (reply instanceof Heard(MessageView response)
                && response.option(EdnsOption.COOKIE) == 0) {
            server.forgetServerCookie();
        }
        return reply;
    }

    private Reply send(
            ServerRecord server, Upstream way, Wording wording, int attempt, Budget budget)
            throws LimitReached {
        final Duration left = budget.remaining();
        budget.spendQuery();
        final Duration own = server.timeout(attempt);
        final Duration timeout = own.compareTo(left) < 0 ? own : left;
        final Name name = wording.randomCase() ? randomCase(wording.name()) : wording.name();
        final long start = nanoTime.getAsLong();
        final byte[] octets;
        try {
            octets = way.exchange(query(server, wording, name), timeout);
        } catch (SocketTimeoutException e) {
            events.add(Event.UPSTREAM_TIMEOUT);
            server.silent(clock.millis());
            return new Silent("no response in %d ms".formatted(timeout.toMillis()), false);
        } catch (IOException e) {
            events.add(Event.UPSTREAM_NETWORK_ERROR);
            server.silent(clock.millis());
            return new Silent(String.valueOf(e.getMessage()), true);
        }
        final MessageView response = new MessageView();
        final String wrong = check(server, wording, name, octets, response);
        if (wrong != null) {
            events.add(Event.UPSTREAM_UNSOUND);
            return new Silent(wrong, false);
        }
        server.answered(nanoTime.getAsLong() - start);
        if (wording.randomCase() && !sameCase(name, response)) {
            events.add(Event.UPSTREAM_UNSOUND);
            server.changedCase();
            return send(server, way, wording.withoutRandomCase(), attempt, budget);
        }
        return new Heard(response);
    }

    private byte[] query(ServerRecord server, Wording wording, Name name) {
        final MessageWriter writer =
                new MessageWriter(512)
                        .header(0, wording.flags())
                        .question(name, wording.type(), RecordClass.IN);
        if (wording.edns()) {
            final Edns edns = Edns.of(options.payloadSize(), true);
            writer.edns(
                    wording.cookie()
                            ? edns.with(EdnsOption.of(EdnsOption.COOKIE, server.cookie()))
                            : edns);
        }
        return writer.toByteArray();
    }

    /** What is wrong with a response; null if nothing is. */
    private static @Nullable String check(
            ServerRecord server, Wording wording, Name name, byte[] octets, MessageView response) {
        final Fault fault = response.parse(octets, octets.length);
        if (fault != Fault.NONE) {
            return "malformed response: " + fault.text();
        }
        final int code = response.responseCode();
        if (response.questionCount() == 0) {
            return code == ResponseCode.FORMERR || code == ResponseCode.NOTIMP
                    ? null
                    : "a response without a question";
        }
        if (response.questionType() != wording.type()
                || !response.name(response.questionName()).equals(name)) {
            return "a response to another question";
        }
        if ((response.flags() & MessageLayout.TC) != 0) {
            return "truncated even over TCP";
        }
        return checkCookie(server, wording, response);
    }

    private static @Nullable String checkCookie(
            ServerRecord server, Wording wording, MessageView response) {
        final int option = response.option(EdnsOption.COOKIE);
        if (!wording.cookie() || option == 0) {
            return null;
        }
        final int data = response.optionData(option);
        final byte[] cookie =
                Arrays.copyOfRange(response.message(), data, data + response.optionLength(option));
        return server.learnCookie(cookie) ? null : "a response with a cookie that is not ours";
    }

    private static boolean sameCase(Name name, MessageView response) {
        return response.questionCount() == 0
                || Arrays.equals(name.wire(), response.name(response.questionName()).wire());
    }

    private Name randomCase(Name name) {
        final byte[] wire = name.wire();
        long bits = 0;
        for (int i = 0; i < wire.length; i++) {
            if (i % Long.SIZE == 0) {
                bits = random.nextLong();
            }
            final int letter = wire[i] | 0x20;
            if (letter >= 'a' && letter <= 'z' && wire[i] > 63) {
                wire[i] = (byte) ((bits & 1L << i) != 0 ? letter : letter & ~0x20);
            }
        }
        return Name.ofWire(wire, 0);
    }
}
