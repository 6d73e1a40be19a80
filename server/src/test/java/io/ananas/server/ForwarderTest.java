package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.message.ExtendedError;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.QueryBatch;
import io.ananas.message.QueryView;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever goes wrong with one client of a flight, the others have one answer each. */
@Timeout(60)
class ForwarderTest {
    private static final String NAME = "www.example.test";
    private static final int CLIENTS = 5;

    /** What the source brings. */
    enum Outcome {
        ANSWER,
        FAILURE,
        DEFECT;

        ForwardResult result() {
            return switch (this) {
                case ANSWER -> answered();
                case FAILURE -> new ForwardResult.Failed(failure());
                case DEFECT -> throw new IllegalStateException("made up");
            };
        }

        int responseCode() {
            return this == ANSWER ? ResponseCode.NXDOMAIN : ResponseCode.SERVFAIL;
        }
    }

    private static UpstreamFailure failure() {
        return new UpstreamFailure(ExtendedError.NETWORK_ERROR, "nobody there");
    }

    private static ForwardResult answered() {
        final byte[] message =
                new MessageWriter(512)
                        .header(0, MessageLayout.QR | MessageLayout.RA)
                        .question(Name.of(NAME), RecordType.A, RecordClass.IN)
                        .responseCode(ResponseCode.NXDOMAIN)
                        .toByteArray();
        final MessageView view = new MessageView();
        assertThat(view.parse(message, message.length)).isEqualTo(Fault.NONE);
        return new ForwardResult.Answered(view, null);
    }

    /** A client that takes replies, or throws at each. */
    private static final class Client implements QueryBatch.Pending {
        private final boolean throwing;
        private final List<Integer> codes = new ArrayList<>();

        Client(boolean throwing) {
            this.throwing = throwing;
        }

        @Override
        public byte[] query() {
            return Flood.query(NAME);
        }

        @Override
        public boolean isStream() {
            return false;
        }

        @Override
        public byte[] clientAddress() {
            return new byte[] {127, 0, 0, 1};
        }

        @Override
        public synchronized void reply(byte[] message, int length) {
            codes.add(message[3] & 0xf);
            if (throwing) {
                throw new IllegalStateException("made up: this client cannot be reached");
            }
        }

        synchronized List<Integer> codes() {
            return List.copyOf(codes);
        }
    }

    private static void with(
            Function<QuestionKey, ForwardResult> source, int maxWaiting, Scenario scenario)
            throws Exception {
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(1 << 20));
                Housekeeping timers = new Housekeeping()) {
            final Forwarder forwarder =
                    new Forwarder(
                            source::apply,
                            new AnswerStore(cache, InstantSource.system(), List.of()),
                            new Forwarder.Service(
                                    maxWaiting, Duration.ofMinutes(1), 1, SubnetPolicy.OFF),
                            timers);
            scenario.play(forwarder);
        }
    }

    private static boolean ask(Forwarder forwarder, Client client) {
        try (Arena arena = Arena.ofConfined()) {
            final byte[] query = client.query();
            final MemorySegment room = arena.allocate(query.length + 64L);
            MemorySegment.copy(query, 0, room, ValueLayout.JAVA_BYTE, 0, query.length);
            final QueryView view = new QueryView();
            assertThat(view.parse(room.address(), query.length)).isEqualTo(QueryView.ANSWERABLE);
            return forwarder.resolve(view, new BatchOfOne(client), 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theOthersAreServed(Outcome outcome) throws Exception {
        final CountDownLatch aboard = new CountDownLatch(1);
        with(
                question -> after(aboard, outcome),
                CLIENTS,
                forwarder -> {
                    final List<Client> clients = new ArrayList<>();
                    for (int i = 0; i < CLIENTS; i++) {
                        clients.add(new Client(i % 2 == 0));
                        assertThat(ask(forwarder, clients.getLast())).isTrue();
                    }
                    assertThat(ask(forwarder, new Client(false))).as("one too many").isFalse();
                    aboard.countDown();
                    assertThat(forwarder.drain(Duration.ofSeconds(20))).isTrue();
                    assertThat(forwarder.waiting()).isZero();
                    for (Client client : clients) {
                        assertThat(client.codes()).containsExactly(outcome.responseCode());
                    }
                });
    }

    private static ForwardResult after(CountDownLatch latch, Outcome outcome) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return outcome.result();
    }

    @Test
    void aDefectLeavesNoQuestionBehindThatNobodyAsks() throws Exception {
        with(
                _ -> Outcome.DEFECT.result(),
                1,
                forwarder -> {
                    for (int i = 0; i < 3; i++) {
                        final Client client = new Client(true);
                        assertThat(ask(forwarder, client)).as("attempt %d", i).isTrue();
                        assertThat(forwarder.drain(Duration.ofSeconds(20))).isTrue();
                        assertThat(client.codes()).containsExactly(ResponseCode.SERVFAIL);
                    }
                    assertThat(forwarder.waiting()).isZero();
                });
    }

    @FunctionalInterface
    private interface Scenario {
        void play(Forwarder forwarder) throws Exception;
    }

    /** What a forwarder needs of a batch. */
    private record BatchOfOne(Client client) implements QueryBatch {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public long queryAddress(int i) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int queryLength(int i) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long replyAddress(int i) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int replyCapacity(int i) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void reply(int i, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isStream(int i) {
            return false;
        }

        @Override
        public long clientAddress(int i) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int clientAddressLength(int i) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Pending detach(int i) {
            return client;
        }
    }
}
