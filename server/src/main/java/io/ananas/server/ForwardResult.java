package io.ananas.server;

import io.ananas.message.ClientSubnet;
import io.ananas.message.MessageView;
import org.jspecify.annotations.Nullable;

/** What came of asking upstream. */
sealed interface ForwardResult {
    /**
     * A sound response to the question that may be passed on.
     *
     * @param scope the subnet that was told upstream, with the scope that came back; null if it is
     *     for everyone
     */
    record Answered(MessageView response, @Nullable ClientSubnet scope) implements ForwardResult {}

    /** Nobody had one. */
    record Failed(UpstreamFailure failure) implements ForwardResult {}
}
