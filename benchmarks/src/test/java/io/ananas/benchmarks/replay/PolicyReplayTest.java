package io.ananas.benchmarks.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.benchmarks.policy.PolicyKind;
import io.ananas.benchmarks.trace.SyntheticTrace;
import io.ananas.benchmarks.trace.Trace;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyReplayTest {
    private static final double ENTRY_OCTETS = 103;

    /** Deterministic: the traces come from a seed. */
    @ParameterizedTest
    @CsvSource({"1.0, 0.2, 1", "1.1, 0.1, 0.2", "0.9, 0.3, 20"})
    void inTheSameMemoryOursIsAtLeastAsGoodAsArc(double zipf, double oneShot, double drift) {
        final Trace trace =
                new SyntheticTrace(500_000, 125_000, zipf, oneShot, drift, 2_000, 1_000, 1)
                        .generate();
        for (double share : new double[] {0.01, 0.02, 0.05, 0.1, 0.2, 0.4}) {
            final int ours = (int) (share * trace.questions().count());
            final int arcs = PolicyKind.ARC.entriesInMemoryOf(ours, ENTRY_OCTETS);
            assertThat(arcs).isLessThan(ours);
            assertThat(hitRatio(trace, PolicyKind.ANANAS, ours))
                    .as("%s of the questions", share)
                    .isGreaterThanOrEqualTo(hitRatio(trace, PolicyKind.ARC, arcs));
        }
    }

    @ParameterizedTest
    @CsvSource({"ANANAS, 0.9, 1.0", "ARC, 20, 21", "FIFO, 0, 0"})
    void aPolicyNeedsSoManyOctetsPerEntry(PolicyKind kind, double least, double most) {
        assertThat(kind.octetsPerEntry()).isBetween(least, most);
    }

    private static double hitRatio(Trace trace, PolicyKind kind, int capacity) {
        return new PolicyReplay(trace).hitRatio(kind, capacity);
    }
}
