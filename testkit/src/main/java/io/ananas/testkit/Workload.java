package io.ananas.testkit;

import io.ananas.message.Memory;
import io.ananas.message.MessageLayout;
import io.ananas.message.RecordType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The reference workload of the published memory ladder, byte for byte: 56 % A, 25 % AAAA, 19 % TXT
 * of 64 to 224 octets, one to four records, names of 24.8 octets.
 *
 * <p>Entry {@code i} follows from its number alone, by integer arithmetic, so that programs in
 * other languages make the same entries; two digests that they publish are checked in a test. An
 * object of this class is a cursor that is moved from entry to entry by {@link #generate}; not
 * thread-safe.
 */
public final class Workload {
    /** Entries are numbered from 0 up to this. */
    public static final int MAX_ENTRIES = 1 << 25;

    /** The second at which all entries were made. */
    public static final int CREATED = 1_700_000_000;

    /** Lookups happen this many seconds later. */
    public static final int AGE = 30;

    private static final long SEED = 0x5EED0D15CACE2026L;
    private static final byte[][] HOSTS =
            words(
                    "www api cdn mail img static assets m blog shop app dev auth login media video edge push data"
                            + " metrics events images download update gateway portal docs support ads track sync ws");
    private static final byte[][] REGIONS =
            words(
                    "us-east-1 us-west-2 eu-west-1 eu-central-1 ap-south-1 sa-east-1 prod staging global internal"
                            + " fra ams lhr sin v2 live");
    private static final byte[][] WORDS =
            words(
                    "cloud media green smart travel market photo health garden studio river metro pixel solar"
                            + " harbor global silver coffee planet mobile vision energy design bridge castle copper"
                            + " signal summit orange forest sport music house money games north ocean paper radio"
                            + " stone trade union water world auto bank book city data farm film food gold home"
                            + " land news park play shop star tech town wave web");
    private static final byte[][] TLDS =
            words(
                    "com com com com com com com com com com com com com com com net net net net org org org io"
                            + " io dev app co.uk com.br de jp fr cloud");
    private static final int[] TTLS = {60, 120, 300, 300, 600, 1_800, 3_600, 86_400};
    private static final byte[] DIGITS =
            "0123456789abcdefghijklmnopqrstuvwxyz".getBytes(StandardCharsets.US_ASCII);

    private final byte[] name = new byte[64];
    private final byte[][] rdata = new byte[4][256];
    private final int[] rdataLength = new int[4];
    private int nameLength;
    private int type;
    private int count;
    private int ttl;
    private boolean validated;
    private long state;

    private static byte[][] words(String list) {
        return Arrays.stream(list.split(" "))
                .map(word -> word.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    private static long mix(long value) {
        long z = value;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    private long next() {
        state += 0x9E3779B97F4A7C15L;
        return mix(state);
    }

    private int below(int bound) {
        return (int) (((next() >>> 32) * bound) >>> 32);
    }

    /** Moves to entry {@code i}, 0 to {@link #MAX_ENTRIES} less one. */
    public Workload generate(int i) {
        state = mix(SEED + i);
        generateName(i);
        final int kind = below(100);
        type = kind < 56 ? RecordType.A : kind < 81 ? RecordType.AAAA : RecordType.TXT;
        count = 1 + below(4);
        ttl = TTLS[below(8)];
        validated = below(8) == 0;
        for (int record = 0; record < count; record++) {
            generateRdata(record);
        }
        return this;
    }

    private void generateName(int i) {
        nameLength = 0;
        final int shape = below(100);
        if (shape >= 8) {
            putLabel(HOSTS[below(32)]);
        }
        if (shape >= 50) {
            putLabel(REGIONS[below(16)]);
        }
        final byte[] word = WORDS[below(64)];
        int number = (int) (i * 0x9E3779B1L + 0x7F4A7C15L & MAX_ENTRIES - 1);
        name[nameLength] = (byte) (word.length + 5);
        System.arraycopy(word, 0, name, nameLength + 1, word.length);
        nameLength += 1 + word.length;
        for (int digit = 4; digit >= 0; digit--) {
            name[nameLength + digit] = DIGITS[number % 36];
            number /= 36;
        }
        nameLength += 5;
        putDotted(TLDS[below(32)]);
        name[nameLength++] = 0;
    }

    private void putDotted(byte[] labels) {
        int start = 0;
        for (int i = 0; i <= labels.length; i++) {
            if (i == labels.length || labels[i] == '.') {
                putLabel(Arrays.copyOfRange(labels, start, i));
                start = i + 1;
            }
        }
    }

    private void putLabel(byte[] label) {
        name[nameLength] = (byte) label.length;
        System.arraycopy(label, 0, name, nameLength + 1, label.length);
        nameLength += 1 + label.length;
    }

    private void generateRdata(int record) {
        final ByteBuffer out = ByteBuffer.wrap(rdata[record]);
        switch (type) {
            case RecordType.A -> out.putInt((int) (next() >>> 32));
            case RecordType.AAAA -> out.putLong(next()).putLong(next());
            default -> {
                final int length = 64 + below(161);
                out.put((byte) (length - 1));
                for (int left = length - 1; left > 0; left -= 8) {
                    long octets = next();
                    for (int i = 0; i < Math.min(left, 8); i++, octets <<= 8) {
                        out.put((byte) (octets >>> 56));
                    }
                }
            }
        }
        rdataLength[record] = out.position();
    }

    public int type() {
        return type;
    }

    /** Records, 1 to 4. */
    public int count() {
        return count;
    }

    /** Seconds. */
    public int ttl() {
        return ttl;
    }

    /** Whether the answer counts as validated (AD). */
    public boolean validated() {
        return validated;
    }

    /** Octets of the name, root label included. */
    public int nameLength() {
        return nameLength;
    }

    /** Octets of all rdata. */
    public int rdataOctets() {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += rdataLength[i];
        }
        return sum;
    }

    /**
     * Writes the response that an upstream gives for this entry; returns its length, at most 1,100.
     */
    public int response(byte[] target) {
        final ByteBuffer out = ByteBuffer.wrap(target);
        out.putShort((short) 0);
        out.putShort((short) (0x8180 | (validated ? MessageLayout.AD : 0)));
        out.putShort((short) 1).putShort((short) count).putShort((short) 0).putShort((short) 0);
        out.put(name, 0, nameLength).putShort((short) type).putShort((short) 1);
        for (int i = 0; i < count; i++) {
            out.putShort((short) 0xc00c).putShort((short) type).putShort((short) 1).putInt(ttl);
            out.putShort((short) rdataLength[i]).put(rdata[i], 0, rdataLength[i]);
        }
        return out.position();
    }

    /**
     * Writes the query of a client for this entry to native memory; returns its length, at most 80.
     */
    public int query(int id, long address) {
        Memory.putShortBE(address, id);
        Memory.putShortBE(address + 2, MessageLayout.RD | (validated ? MessageLayout.AD : 0));
        Memory.putLongBE(address + 4, 1L << 48);
        Memory.copyFrom(name, 0, address + MessageLayout.HEADER_LENGTH, nameLength);
        final int end = MessageLayout.HEADER_LENGTH + nameLength;
        Memory.putIntBE(address + end, type << 16 | 1);
        return end + 4;
    }

    /** The line that stands for entry {@code i} in the published digest. */
    public String dumpLine(int i) {
        final StringBuilder line = new StringBuilder();
        line.append(i).append('\t');
        for (int at = 0; name[at] != 0; at += 1 + name[at]) {
            line.append(new String(name, at + 1, name[at], StandardCharsets.US_ASCII)).append('.');
        }
        line.append('\t')
                .append(type)
                .append('\t')
                .append(validated ? 1 : 0)
                .append('\t')
                .append(ttl);
        for (int record = 0; record < count; record++) {
            line.append('\t')
                    .append(HexFormat.of().formatHex(rdata[record], 0, rdataLength[record]));
        }
        return line.append('\n').toString();
    }

    /** The streams of entries that lookups ask for. */
    public static final class Picks {
        private final Workload random = new Workload();
        private final int entries;
        private final long[] cumulated;

        private Picks(int entries, long seed, long[] cumulated) {
            this.entries = entries;
            this.cumulated = cumulated;
            random.state = mix(SEED ^ seed);
        }

        /** Every entry equally likely. */
        public static Picks uniform(int entries) {
            return new Picks(entries, 0xC0FFEEL, new long[0]);
        }

        /** Zipf with exponent 1. */
        public static Picks zipf(int entries) {
            final long[] cumulated = new long[entries];
            long sum = 0;
            for (int rank = 1; rank <= entries; rank++) {
                sum += (1L << 40) / rank;
                cumulated[rank - 1] = sum;
            }
            return new Picks(entries, 0x21B0F1L, cumulated);
        }

        /** The next entry to ask for. */
        public int next() {
            if (cumulated.length == 0) {
                return random.below(entries);
            }
            final long draw = Long.remainderUnsigned(random.next(), cumulated[entries - 1]);
            int low = 0;
            int high = entries;
            while (low < high) {
                final int middle = (low + high) >>> 1;
                if (cumulated[middle] <= draw) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return (int) Long.remainderUnsigned(low * 2_654_435_761L + 12_345, entries);
        }
    }
}
