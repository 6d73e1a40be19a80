package io.ananas.benchmarks.ladder;

import io.ananas.message.RecordType;
import java.util.Arrays;

/** Rdata of step 4 that is no address: per type a class that has the fields of that type only. */
@SuppressWarnings("ArrayRecordComponent") // never compared
sealed interface LargeData {
    /** Writes the rdata, with the compression that its type allows. */
    void write(ResponseBuffer out);

    /** Reads uncompressed rdata. */
    static LargeData parse(int type, byte[] in, int from, int to) {
        return switch (type) {
            case RecordType.NS, RecordType.CNAME, RecordType.PTR -> new Target(copy(in, from, to));
            case RecordType.MX -> new Mx((short) Octets.getShort(in, from), copy(in, from + 2, to));
            case RecordType.SOA -> Soa.parse(in, from);
            case RecordType.SRV ->
                    new Srv(
                            (short) Octets.getShort(in, from),
                            (short) Octets.getShort(in, from + 2),
                            (short) Octets.getShort(in, from + 4),
                            copy(in, from + 6, to));
            case RecordType.RRSIG -> Rrsig.parse(in, from, to);
            default -> new Opaque(copy(in, from, to));
        };
    }

    private static byte[] copy(byte[] in, int from, int to) {
        return Arrays.copyOfRange(in, from, to);
    }

    /** NS, CNAME, PTR. */
    record Target(byte[] name) implements LargeData {
        @Override
        public void write(ResponseBuffer out) {
            out.putName(name, 0);
        }
    }

    /** MX. */
    record Mx(short preference, byte[] exchange) implements LargeData {
        @Override
        public void write(ResponseBuffer out) {
            out.putShort(preference);
            out.putName(exchange, 0);
        }
    }

    /** SOA. */
    record Soa(
            byte[] primary,
            byte[] mailbox,
            int serial,
            int refresh,
            int retry,
            int expire,
            int minimum)
            implements LargeData {
        static Soa parse(byte[] in, int from) {
            final int mailbox = from + ResponseBuffer.nameLength(in, from);
            final int numbers = mailbox + ResponseBuffer.nameLength(in, mailbox);
            return new Soa(
                    copy(in, from, mailbox),
                    copy(in, mailbox, numbers),
                    Octets.getInt(in, numbers),
                    Octets.getInt(in, numbers + 4),
                    Octets.getInt(in, numbers + 8),
                    Octets.getInt(in, numbers + 12),
                    Octets.getInt(in, numbers + 16));
        }

        @Override
        public void write(ResponseBuffer out) {
            out.putName(primary, 0);
            out.putName(mailbox, 0);
            out.putInt(serial);
            out.putInt(refresh);
            out.putInt(retry);
            out.putInt(expire);
            out.putInt(minimum);
        }
    }

    /** SRV. */
    record Srv(short priority, short weight, short port, byte[] target) implements LargeData {
        @Override
        public void write(ResponseBuffer out) {
            out.putShort(priority);
            out.putShort(weight);
            out.putShort(port);
            out.put(target, 0, target.length);
        }
    }

    /** RRSIG: the fixed part of 18 octets, then name and signature. */
    record Rrsig(
            short covered,
            byte algorithm,
            byte labels,
            int originalTtl,
            int expiration,
            int inception,
            short keyTag,
            byte[] signer,
            byte[] signature)
            implements LargeData {
        private static final int FIXED = 18;

        static Rrsig parse(byte[] in, int from, int to) {
            final int end = from + FIXED + ResponseBuffer.nameLength(in, from + FIXED);
            return new Rrsig(
                    (short) Octets.getShort(in, from),
                    in[from + 2],
                    in[from + 3],
                    Octets.getInt(in, from + 4),
                    Octets.getInt(in, from + 8),
                    Octets.getInt(in, from + 12),
                    (short) Octets.getShort(in, from + 16),
                    copy(in, from + FIXED, end),
                    copy(in, end, to));
        }

        @Override
        public void write(ResponseBuffer out) {
            out.putShort(covered);
            out.putByte(algorithm);
            out.putByte(labels);
            out.putInt(originalTtl);
            out.putInt(expiration);
            out.putInt(inception);
            out.putShort(keyTag);
            out.put(signer, 0, signer.length);
            out.put(signature, 0, signature.length);
        }
    }

    /** TXT and every type that is kept as it stands. */
    record Opaque(byte[] octets) implements LargeData {
        @Override
        public void write(ResponseBuffer out) {
            out.put(octets, 0, octets.length);
        }
    }
}
