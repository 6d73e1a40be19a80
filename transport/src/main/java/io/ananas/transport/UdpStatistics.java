package io.ananas.transport;

/**
 * What a UDP listener did since it was opened.
 *
 * @param received packets handed to the handler
 * @param sent replies that the kernel took
 * @param sendFailures replies that the kernel refused, for example for want of a route
 * @param receiveFailures errors of the socket other than interruption
 * @param handlerFailures exceptions out of the handler, each a defect
 */
public record UdpStatistics(
        long received, long sent, long sendFailures, long receiveFailures, long handlerFailures) {
    UdpStatistics plus(UdpCounters c) {
        return new UdpStatistics(
                received + c.received.get(),
                sent + c.sent.get() + c.sentLater.sum(),
                sendFailures + c.sendFailures.get() + c.failedLater.sum(),
                receiveFailures + c.receiveFailures.get(),
                handlerFailures + c.handlerFailures.get());
    }
}
