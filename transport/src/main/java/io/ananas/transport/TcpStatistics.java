package io.ananas.transport;

/**
 * What a TCP listener did since it was opened.
 *
 * @param open connections held now
 * @param accepted connections taken
 * @param refused connections closed at once for the limit
 * @param received queries handed to the handler
 * @param sent replies written
 * @param handlerFailures exceptions out of the handler, each a defect
 */
public record TcpStatistics(
        int open, long accepted, long refused, long received, long sent, long handlerFailures) {
    TcpStatistics plus(TcpWorker w) {
        return new TcpStatistics(
                open,
                accepted,
                refused,
                received + w.received.get(),
                sent + w.sent.get(),
                handlerFailures + w.handlerFailures.get());
    }
}
