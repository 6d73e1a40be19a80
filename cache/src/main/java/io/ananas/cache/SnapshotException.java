package io.ananas.cache;

import java.io.IOException;

/** A snapshot that is damaged or foreign; the message is one line for people. */
public final class SnapshotException extends IOException {
    private static final long serialVersionUID = 1L;

    SnapshotException(String message) {
        super(message);
    }
}
