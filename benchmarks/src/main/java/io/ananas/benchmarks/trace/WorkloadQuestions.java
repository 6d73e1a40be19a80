package io.ananas.benchmarks.trace;

import io.ananas.testkit.Workload;

/** Questions and answers of the reference workload; key {@code i} is entry {@code i}. */
final class WorkloadQuestions implements Trace.Questions {
    private final int count;
    private final int[] ttl;
    private final Workload workload = new Workload();

    WorkloadQuestions(int count) {
        this.count = count;
        ttl = new int[count];
        for (int i = 0; i < count; i++) {
            ttl[i] = workload.generate(i).ttl();
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int ttl(int key) {
        return ttl[key];
    }

    @Override
    public int response(int key, int subnet, byte[] target) {
        final int length = workload.generate(key).response(target);
        target[length - 1] ^= (byte) subnet;
        return length;
    }
}
