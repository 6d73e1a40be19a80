package io.ananas.benchmarks.ladder;

/** The steps that are measured, with what each changes. */
enum LadderStage {
    LISTS("0", "lists and Strings everywhere", HeapStage.STAGE_0),
    ARRAYS("1", "arrays of exact size", HeapStage.STAGE_1),
    ONE_LIST("2", "one record array, flags in bits", HeapStage.STAGE_2),
    OWNER("3", "owner only where it differs", HeapStage.STAGE_3),
    NARROW("4", "addresses inline, large types apart", HeapStage.STAGE_4),
    OCTETS("5", "one array of raw rdata", HeapStage.STAGE_5),
    PACKED("6", "off heap, packed", null),
    GROUPED("7", "grouped by RRset", null),
    NAMES("8", "encoded names: Ananas", null),
    HUGE_PAGES("9", "Ananas on huge pages", null);

    private final String number;
    private final String change;
    private final @org.jspecify.annotations.Nullable HeapStage heap;

    LadderStage(String number, String change, @org.jspecify.annotations.Nullable HeapStage heap) {
        this.number = number;
        this.change = change;
        this.heap = heap;
    }

    String number() {
        return number;
    }

    String change() {
        return change;
    }

    boolean onHeap() {
        return heap != null;
    }

    /** A new measurement of this step. */
    StageMeasurement measurement(int entries) {
        return switch (this) {
            case PACKED -> new PackedMeasurement(new PlainForm(), entries);
            case GROUPED -> new PackedMeasurement(new GroupedForm(), entries);
            case NAMES -> new AnanasMeasurement(entries, false);
            case HUGE_PAGES -> new AnanasMeasurement(entries, true);
            default -> new HeapMeasurement(java.util.Objects.requireNonNull(heap), entries);
        };
    }
}
