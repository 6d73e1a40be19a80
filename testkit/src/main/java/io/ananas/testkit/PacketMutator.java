package io.ananas.testkit;

import io.ananas.message.MessageLayout;
import java.util.Arrays;
import java.util.Random;

/**
 * Makes bad packets of good ones, and packets of nothing: the same for the same seed. What comes
 * out may be sound by chance. Not thread-safe.
 */
public final class PacketMutator {
    private static final int MOST_MUTATIONS = 6;
    private static final int[] LABEL_TYPES = {0xc0, 0x40, 0x80, 0x3f, 0xff};

    private final Random random;

    public PacketMutator(long seed) {
        random = new Random(seed);
    }

    /** A copy of {@code packet} with one to six mutations. */
    public byte[] mutate(byte[] packet) {
        byte[] mutant = packet.clone();
        for (int i = 1 + random.nextInt(MOST_MUTATIONS); i > 0; i--) {
            mutant = once(mutant);
        }
        return mutant;
    }

    /** Up to {@code longest} random octets. */
    public byte[] noise(int longest) {
        final byte[] noise = new byte[random.nextInt(longest + 1)];
        random.nextBytes(noise);
        return noise;
    }

    private byte[] once(byte[] packet) {
        if (packet.length == 0) {
            return noise(64);
        }
        final int at = random.nextInt(packet.length);
        switch (random.nextInt(9)) {
            case 0 -> packet[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> packet[at] = (byte) random.nextInt();
            case 2 -> packet[at] = (byte) LABEL_TYPES[random.nextInt(LABEL_TYPES.length)];
            case 3 -> pointer(packet, at);
            case 4 -> header(packet);
            case 5 -> copyWithin(packet, at);
            case 6 -> {
                return Arrays.copyOf(packet, at);
            }
            case 7 -> {
                return insert(packet, at);
            }
            default -> {
                return remove(packet, at);
            }
        }
        return packet;
    }

    private void pointer(byte[] packet, int at) {
        final int target = random.nextInt(packet.length + 20);
        packet[at] = (byte) (0xc0 | target >> 8);
        if (at + 1 < packet.length) {
            packet[at + 1] = (byte) target;
        }
    }

    private void header(byte[] packet) {
        final int at = MessageLayout.FLAGS + random.nextInt(10);
        if (at < packet.length) {
            packet[at] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(4));
        }
    }

    private void copyWithin(byte[] packet, int at) {
        final int from = random.nextInt(packet.length);
        final int length = Math.min(1 + random.nextInt(16), packet.length - Math.max(at, from));
        System.arraycopy(packet, from, packet, at, length);
    }

    private byte[] insert(byte[] packet, int at) {
        final byte[] more = noise(random.nextInt(10) == 0 ? 300 : 12);
        final byte[] longer = Arrays.copyOf(packet, packet.length + more.length);
        System.arraycopy(packet, at, longer, at + more.length, packet.length - at);
        System.arraycopy(more, 0, longer, at, more.length);
        return longer;
    }

    private byte[] remove(byte[] packet, int at) {
        final int length = Math.min(1 + random.nextInt(12), packet.length - at);
        final byte[] shorter = Arrays.copyOf(packet, packet.length - length);
        System.arraycopy(packet, at + length, shorter, at, shorter.length - at);
        return shorter;
    }
}
