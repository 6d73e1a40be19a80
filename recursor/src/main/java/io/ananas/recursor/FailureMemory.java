package io.ananas.recursor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What could not be resolved a moment ago, so that it is not tried again at once (RFC 9520): for
 * one second at first, twice as long with each failure in a row, at most 30 seconds. Bounded;
 * thread-safe.
 */
final class FailureMemory {
    private static final long FIRST_MILLIS = 1_000;
    private static final long LONGEST_MILLIS = 30_000;

    /** What failed: a single link, or a whole answer with or without validation. */
    enum Scope {
        LINK,
        ANSWER,
        UNCHECKED_ANSWER
    }

    /** A failure that is remembered. */
    record Failure(ExtendedError error, String text, BackOff backOff) {}

    private record Key(QuestionKey question, Scope scope) {}

    private final Cache<Key, Failure> failures;
    private final InstantSource clock;

    FailureMemory(long maximum, InstantSource clock) {
        this.clock = clock;
        failures = Caffeine.newBuilder().maximumSize(maximum).executor(Runnable::run).build();
    }

    /** The failure that still holds; null if it may be tried. */
    @Nullable Failure find(QuestionKey question, Scope scope) {
        final Failure failure = failures.getIfPresent(new Key(question, scope));
        return failure != null && failure.backOff().holds(clock.millis()) ? failure : null;
    }

    void remember(QuestionKey question, Scope scope, ResolutionFailure failure) {
        final long now = clock.millis();
        failures.asMap()
                .compute(
                        new Key(question, scope),
                        (key, before) ->
                                new Failure(
                                        failure.error(),
                                        failure.text(),
                                        before == null
                                                ? BackOff.first(now, FIRST_MILLIS)
                                                : before.backOff()
                                                        .next(now, FIRST_MILLIS, LONGEST_MILLIS)));
    }

    void forget(QuestionKey question, Scope scope) {
        failures.invalidate(new Key(question, scope));
    }

    void forget(Name subtree) {
        failures.asMap().keySet().removeIf(key -> key.question().name().isSubdomainOf(subtree));
    }
}
