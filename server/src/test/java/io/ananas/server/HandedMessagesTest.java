package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.cache.Insertion;
import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.testkit.DnsClient;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.Query;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ResourceRecord;
import io.ananas.testkit.ScriptedUpstream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cases of the collection about single messages and how they travel. */
@Timeout(60)
class HandedMessagesTest {
    private static final String NAME = "www.example.test";
    private static final String RECORD = NAME + ". 300 IN A 192.0.2.1";

    private static byte[] message(Consumer<ByteBuffer> behindHeader) {
        final ByteBuffer message = ByteBuffer.allocate(65_535);
        message.putShort((short) 7).putShort((short) MessageLayout.RD).putShort((short) 1);
        message.putShort((short) 0).putInt(0);
        behindHeader.accept(message);
        return octets(message);
    }

    private static byte[] octets(ByteBuffer message) {
        final byte[] octets = new byte[message.position()];
        message.flip().get(octets);
        return octets;
    }

    private static ByteBuffer pointer(ByteBuffer message, int to) {
        return message.putShort((short) (0xc000 | to));
    }

    private static void type(ByteBuffer message) {
        message.putShort((short) 1).putShort((short) 1);
    }

    /** Writes a name that no message may have, where the buffer stands. */
    private enum BadName {
        POINTS_AT_ITSELF,
        LABEL_THAT_POINTS_AT_ITSELF,
        TWO_THAT_POINT_AT_EACH_OTHER,
        POINTS_AHEAD,
        POINTS_AHEAD_200_TIMES,
        POINTS_NOWHERE,
        LABEL_OF_64_OCTETS,
        LABEL_OF_TYPE_2;

        void write(ByteBuffer m) {
            final int at = m.position();
            switch (this) {
                case POINTS_AT_ITSELF -> pointer(m, at);
                case LABEL_THAT_POINTS_AT_ITSELF -> pointer(m.put((byte) 1).put((byte) 'a'), at);
                case TWO_THAT_POINT_AT_EACH_OTHER -> pointer(pointer(m, at + 2), at);
                case POINTS_AHEAD -> pointer(m, at + 18);
                case POINTS_AHEAD_200_TIMES -> {
                    for (int i = 1; i <= 200; i++) {
                        pointer(m, at + 2 * i);
                    }
                    m.put((byte) 0);
                }
                case POINTS_NOWHERE -> pointer(m, 0x3fff);
                case LABEL_OF_64_OCTETS -> m.put((byte) 0x40).put(new byte[65]);
                case LABEL_OF_TYPE_2 -> m.put((byte) 0x80).put(new byte[65]);
            }
        }

        byte[] query() {
            return message(m -> {
                write(m);
                type(m);
                m.put(new byte[40]);
            });
        }

        /** A response with the name as owner of its record, or as what an alias leads to. */
        byte[] response(byte[] query, boolean asOwner) {
            final ByteBuffer m = ByteBuffer.allocate(2_000);
            m.put(query, 0, 2).putShort((short) 0x8180).putShort((short) 1).putShort((short) 1);
            m.putInt(0).put(query, 12, 22);
            if (asOwner) {
                write(m);
                type(m);
                m.putInt(300).putShort((short) 4).putInt(0xc0000201);
            } else {
                pointer(m, 12).putShort((short) RecordType.CNAME).putShort((short) 1).putInt(300);
                final int length = m.position();
                m.putShort((short) 0);
                write(m);
                m.putShort(length, (short) (m.position() - length - 2));
            }
            m.put(new byte[40]);
            return octets(m);
        }
    }

    @Test
    void b019() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream.when(NAME, "A").answer(RECORD);
            for (BadName bad : BadName.values()) {
                for (byte[] response :
                        List.of(scene.client.udp(bad.query()), scene.client.tcp(bad.query()))) {
                    assertThat(DnsMessage.parse(response).responseCode())
                            .as(bad.name())
                            .isEqualTo(ResponseCode.FORMERR);
                }
            }
            assertThat(scene.upstream.count()).isZero();
            assertThat(scene.ask(NAME, "A").answer()).hasSize(1);
            assertThat(scene.server.handlerFailures()).isZero();
        }
    }

    @Test
    void b019FromAnUpstream() throws IOException {
        for (BadName bad : BadName.values()) {
            for (boolean asOwner : new boolean[] {true, false}) {
                try (Scene scene = Scene.open();
                        ScriptedUpstream sound = ScriptedUpstream.start()) {
                    final Reply broken = q -> bad.response(q.octets(), asOwner);
                    scene.upstream.when(NAME, "A").reply(broken);
                    final DnsMessage failure = scene.ask(NAME, "A");
                    assertThat(failure.responseCode())
                            .as(bad.name())
                            .isEqualTo(ResponseCode.SERVFAIL);
                    assertThat(scene.upstream.count()).isBetween(1, 3);
                    assertThat(scene.server.store().count(Insertion.STORED)).isZero();
                    sound.when(NAME, "A").answer(RECORD);
                    try (Server server =
                            TestServer.start(
                                    TestServer.configuration(
                                            List.of(scene.upstream.address(), sound.address())))) {
                        assertThat(TestServer.client(server).ask(NAME, "A").answer()).hasSize(1);
                        assertThat(server.handlerFailures()).isZero();
                    }
                    assertThat(scene.server.handlerFailures()).isZero();
                }
            }
        }
    }

    @Test
    void b021() throws IOException {
        final String label = "a".repeat(63);
        final String longest = label + "." + label + "." + label + "." + "b".repeat(61);
        try (Scene scene = Scene.open()) {
            scene.upstream.when(longest, "A").answer(longest + ". 300 IN A 192.0.2.1");
            for (int i = 0; i < 2; i++) {
                assertThat(scene.ask(longest, "A").answer()).hasSize(1);
            }
            assertThat(scene.upstream.count()).isOne();
            final List<byte[]> bad =
                    List.of(
                            message(m -> {
                                for (int i = 0; i < 3; i++) {
                                    m.put((byte) 63).put(label.getBytes(StandardCharsets.US_ASCII));
                                }
                                m.put((byte) 62).put(new byte[62]).put((byte) 0);
                                type(m);
                            }),
                            message(m -> type(m.put((byte) 0x40).put(new byte[65]))),
                            message(m -> type(m.put((byte) 0x80).put(new byte[65]))));
            for (byte[] query : bad) {
                assertThat(DnsMessage.parse(scene.client.udp(query)).responseCode())
                        .isEqualTo(ResponseCode.FORMERR);
            }
            final List<ResourceRecord> many = new ArrayList<>();
            for (int i = 0; i < 3_900; i++) {
                final byte[] rdata = {10, 0, (byte) (i >> 8), (byte) i};
                many.add(ResourceRecord.of(Name.of(longest), RecordType.A, 300, rdata));
            }
            scene.upstream.when(longest, "A").reply(Reply.answer().answer(many));
            scene.server.cache().flushAll();
            final long start = System.nanoTime();
            for (int i = 0; i < 2; i++) {
                assertThat(scene.client.askOverTcp(Query.of(longest, "A")).answer()).hasSize(3_900);
            }
            assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
        }
    }

    @Test
    void b023() throws IOException {
        final List<String> records = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            records.add("big.example.test. 300 IN A 192.0.2." + i);
        }
        try (Scene scene = Scene.open()) {
            scene.upstream
                    .when("big.example.test", "A")
                    .reply(Reply.answer(records.toArray(String[]::new)).truncated());
            final byte[] cut = scene.client.udp(Query.of("big.example.test", "A").toWire());
            assertThat(cut).hasSizeLessThanOrEqualTo(512);
            assertThat(DnsMessage.parse(cut).has(MessageLayout.TC)).isTrue();
            assertThat(scene.upstream.count()).isEqualTo(2);
            assertThat(scene.client.askOverTcp(Query.of("big.example.test", "A")).answer())
                    .hasSize(80);
            assertThat(scene.upstream.count()).isEqualTo(2);
        }
    }

    @Test
    void b025() throws IOException {
        final List<String> records = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            records.add("t.example.test. 300 IN TXT \"%0200d\"".formatted(i));
        }
        for (int warm = 0; warm < 2; warm++) {
            for (int offered : new int[] {-1, 0, 511, 512, 1_232, 4_096, 10_000}) {
                try (Scene scene = Scene.open()) {
                    scene.upstream
                            .when("t.example.test", "TXT")
                            .answer(records.toArray(String[]::new));
                    final Query plain = Query.of("t.example.test", "TXT");
                    if (warm == 1) {
                        scene.client.askOverTcp(plain);
                    }
                    final Query query = offered < 0 ? plain : plain.payloadSize(offered);
                    final byte[] response = scene.client.udp(query.toWire());
                    assertThat(response)
                            .hasSizeLessThanOrEqualTo(
                                    Math.min(Edns.PAYLOAD_SIZE, Math.max(512, offered)));
                    final DnsMessage message = DnsMessage.parse(response);
                    assertThat(message.has(MessageLayout.TC)).isTrue();
                    assertThat(message.edns() != null).isEqualTo(offered >= 0);
                    assertThat(scene.client.askOverTcp(plain).answer()).hasSize(15);
                }
            }
        }
    }

    @Test
    void b027() throws IOException {
        try (Scene scene = Scene.open()) {
            scene.upstream.when(NAME, "A").answer(RECORD);
            final EdnsOption unknown = EdnsOption.of(65_001, new byte[] {1, 2, 3});
            for (int i = 0; i < 2; i++) {
                for (int version : new int[] {1, 100}) {
                    final DnsMessage response =
                            scene.client.ask(
                                    Scene.query(NAME, "A").option(unknown).ednsVersion(version));
                    assertThat(response.responseCode()).isEqualTo(ResponseCode.BADVERS);
                    assertThat(TestServer.edns(response).version()).isZero();
                    assertThat(response.question()).isNotNull();
                    assertThat(response.answer()).isEmpty();
                }
                assertThat(scene.client.ask(Scene.query(NAME, "A").option(unknown)).answer())
                        .hasSize(1);
                final byte[] one = Scene.query(NAME, "A").toWire();
                final ByteArrayOutputStream two = new ByteArrayOutputStream();
                two.write(one);
                two.write(one, one.length - 11, 11);
                final byte[] octets = two.toByteArray();
                octets[MessageLayout.ARCOUNT + 1] = 2;
                assertThat(DnsMessage.parse(scene.client.udp(octets)).responseCode())
                        .isEqualTo(ResponseCode.FORMERR);
            }
        }
    }

    @Test
    void b073() throws Exception {
        final CountDownLatch release = new CountDownLatch(1);
        try (Scene scene = Scene.open()) {
            scene.upstream.when(NAME, "A").answer(RECORD);
            scene.upstream
                    .when("slow.example.test", "A")
                    .reply(Reply.answer("slow.example.test. 300 IN A 192.0.2.9").after(release));
            scene.ask(NAME, "A");
            try (DnsClient.TcpConnection connection = scene.client.connect()) {
                final ByteArrayOutputStream stream = new ByteArrayOutputStream();
                for (int id = 1; id <= 20; id++) {
                    final byte[] query =
                            Query.of(id == 1 ? "slow.example.test" : NAME, "A").id(id).toWire();
                    stream.write(0);
                    stream.write(query.length);
                    stream.write(query);
                }
                final byte[] all = stream.toByteArray();
                final int split = all.length / 2 + 1;
                connection.sendRaw(Arrays.copyOf(all, split));
                connection.sendRaw(Arrays.copyOfRange(all, split, all.length));
                final List<Integer> ids = new ArrayList<>();
                for (int i = 0; i < 19; i++) {
                    ids.add(connection.receiveMessage().id());
                }
                assertThat(ids).doesNotContain(1).doesNotHaveDuplicates();
                release.countDown();
                assertThat(connection.receiveMessage().id()).isEqualTo(1);
            }
        }
    }
}
