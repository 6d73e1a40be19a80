package io.ananas.recursor;

import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.Upstream;
import io.ananas.testkit.DnsClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The way to a real server on loopback that stands for one at a public address. */
record PeerUpstream(InetSocketAddress peer, boolean overTcp) implements Upstream {
    @Override
    public String name() {
        return peer.toString();
    }

    @Override
    public byte[] exchange(byte[] query, Duration timeout) throws IOException {
        final byte[] sent = query.clone();
        final int id = ThreadLocalRandom.current().nextInt(0x10000);
        sent[MessageLayout.ID] = (byte) (id >> 8);
        sent[MessageLayout.ID + 1] = (byte) id;
        final long end = System.nanoTime() + timeout.toNanos();
        if (overTcp) {
            return new DnsClient(peer, atLeastOneMilli(timeout)).tcp(sent);
        }
        final byte[] response = new DnsClient(peer, atLeastOneMilli(timeout)).udp(sent);
        final MessageView view = new MessageView();
        view.parse(response, response.length);
        if (view.id() != id) {
            throw new SocketTimeoutException("only a response with another id came");
        }
        if ((view.flags() & MessageLayout.TC) == 0) {
            return response;
        }
        final Duration left = Duration.ofNanos(end - System.nanoTime());
        return new DnsClient(peer, atLeastOneMilli(left)).tcp(sent);
    }

    private static Duration atLeastOneMilli(Duration timeout) {
        return timeout.toMillis() < 1 ? Duration.ofMillis(1) : timeout;
    }
}
