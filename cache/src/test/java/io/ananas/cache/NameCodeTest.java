package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Memory;
import io.ananas.message.Name;
import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NameCodeTest {
    private final Arena arena = Arena.ofConfined();
    private final long wire = arena.allocate(1_024, 8).address() + 16;
    private final long code = arena.allocate(2_048, 8).address();
    private final long decoded = arena.allocate(1_024, 8).address();

    @AfterEach
    void release() {
        arena.close();
    }

    @Test
    void usualNamesTakeAboutHalfTheirOctets() {
        assertThat(encode(Name.of("www.example.com."))).isLessThanOrEqualTo(7);
        assertThat(encode(Name.of("mail.google.com."))).isLessThanOrEqualTo(6);
        assertThat(encode(Name.ROOT)).isLessThanOrEqualTo(2);
    }

    @Test
    void caseMakesNoDifference() {
        final Name[] spellings = {
            Name.of("www.Example.COM."), Name.of("WWW.EXAMPLE.com."), Name.of("wWw.eXaMpLe.CoM.")
        };
        final int length = encode(Name.of("www.example.com."));
        final byte[] expected = octets(length);
        for (Name name : spellings) {
            assertThat(encode(name)).isEqualTo(length);
            assertThat(octets(length)).isEqualTo(expected);
        }
    }

    @Test
    void anyNameComesBackInLowerCase() {
        for (long seed = 0; seed < 20_000; seed++) {
            final Name name = randomName(new Random(seed));
            final int length = encode(name);
            final long result = NameDecoder.decode(code, code + length, decoded);
            assertThat((int) (result >>> 32)).as("seed %d: octets read", seed).isEqualTo(length);
            assertThat((int) result)
                    .as("seed %d: octets of the name", seed)
                    .isEqualTo(name.length());
            final byte[] back = new byte[name.length()];
            Memory.copyTo(decoded, back, 0, back.length);
            assertThat(back).as("seed %d", seed).isEqualTo(name.toLowerCase().wire());
        }
    }

    @Test
    void noCodeIsThePrefixOfAnother() {
        final Random random = new Random(11);
        Name previousName = Name.ROOT;
        byte[] previous = octets(encode(previousName));
        for (int i = 0; i < 50_000; i++) {
            final Name name = randomName(random);
            final byte[] octets = octets(encode(name));
            if (!name.equals(previousName)) {
                final int common = Math.min(octets.length, previous.length);
                assertThat(java.util.Arrays.equals(octets, 0, common, previous, 0, common))
                        .isFalse();
            }
            previous = octets;
            previousName = name;
        }
    }

    @Test
    void everyNameMatchesItsOwnCodeInAnyCase() {
        for (long seed = 0; seed < 20_000; seed++) {
            final Name name = randomName(new Random(seed));
            final int length = encode(name);
            assertThat(match(name)).as("seed %d", seed).isEqualTo(length);
            assertThat(match(name.toLowerCase())).as("seed %d: small", seed).isEqualTo(length);
        }
    }

    @Test
    void noNameMatchesTheCodeOfAnother() {
        final Random random = new Random(12);
        for (int i = 0; i < 20_000; i++) {
            final Name name = randomName(random);
            encode(name);
            final Name other =
                    random.nextBoolean() ? oneOctetChanged(name, random) : randomName(random);
            assertThat(match(other) != NameCode.NO_MATCH)
                    .as("%s and %s", name, other)
                    .isEqualTo(other.equals(name));
        }
    }

    @Test
    void whatStandsThereByChanceMatchesNoNameButTheOneItDecodesTo() {
        final Random random = new Random(6);
        final byte[] garbage = new byte[NameCode.MAX_ENCODED];
        int names = 0;
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(garbage);
            Memory.copyFrom(garbage, 0, code, garbage.length);
            final long result = NameDecoder.decode(code, code + garbage.length, decoded);
            final Name other = randomName(random);
            if (result == 0) {
                assertThat(match(other)).isEqualTo(NameCode.NO_MATCH);
                continue;
            }
            names++;
            final byte[] octets = new byte[(int) result];
            Memory.copyTo(decoded, octets, 0, octets.length);
            if (!java.util.Arrays.equals(octets, other.toLowerCase().wire())) {
                assertThat(match(other)).isEqualTo(NameCode.NO_MATCH);
            }
        }
        assertThat(names).isPositive();
    }

    @Test
    void whatIsNoCodeEndsWithinBounds() {
        final Random random = new Random(5);
        final byte[] garbage = new byte[512];
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(garbage);
            Memory.copyFrom(garbage, 0, code, garbage.length);
            final long result = NameDecoder.decode(code, code + random.nextInt(400), decoded);
            assertThat((int) result).isBetween(0, 256);
            assertThat(result >>> 32).isBetween(0L, 400L);
        }
    }

    private int encode(Name name) {
        final byte[] octets = name.wire();
        Memory.copyFrom(octets, 0, wire, octets.length);
        return NameCode.encode(wire, octets.length - 1, code);
    }

    private int match(Name name) {
        final byte[] octets = name.wire();
        Memory.copyFrom(octets, 0, wire, octets.length);
        return NameCode.match(wire, octets.length - 1, code);
    }

    private static Name oneOctetChanged(Name name, Random random) {
        final byte[] octets = name.wire();
        if (octets.length == 1) {
            return Name.of("a.");
        }
        final int label = octets[0];
        octets[1 + random.nextInt(label)] ^= (byte) (1 << random.nextInt(8));
        return Name.ofWire(octets, 0);
    }

    private byte[] octets(int length) {
        final byte[] octets = new byte[length];
        Memory.copyTo(code, octets, 0, length);
        return octets;
    }

    /** From plain host names to binary labels of the greatest length. */
    private static Name randomName(Random random) {
        final java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        final int kind = random.nextInt(4);
        final int labels = random.nextInt(kind == 3 ? 128 : 6);
        for (int i = 0; i < labels; i++) {
            final int length = kind == 3 ? 1 + random.nextInt(2) : 1 + random.nextInt(63);
            if (out.size() + length + 2 > 255) {
                break;
            }
            out.write(length);
            for (int k = 0; k < length; k++) {
                out.write(
                        kind == 0
                                ? random.nextInt(256)
                                : "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_*/"
                                        .charAt(random.nextInt(46)));
            }
        }
        if (kind == 2 && out.size() < 240) {
            out.writeBytes(new byte[] {3, 'w', 'W', 'w', 3, 'c', 'O', 'm'});
        }
        out.write(0);
        return Name.ofWire(out.toByteArray(), 0);
    }
}
