package io.ananas.server;

import io.ananas.message.ClientSubnet;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks a list of upstream servers one question until one has a usable answer.
 *
 * <p>The server that was fastest lately is asked first, but now and then another, so that one which
 * has become better is noticed. A server that stays silent, cannot be reached, or sends something
 * unsound is given another chance in the next round, with twice the time; one that answers SERVFAIL
 * or REFUSED means it, and is not asked again. Everything happens within one deadline.
 *
 * <p>Blocking; thread-safe.
 */
final class Forwarding implements AnswerSource {
    private static final int ROUNDS = 3;
    private static final int EXPLORE_ONE_IN = 20;

    private final List<ForwardServer> servers;
    private final Duration deadline;
    private final RandomGenerator random;

    /**
     * @param deadline for one question, all servers and rounds together
     */
    Forwarding(List<ForwardServer> servers, Duration deadline, RandomGenerator random) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("forwarding needs at least one upstream server");
        }
        this.servers = List.copyOf(servers);
        this.deadline = deadline;
        this.random = random;
    }

    List<ForwardServer> servers() {
        return servers;
    }

    @Override
    public ForwardResult ask(QuestionKey question) {
        final long end = System.nanoTime() + deadline.toNanos();
        final Attempt attempt = new Attempt(question);
        List<ForwardServer> left = inOrder();
        for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
            final List<ForwardServer> again = new ArrayList<>();
            for (ForwardServer server : left) {
                final Duration remaining = Duration.ofNanos(end - System.nanoTime());
                if (remaining.toMillis() < 1) {
                    return attempt.failed();
                }
                final Duration own = server.timeout(round);
                final MessageView response =
                        attempt.ask(server, own.compareTo(remaining) < 0 ? own : remaining);
                if (response != null) {
                    return new ForwardResult.Answered(response, scope(question, server, response));
                }
                if (attempt.isWorthRepeating) {
                    again.add(server);
                }
            }
            left = again;
        }
        return attempt.failed();
    }

    /** Whom an answer is for (RFC 7871, section 7.3). */
    private static @Nullable ClientSubnet scope(
            QuestionKey question, ForwardServer server, MessageView response) {
        final ClientSubnet sent = question.subnet();
        if (sent == null || !server.isToldSubnets()) {
            return null;
        }
        if (response.option(EdnsOption.CLIENT_SUBNET) == 0) {
            return null;
        }
        final ClientSubnet got = response.clientSubnet();
        final boolean fits = got != null && got.withScope(0).equals(sent);
        return fits ? got : sent.withScope(sent.sourcePrefix());
    }

    private List<ForwardServer> inOrder() {
        if (servers.size() == 1) {
            return servers;
        }
        final List<ForwardServer> order = new ArrayList<>(servers);
        order.sort(Comparator.comparingDouble(ForwardServer::roundTripMillis));
        if (random.nextInt(EXPLORE_ONE_IN) == 0) {
            order.addFirst(order.remove(random.nextInt(order.size())));
        }
        return order;
    }

    /** One question on its way round the servers. */
    private static final class Attempt {
        private final QuestionKey question;
        private final StringBuilder story = new StringBuilder();
        private ExtendedError error = ExtendedError.NO_REACHABLE_AUTHORITY;
        private boolean isWorthRepeating;

        Attempt(QuestionKey question) {
            this.question = question;
        }

        /** The response; null if it is not usable, which is noted. */
        @Nullable MessageView ask(ForwardServer server, Duration timeout) {
            try {
                MessageView response =
                        exchange(
                                server,
                                ForwardQuery.withEdns(question, server.isToldSubnets()),
                                timeout);
                if (response != null && response.responseCode() == ResponseCode.FORMERR) {
                    response = exchange(server, ForwardQuery.withoutEdns(question), timeout);
                }
                return response != null && isUsable(server, response) ? response : null;
            } catch (SocketTimeoutException e) {
                note(server, "no response in time", true);
                return null;
            } catch (IOException e) {
                error = ExtendedError.NETWORK_ERROR;
                note(server, String.valueOf(e.getMessage()), true);
                return null;
            }
        }

        private @Nullable MessageView exchange(ForwardServer server, byte[] query, Duration timeout)
                throws IOException {
            final byte[] response = server.exchange(query, timeout);
            setFlags(response);
            final MessageView view = new MessageView();
            final Fault fault = view.parse(response, response.length);
            if (fault != Fault.NONE) {
                server.fail();
                note(server, "malformed response: " + fault.text(), true);
                return null;
            }
            return view;
        }

        /**
         * AD is not ours to vouch for; CD is what we asked, whether the server repeats it or not.
         */
        private void setFlags(byte[] response) {
            final int cd = question.checkingDisabled() ? MessageLayout.CD : 0;
            final int mask = MessageLayout.AD | MessageLayout.CD;
            response[MessageLayout.FLAGS + 1] =
                    (byte) ((response[MessageLayout.FLAGS + 1] & ~mask) | cd);
        }

        private boolean isUsable(ForwardServer server, MessageView response) {
            final int code = response.responseCode();
            final boolean whole =
                    (response.flags() & MessageLayout.TC) == 0 && response.questionCount() == 1;
            return switch (code) {
                case ResponseCode.NOERROR, ResponseCode.NXDOMAIN, ResponseCode.YXDOMAIN -> {
                    if (!whole) {
                        server.fail();
                        note(server, "incomplete response", true);
                    } else if (isLame(response)) {
                        server.fail();
                        note(server, "neither answer nor denial", false);
                    }
                    yield whole && !isLame(response);
                }
                case ResponseCode.NOTIMP -> whole;
                default -> {
                    note(server, ResponseCode.text(code), false);
                    yield false;
                }
            };
        }

        /** A referral, or signatures without what they sign: nothing that answers the question. */
        private boolean isLame(MessageView response) {
            final int answers = response.endRecord(MessageView.ANSWER);
            for (int i = 0; i < answers; i++) {
                if (response.type(i) != RecordType.RRSIG || question.type() == RecordType.RRSIG) {
                    return false;
                }
            }
            boolean hasNs = false;
            for (int i = answers; i < response.endRecord(MessageView.AUTHORITY); i++) {
                if (response.type(i) == RecordType.SOA) {
                    return false;
                }
                hasNs |= response.type(i) == RecordType.NS;
            }
            return answers > 0 || hasNs;
        }

        private void note(ForwardServer server, String what, boolean worthRepeating) {
            isWorthRepeating = worthRepeating;
            final String entry = server.name() + ": " + what;
            if (story.indexOf(entry) < 0) {
                story.append(story.isEmpty() ? "" : "; ").append(entry);
            }
        }

        ForwardResult failed() {
            return new ForwardResult.Failed(new UpstreamFailure(error, story.toString()));
        }
    }
}
