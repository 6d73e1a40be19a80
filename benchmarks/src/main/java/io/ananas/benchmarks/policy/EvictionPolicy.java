package io.ananas.benchmarks.policy;

/**
 * Who stays and who leaves, among keys that are numbers from 0 on. Not thread-safe.
 *
 * <p>A policy keeps at most as many keys as its capacity. It decides about room only; whether what
 * is kept has expired is the caller's affair, who then calls {@link #renew}.
 */
public interface EvictionPolicy {
    boolean contains(int key);

    /** A key that is contained was asked for, and its answer was good. */
    void hit(int key);

    /** Takes a key in that is not contained, after letting others go. */
    void insert(int key);

    /** A key that is contained was asked for, had expired, and has a new answer now. */
    void renew(int key);

    /** Keys contained. */
    int size();
}
