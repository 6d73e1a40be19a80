package io.ananas.benchmarks.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each policy decides as its plain model does, request for request. */
class PoliciesTest {
    private static final int KEYS = 120;
    private static final int REQUESTS = 4_000;
    private static final int SEEDS = 12;

    private static EvictionPolicy naive(PolicyKind kind, int capacity, IntPredicate expired) {
        return switch (kind) {
            case FIFO -> new NaivePolicies.Fifo(capacity);
            case LRU -> new NaivePolicies.Lru(capacity);
            case CLOCK -> new NaivePolicies.Clock(capacity);
            case ARC -> new NaivePolicies.Arc(capacity);
            case SIEVE -> new NaivePolicies.Sieve(capacity);
            case S3FIFO -> new NaivePolicies.S3Fifo(capacity);
            case ANANAS -> new NaivePolicies.TwoQueues(capacity, expired);
            case CAFFEINE -> throw new IllegalArgumentException("no model of a library");
        };
    }

    @ParameterizedTest
    @EnumSource(value = PolicyKind.class, mode = EnumSource.Mode.EXCLUDE, names = "CAFFEINE")
    void decidesAsItsModel(PolicyKind kind) {
        for (long seed = 0; seed < SEEDS; seed++) {
            final Random random = new Random(seed);
            final int capacity = 2 + random.nextInt(40);
            final boolean[] expired = new boolean[KEYS];
            final EvictionPolicy policy = kind.create(capacity, KEYS, key -> expired[key]);
            final EvictionPolicy model = naive(kind, capacity, key -> expired[key]);
            for (int i = 0; i < REQUESTS; i++) {
                final int key = (int) (KEYS * Math.pow(random.nextDouble(), 2));
                expired[random.nextInt(KEYS)] = random.nextBoolean();
                assertThat(policy.contains(key))
                        .as("%s, seed %d, request %d", kind, seed, i)
                        .isEqualTo(model.contains(key));
                request(policy, key, expired[key]);
                request(model, key, expired[key]);
                expired[key] = false;
                assertThat(policy.size()).isEqualTo(model.size());
            }
        }
    }

    private static void request(EvictionPolicy policy, int key, boolean expired) {
        if (!policy.contains(key)) {
            policy.insert(key);
        } else if (expired) {
            policy.renew(key);
        } else {
            policy.hit(key);
        }
    }

    @ParameterizedTest
    @EnumSource(PolicyKind.class)
    void keepsItsCapacity(PolicyKind kind) {
        final EvictionPolicy policy = kind.create(10, 1_000, key -> false);
        for (int key = 0; key < 1_000; key++) {
            if (!policy.contains(key)) {
                policy.insert(key);
            }
            assertThat(policy.size()).isLessThanOrEqualTo(10);
        }
        assertThat(policy.size()).isPositive();
    }

    /** The invariants A.1 to A.5 of the paper. */
    @Test
    void arcKeepsItsInvariants() {
        for (long seed = 0; seed < SEEDS; seed++) {
            final Random random = new Random(seed);
            final int capacity = 2 + random.nextInt(30);
            final ArcPolicy arc = new ArcPolicy(capacity, KEYS);
            for (int i = 0; i < REQUESTS; i++) {
                request(arc, (int) (KEYS * Math.pow(random.nextDouble(), 2)), false);
                final int t1 = arc.size(ArcPolicy.T1);
                final int t2 = arc.size(ArcPolicy.T2);
                final int b1 = arc.size(ArcPolicy.B1);
                final int b2 = arc.size(ArcPolicy.B2);
                final String at = "seed " + seed + ", request " + i;
                assertThat(t1 + t2).as(at).isLessThanOrEqualTo(capacity);
                assertThat(t1 + b1).as(at).isLessThanOrEqualTo(capacity);
                assertThat(t1 + t2 + b1 + b2).as(at).isLessThanOrEqualTo(2 * capacity);
                assertThat(arc.target()).as(at).isBetween(0, capacity);
                if (t1 + t2 < capacity) {
                    assertThat(b1 + b2).as(at).isZero();
                }
            }
        }
    }

    @Test
    void saysWhichPoliciesThereAre() {
        assertThat(PolicyKind.of("s3-fifo")).isEqualTo(PolicyKind.S3FIFO);
        assertThatThrownBy(() -> PolicyKind.of("mru"))
                .hasMessageContaining("found 'mru', expected one of fifo, lru");
    }
}
