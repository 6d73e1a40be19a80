package io.ananas.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random and mutated octets against both decoders: no exception, no dependence on octets behind the
 * end, and what was found sound can be read in full.
 */
class DecoderFuzzTest {
    private static final int ROUNDS = 250_000;
    private static final int ROOM = 70_000;

    private final byte[] target = new byte[ROOM];

    @Test
    void messageView() {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final MessageView view = new MessageView();
        final MessageView padded = new MessageView();
        int sound = 0;
        for (int round = 0; round < ROUNDS; round++) {
            final byte[] message = packet(random);
            final String where = "seed " + seed + ", round " + round;
            try {
                final byte[] longer = Arrays.copyOf(message, message.length + 300);
                Arrays.fill(longer, message.length, longer.length, (byte) 0xff);
                final Fault fault = view.parse(message, message.length);
                assertThat(padded.parse(longer, message.length)).as(where).isEqualTo(fault);
                if (fault == Fault.NONE) {
                    sound++;
                    readEverything(view);
                }
            } catch (RuntimeException e) {
                throw new AssertionError(where, e);
            }
        }
        assertThat(sound).as("sound ones, seed %d", seed).isBetween(ROUNDS / 10, 9 * (ROUNDS / 10));
    }

    @Test
    void queryView() {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final QueryView view = new QueryView();
        final int[] results = new int[5];
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment memory = arena.allocate(ROOM);
            for (int round = 0; round < ROUNDS; round++) {
                final byte[] message = packet(random);
                if (random.nextInt(4) != 0 && message.length > 2) {
                    message[2] &= 0x07;
                }
                final int result = parse(view, memory, message, 0);
                assertThat(parse(view, memory, message, 0xff))
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(result);
                assertThat(view.questionEnd()).isLessThanOrEqualTo(Math.max(12, message.length));
                assertThat(view.ecsOffset()).isLessThan(Math.max(1, message.length));
                assertThat(view.cookieOffset()).isLessThan(Math.max(1, message.length));
                results[result]++;
            }
        }
        assertThat(results).as("every result is met, seed %d", seed).doesNotContain(0);
    }

    @Test
    void theWorstMessagesEndByTheirBudget() {
        final byte[] message = new byte[65535];
        message[2] = (byte) 0x80;
        message[4] = 0;
        message[5] = 1;
        Arrays.fill(message, 6, 12, (byte) 0xff);
        final MessageView view = new MessageView();
        final Random random = new Random(9267);
        for (int round = 0; round < 200; round++) {
            densePointers(message, random);
            assertThat(view.parse(message, message.length)).isEqualTo(Fault.WORK);
            assertThat(view.recordCount()).isLessThan(message.length / 16 - 100);
        }
    }

    /** One long name, then records of RP whose three names each point somewhere into it. */
    private static void densePointers(byte[] message, Random random) {
        int at = 12;
        for (int i = 0; i < 127; i++) {
            message[at++] = 1;
            message[at++] = (byte) random.nextInt();
        }
        message[at] = 0;
        at += 5;
        while (at + 16 <= message.length) {
            final int[] values = {
                pointer(random), RecordType.RP, 1, 0, 0, 4, pointer(random), pointer(random)
            };
            for (final int value : values) {
                message[at++] = (byte) (value >> 8);
                message[at++] = (byte) value;
            }
        }
    }

    private static int pointer(Random random) {
        return 0xc000 | (12 + 2 * random.nextInt(127));
    }

    private static int parse(QueryView view, MemorySegment memory, byte[] message, int filler) {
        memory.asSlice(message.length, 600).fill((byte) filler);
        Memory.copyFrom(message, 0, memory.address(), message.length);
        return view.parse(memory.address(), message.length);
    }

    private void readEverything(MessageView view) {
        if (view.questionCount() > 0) {
            assertThat(view.name(view.questionName()).length()).isBetween(1, 255);
        }
        for (int i = 0; i < view.recordCount(); i++) {
            final int end = view.expandName(view.ownerOffset(i), target, 0);
            assertThat(end).isBetween(1, 255);
            assertThat(Name.ofWire(target, 0).length()).isEqualTo(end);
            assertThat(view.sameName(view.ownerOffset(i), view.ownerOffset(i))).isTrue();
            assertThat(view.expandRdata(i, target, 0)).isBetween(0, 65535);
            assertThat(view.section(i)).isBetween(0, 2);
            assertThat(view.rdataOffset(i) + view.rdataLength(i)).isLessThanOrEqualTo(view.end());
        }
        view.clientSubnet();
        view.reasons();
        assertThat(view.responseCode()).isBetween(0, 4095);
    }

    private static byte[] packet(Random random) {
        if (random.nextInt(20) == 0) {
            final byte[] noise = new byte[random.nextInt(100)];
            random.nextBytes(noise);
            return noise;
        }
        final byte[] message = valid(random);
        for (int i = random.nextInt(4); i > 0; i--) {
            mutate(message, random);
        }
        return random.nextInt(8) == 0
                ? Arrays.copyOf(message, random.nextInt(message.length + 4))
                : message;
    }

    private static void mutate(byte[] message, Random random) {
        final int at = random.nextInt(message.length);
        switch (random.nextInt(4)) {
            case 0 -> message[at] = (byte) random.nextInt();
            case 1 -> message[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> message[at] = (byte) (0xc0 | random.nextInt(2));
            default -> {
                final int from = random.nextInt(message.length);
                final int length = Math.min(random.nextInt(8), message.length - Math.max(at, from));
                System.arraycopy(message, from, message, at, length);
            }
        }
    }

    private static byte[] valid(Random random) {
        final Name name = Name.of(random.nextBoolean() ? "www.example.test" : "a.b.c.d.e");
        final MessageWriter writer =
                new MessageWriter(4096)
                        .header(random.nextInt(65536), random.nextBoolean() ? 0x8180 : 0x0100)
                        .question(name, RecordType.A, RecordClass.IN);
        if (random.nextBoolean()) {
            writer.edns(
                    Edns.of(1232, true)
                            .with(EdnsOption.of(EdnsOption.CLIENT_SUBNET, new byte[] {0, 1, 0, 0}))
                            .with(EdnsOption.of(EdnsOption.COOKIE, new byte[8]))
                            .with(EdnsOption.extendedError(ExtendedError.OTHER, "why")));
        }
        if (random.nextInt(3) == 0) {
            return writer.toByteArray();
        }
        writer.record(0, name, RecordType.CNAME, 1, 60, Name.of("x.example.test").wire());
        writer.record(0, Name.of("x.example.test"), RecordType.A, 1, 60, new byte[4]);
        final byte[] soa = Arrays.copyOf(name.wire(), 2 * name.length() + 20);
        name.copyTo(soa, name.length());
        writer.record(1, Name.of("test"), RecordType.SOA, 1, 60, soa);
        writer.record(2, name, RecordType.TXT, 1, 60, new byte[] {2, 'h', 'i'});
        return writer.toByteArray();
    }
}
