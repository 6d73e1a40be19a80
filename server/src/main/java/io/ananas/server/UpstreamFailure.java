package io.ananas.server;

import io.ananas.message.ExtendedError;

/**
 * Why a question could not be answered: the one reason that the client, the log and the metrics
 * see.
 *
 * @param error the code for the client
 * @param text which servers failed, and how
 */
record UpstreamFailure(ExtendedError error, String text) {}
