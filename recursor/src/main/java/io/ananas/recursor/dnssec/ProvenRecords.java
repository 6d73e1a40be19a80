package io.ananas.recursor.dnssec;

import io.ananas.recursor.AnswerValidator.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The records of a response that a judgement has come by and that hold, and for how long. */
final class ProvenRecords {
    private final BitSet records = new BitSet();
    private long ttl = Verdict.ANY_TTL;

    void add(Valid valid) {
        add(valid.set(), valid.ttl());
    }

    void add(Rrset set, long seconds) {
        set.records().forEach(records::set);
        ttl = Math.min(ttl, seconds);
    }

    boolean has(Rrset set) {
        return records.get(set.records().getFirst());
    }

    /** Seconds for which all of them hold. */
    long ttl() {
        return ttl;
    }

    /** The others of the first {@code count} records. */
    List<Integer> others(int count) {
        final List<Integer> others = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (!records.get(i)) {
                others.add(i);
            }
        }
        return others;
    }
}
