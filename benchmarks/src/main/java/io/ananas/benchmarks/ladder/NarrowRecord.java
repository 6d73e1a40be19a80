package io.ananas.benchmarks.ladder;

import io.ananas.message.RecordType;
import org.jspecify.annotations.Nullable;

/**
 * A record of step 4: an address inline, or a reference to the data of a larger type.
 *
 * <p>Two classes rather than one with room for sixteen octets and a reference: what a language with
 * enums does by boxing the large cases, Java does by giving the small cases classes of their own.
 */
abstract sealed class NarrowRecord implements OwnedRecord {
    private final byte @Nullable [] owner;
    private final int ttl;
    private final short recordClass;

    private NarrowRecord(SourceAnswer source, int record, byte @Nullable [] owner) {
        this.owner = owner;
        ttl = source.recordTtl[record];
        recordClass = (short) source.recordClass[record];
    }

    static NarrowRecord of(SourceAnswer source, int record, byte @Nullable [] owner) {
        final int type = source.recordType[record];
        final int length = source.rdataLength[record];
        if (type == RecordType.A && length == 4) {
            return new Address4(source, record, owner);
        }
        if (type == RecordType.AAAA && length == 16) {
            return new Address6(source, record, owner);
        }
        return new Large(source, record, owner);
    }

    @Override
    public final byte @Nullable [] owner() {
        return owner;
    }

    @Override
    public final int recordClass() {
        return recordClass & 0xffff;
    }

    @Override
    public final int ttl() {
        return ttl;
    }

    private static final class Address4 extends NarrowRecord {
        private final int address;

        Address4(SourceAnswer source, int record, byte @Nullable [] owner) {
            super(source, record, owner);
            address = Octets.getInt(source.octets, source.rdataAt[record]);
        }

        @Override
        public int type() {
            return RecordType.A;
        }

        @Override
        public void writeData(ResponseBuffer out) {
            out.putInt(address);
        }
    }

    private static final class Address6 extends NarrowRecord {
        private final long high;
        private final long low;

        Address6(SourceAnswer source, int record, byte @Nullable [] owner) {
            super(source, record, owner);
            high = Octets.getLong(source.octets, source.rdataAt[record]);
            low = Octets.getLong(source.octets, source.rdataAt[record] + 8);
        }

        @Override
        public int type() {
            return RecordType.AAAA;
        }

        @Override
        public void writeData(ResponseBuffer out) {
            out.putLong(high);
            out.putLong(low);
        }
    }

    private static final class Large extends NarrowRecord {
        private final short type;
        private final LargeData data;

        Large(SourceAnswer source, int record, byte @Nullable [] owner) {
            super(source, record, owner);
            type = (short) source.recordType[record];
            final int from = source.rdataAt[record];
            data =
                    LargeData.parse(
                            type & 0xffff, source.octets, from, from + source.rdataLength[record]);
        }

        @Override
        public int type() {
            return type & 0xffff;
        }

        @Override
        public void writeData(ResponseBuffer out) {
            data.write(out);
        }
    }
}
