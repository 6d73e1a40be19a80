package io.ananas.server;

import static org.assertj.core.api.Assertions.assertThat;

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

    /** Question names that no message may have: they point at themselves, forward, or nowhere. */
    private static List<byte[]> badPointers() {
        return List.of(
                message(m -> type(pointer(m, 12))),
                message(m -> type(pointer(m.put((byte) 1).put((byte) 'a'), 12))),
                message(m -> type(pointer(pointer(m, 14), 12))),
                message(m -> {
                    type(pointer(m, 30));
                    m.put(new byte[40]);
                }),
                message(m -> {
                    for (int i = 0; i < 200; i++) {
                        pointer(m, 14 + 2 * i);
                    }
                    type(m.put((byte) 0));
                }),
                message(m -> type(pointer(m, 0x3fff))));
    }

    @Test
    void b019() throws IOException {
        try (Scene scene = Scene.open();
                ScriptedUpstream second = ScriptedUpstream.start()) {
            for (byte[] bad : badPointers()) {
                final DnsMessage response = DnsMessage.parse(scene.client.udp(bad));
                assertThat(response.responseCode()).isEqualTo(ResponseCode.FORMERR);
            }
            assertThat(scene.upstream.count()).isZero();
            second.when(NAME, "A").answer(RECORD);
            final int[][] owners = {{0xc0, 34}, {0xc0, 60}, {0xff, 0xff}, {0x40, 1}, {0x80, 1}};
            for (int[] owner : owners) {
                scene.upstream
                        .when(NAME, "A")
                        .reply(
                                Reply.answer(RECORD)
                                        .changed(sound -> {
                                            final byte[] reply = sound.clone();
                                            reply[34] = (byte) owner[0];
                                            reply[35] = (byte) owner[1];
                                            return reply;
                                        }));
                try (Server server =
                        TestServer.start(
                                TestServer.configuration(
                                        List.of(scene.upstream.address(), second.address())))) {
                    assertThat(TestServer.client(server).ask(NAME, "A").answer()).hasSize(1);
                    assertThat(server.handlerFailures()).isZero();
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
