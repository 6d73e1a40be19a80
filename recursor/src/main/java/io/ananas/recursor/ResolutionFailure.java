package io.ananas.recursor;

import io.ananas.message.ExtendedError;

/** A question that could not be answered, with the reason that the client is told. */
class ResolutionFailure extends Exception {
    private final ExtendedError error;

    ResolutionFailure(ExtendedError error, String text) {
        super(text, null, false, false);
        this.error = error;
    }

    ExtendedError error() {
        return error;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    /** A budget of the question at hand is used up: no other branch is tried. */
    static final class LimitReached extends ResolutionFailure {
        LimitReached(Limit limit, String text) {
            super(limit.error(), text);
        }
    }

    /** It failed a short while ago, and is not tried again yet. */
    static final class Remembered extends ResolutionFailure {
        Remembered(ExtendedError error, String text) {
            super(error, text);
        }
    }
}
