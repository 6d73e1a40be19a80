package io.ananas.benchmarks.policy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Window-TinyLFU as Caffeine has it: the library itself, its maintenance done at once. */
final class CaffeinePolicy implements EvictionPolicy {
    private final Cache<Integer, Boolean> cache;

    CaffeinePolicy(int capacity) {
        cache = Caffeine.newBuilder().maximumSize(capacity).executor(Runnable::run).build();
    }

    @Override
    public boolean contains(int key) {
        return cache.asMap().containsKey(key);
    }

    @Override
    public void hit(int key) {
        final var _ = cache.getIfPresent(key);
    }

    @Override
    public void insert(int key) {
        cache.put(key, Boolean.TRUE);
        cache.cleanUp();
    }

    @Override
    public void renew(int key) {
        final var _ = cache.getIfPresent(key);
    }

    @Override
    public int size() {
        cache.cleanUp();
        return Math.toIntExact(cache.estimatedSize());
    }
}
