package io.ananas.cache;

import io.ananas.message.Memory;
import java.util.random.RandomGenerator;

/**
 * The keyed hash of an asked name and type: 64 bits, of which shard, bucket and tag are made.
 *
 * <p>It is taken over the <em>plain</em> lower-cased name, not over its code: a 128-bit product per
 * sixteen octets, the last sixteen reaching back over those before, and nothing is encoded until an
 * entry stands there that may be the one.
 *
 * <p>The folding multiplication (128-bit product, halves xored) is that of the wyhash family. The
 * seed is secret and drawn per cache, so that nobody outside can aim at one bucket. Not a
 * cryptographic hash: equality is always decided by the stored name.
 */
final class KeyHash {
    private static final long ODD_1 = 0xa0761d6478bd642fL;
    private static final long ODD_2 = 0xe7037ed1a0b428dbL;

    private final long seed1;
    private final long seed2;

    KeyHash(RandomGenerator random) {
        seed1 = random.nextLong();
        seed2 = random.nextLong();
    }

    /**
     * Hashes the name in {@code [name, name + length)}, root label included, in any case. Eight
     * octets before its end must be readable even where the name is shorter: in a message the
     * header stands there.
     *
     * @param type the asked type
     * @param variant what else tells entries of one name and type apart, see {@link EntryLayout}
     */
    long of(long name, int length, int type, long variant) {
        final long end = name + length;
        long hash = seed1 ^ length;
        if (length > 16) {
            final long last = end - 16;
            long at = name;
            while (true) {
                final long a = NameCode.lowerCase(Memory.getLongLE(at));
                final long b = NameCode.lowerCase(Memory.getLongLE(at, 8));
                hash = fold(a ^ seed2, b ^ hash);
                if (at == last) {
                    break;
                }
                at = Math.min(at + 16, last);
            }
        } else {
            final long last = NameCode.lowerCase(Memory.getLongLE(end - 8));
            final long a = length > 8 ? NameCode.lowerCase(Memory.getLongLE(name)) : 0;
            final long b = length >= 8 ? last : last >>> (64 - 8 * length);
            hash = fold(a ^ seed2, b ^ hash);
        }
        return fold(hash ^ ODD_1, (type | variant << 16) ^ seed2 ^ ODD_2);
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }
}
