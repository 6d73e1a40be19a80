package io.ananas.cache;

/** A cache was used after {@link AnswerCache#close}, or closed by another thread meanwhile. */
public final class CacheClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    CacheClosedException() {
        super("the cache is closed");
    }
}
