package io.ananas.benchmarks.ladder;

import org.jspecify.annotations.Nullable;

/** A record of steps 1 to 3: wide, its owner an array; from step 3 on null for the asked name. */
final class WideRecord extends WideData implements OwnedRecord {
    private final byte @Nullable [] owner;

    WideRecord(SourceAnswer source, int record, byte @Nullable [] owner) {
        super(source, record);
        this.owner = owner;
    }

    @Override
    public byte @Nullable [] owner() {
        return owner;
    }

    @Override
    public int type() {
        return type & 0xffff;
    }

    @Override
    public int recordClass() {
        return recordClass & 0xffff;
    }

    @Override
    public int ttl() {
        return ttl;
    }

    @Override
    public void writeData(ResponseBuffer out) {
        write(out);
    }
}
