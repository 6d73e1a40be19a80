package io.ananas.benchmarks.ladder;

import io.ananas.message.RecordType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A record of steps 0 to 3: one class for every type, with room for the largest.
 *
 * <p>That is how a record class grows when nobody watches: an address, the numbers of SOA, the
 * three strings and the name of NAPTR each got a field, and since then an A record of four octets
 * pays for all of them. The original had an enum that was as wide as its widest case, 144 octets,
 * with the same effect. Texts and names are views (array, from, length), as a parser yields them.
 */
abstract class WideData {
    final int ttl;
    final short type;
    final short recordClass;
    private int address4;
    private long address6High;
    private long address6Low;
    private short number16A;
    private short number16B;
    private short number16C;
    private byte number8A;
    private byte number8B;
    private int number32A;
    private int number32B;
    private int number32C;
    private int number32D;
    private int number32E;
    private byte @Nullable [] textA;
    private int textAFrom;
    private int textALength;
    private byte @Nullable [] textB;
    private int textBFrom;
    private int textBLength;
    private byte @Nullable [] textC;
    private int textCFrom;
    private int textCLength;
    private byte @Nullable [] textD;
    private int textDFrom;
    private int textDLength;

    WideData(SourceAnswer source, int record) {
        ttl = source.recordTtl[record];
        type = (short) source.recordType[record];
        recordClass = (short) source.recordClass[record];
        parse(source.octets, source.rdataAt[record], source.rdataLength[record]);
    }

    private void parse(byte[] in, int at, int length) {
        final int end = at + length;
        switch (type) {
            case RecordType.A -> parseA(in, at, end);
            case RecordType.AAAA -> parseAaaa(in, at, end);
            case RecordType.SOA -> {
                final int second = nameA(in, at);
                final int numbers = nameB(in, second);
                number32A = Octets.getInt(in, numbers);
                number32B = Octets.getInt(in, numbers + 4);
                number32C = Octets.getInt(in, numbers + 8);
                number32D = Octets.getInt(in, numbers + 12);
                number32E = Octets.getInt(in, numbers + 16);
            }
            case RecordType.MX -> {
                number16A = (short) Octets.getShort(in, at);
                nameA(in, at + 2);
            }
            case RecordType.SRV -> {
                number16A = (short) Octets.getShort(in, at);
                number16B = (short) Octets.getShort(in, at + 2);
                number16C = (short) Octets.getShort(in, at + 4);
                nameA(in, at + 6);
            }
            case RecordType.NAPTR -> parseNaptr(in, at);
            case RecordType.DS -> {
                number16A = (short) Octets.getShort(in, at);
                number8A = in[at + 2];
                number8B = in[at + 3];
                setA(in, at + 4, end);
            }
            case RecordType.RRSIG -> parseRrsig(in, at, end);
            default -> setA(in, at, end);
        }
    }

    private void parseA(byte[] in, int at, int end) {
        if (end - at == 4) {
            address4 = Octets.getInt(in, at);
        } else {
            setA(in, at, end);
        }
    }

    private void parseAaaa(byte[] in, int at, int end) {
        if (end - at == 16) {
            address6High = Octets.getLong(in, at);
            address6Low = Octets.getLong(in, at + 8);
        } else {
            setA(in, at, end);
        }
    }

    private void parseNaptr(byte[] in, int at) {
        number16A = (short) Octets.getShort(in, at);
        number16B = (short) Octets.getShort(in, at + 2);
        final int flags = at + 4;
        final int services = flags + 1 + (in[flags] & 0xff);
        final int regexp = services + 1 + (in[services] & 0xff);
        final int replacement = regexp + 1 + (in[regexp] & 0xff);
        nameA(in, replacement);
        setB(in, flags, services);
        textC = Arrays.copyOfRange(in, services, regexp);
        textCLength = regexp - services;
        textD = Arrays.copyOfRange(in, regexp, replacement);
        textDLength = replacement - regexp;
    }

    private void parseRrsig(byte[] in, int at, int end) {
        number16A = (short) Octets.getShort(in, at);
        number8A = in[at + 2];
        number8B = in[at + 3];
        number32A = Octets.getInt(in, at + 4);
        number32B = Octets.getInt(in, at + 8);
        number32C = Octets.getInt(in, at + 12);
        number16B = (short) Octets.getShort(in, at + 16);
        setB(in, nameA(in, at + 18), end);
    }

    private int nameA(byte[] in, int at) {
        final int end = at + ResponseBuffer.nameLength(in, at);
        setA(in, at, end);
        return end;
    }

    private int nameB(byte[] in, int at) {
        final int end = at + ResponseBuffer.nameLength(in, at);
        setB(in, at, end);
        return end;
    }

    private void setA(byte[] in, int from, int to) {
        textA = Arrays.copyOfRange(in, from, to);
        textALength = to - from;
    }

    private void setB(byte[] in, int from, int to) {
        textB = Arrays.copyOfRange(in, from, to);
        textBLength = to - from;
    }

    /** Writes the rdata. */
    final void write(ResponseBuffer out) {
        switch (type) {
            case RecordType.A -> {
                if (textA == null) {
                    out.putInt(address4);
                } else {
                    putA(out);
                }
            }
            case RecordType.AAAA -> {
                if (textA == null) {
                    out.putLong(address6High);
                    out.putLong(address6Low);
                } else {
                    putA(out);
                }
            }
            case RecordType.NS, RecordType.CNAME, RecordType.PTR -> putNameA(out);
            case RecordType.SOA -> writeSoa(out);
            case RecordType.MX -> {
                out.putShort(number16A);
                putNameA(out);
            }
            case RecordType.SRV -> {
                out.putShort(number16A);
                out.putShort(number16B);
                out.putShort(number16C);
                putA(out);
            }
            case RecordType.NAPTR -> {
                out.putShort(number16A);
                out.putShort(number16B);
                putB(out);
                put(out, textC, textCFrom, textCLength);
                put(out, textD, textDFrom, textDLength);
                putA(out);
            }
            case RecordType.DS -> {
                out.putShort(number16A);
                out.putByte(number8A);
                out.putByte(number8B);
                putA(out);
            }
            case RecordType.RRSIG -> writeRrsig(out);
            default -> putA(out);
        }
    }

    private void writeSoa(ResponseBuffer out) {
        putNameA(out);
        if (textB != null) {
            out.putName(textB, textBFrom);
        }
        out.putInt(number32A);
        out.putInt(number32B);
        out.putInt(number32C);
        out.putInt(number32D);
        out.putInt(number32E);
    }

    private void writeRrsig(ResponseBuffer out) {
        out.putShort(number16A);
        out.putByte(number8A);
        out.putByte(number8B);
        out.putInt(number32A);
        out.putInt(number32B);
        out.putInt(number32C);
        out.putShort(number16B);
        putA(out);
        putB(out);
    }

    private void putNameA(ResponseBuffer out) {
        if (textA != null) {
            out.putName(textA, textAFrom);
        }
    }

    private void putA(ResponseBuffer out) {
        put(out, textA, textAFrom, textALength);
    }

    private void putB(ResponseBuffer out) {
        put(out, textB, textBFrom, textBLength);
    }

    private static void put(ResponseBuffer out, byte @Nullable [] text, int from, int length) {
        if (text != null) {
            out.put(text, from, length);
        }
    }
}
