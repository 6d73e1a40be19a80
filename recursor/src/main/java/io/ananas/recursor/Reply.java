package io.ananas.recursor;

import io.ananas.message.MessageView;

/** What came of asking one server. */
sealed interface Reply {
    /** A sound response to the question. */
    record Heard(MessageView response) implements Reply {}

    /**
     * No response that can be trusted; another try may have more luck.
     *
     * @param network whether the packet could not even be sent
     */
    record Silent(String why, boolean network) implements Reply {}
}
