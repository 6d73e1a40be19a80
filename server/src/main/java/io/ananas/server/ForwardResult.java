package io.ananas.server;

import io.ananas.message.MessageView;

/** What came of asking upstream. */
sealed interface ForwardResult {
    /** A sound response to the question that may be passed on. */
    record Answered(MessageView response) implements ForwardResult {}

    /** Nobody had one. */
    record Failed(UpstreamFailure failure) implements ForwardResult {}
}
