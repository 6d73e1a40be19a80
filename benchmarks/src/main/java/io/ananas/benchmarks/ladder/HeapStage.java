package io.ananas.benchmarks.ladder;

/** Steps 0 to 5, each with what builds its entries. */
enum HeapStage {
    STAGE_0,
    STAGE_1,
    STAGE_2,
    STAGE_3,
    STAGE_4,
    STAGE_5;

    /** A builder for one thread: step 5 has a scratch buffer. */
    HeapCache.Builder builder() {
        return switch (this) {
            case STAGE_0 -> Stage0Entry::new;
            case STAGE_1 -> Stage1Entry::new;
            case STAGE_2 -> OneListEntry::stage2;
            case STAGE_3 -> OneListEntry::stage3;
            case STAGE_4 -> OneListEntry::stage4;
            case STAGE_5 -> {
                final byte[] scratch = new byte[1 << 18];
                yield (source, hash, now) -> new Stage5Entry(source, hash, now, scratch);
            }
        };
    }
}
