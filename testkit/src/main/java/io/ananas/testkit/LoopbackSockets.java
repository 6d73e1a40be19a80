package io.ananas.testkit;

import io.ananas.message.Wire;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** A UDP and a TCP socket on one port of a loopback address, and frames over TCP. */
record LoopbackSockets(DatagramSocket udp, ServerSocket tcp) {
    private static final int ATTEMPTS = 50;
    private static final int BACKLOG = 128;
    private static final int UDP_BUFFER = 1 << 20;

    /** Both on a port that was free for both, or on {@code port} if it is not 0. */
    static LoopbackSockets open(InetAddress address, int port) throws IOException {
        if (!address.isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "servers of tests listen on loopback only, not on " + address);
        }
        for (int attempt = 1; ; attempt++) {
            final DatagramSocket udp = new DatagramSocket(new InetSocketAddress(address, port));
            try {
                udp.setReceiveBufferSize(UDP_BUFFER);
                return new LoopbackSockets(
                        udp, new ServerSocket(udp.getLocalPort(), BACKLOG, address));
            } catch (BindException e) {
                udp.close();
                if (port != 0 || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(udp.getLocalAddress(), udp.getLocalPort());
    }

    void close() throws IOException {
        udp.close();
        tcp.close();
    }

    /** The next message with its two octets of length before it (RFC 1035, section 4.2.2). */
    static byte[] readFrame(DataInputStream in) throws IOException {
        final byte[] message = new byte[in.readUnsignedShort()];
        in.readFully(message);
        return message;
    }

    /** The same, or null at the end of the stream, wherever it comes. */
    static byte @org.jspecify.annotations.Nullable [] tryReadFrame(DataInputStream in)
            throws IOException {
        try {
            return readFrame(in);
        } catch (EOFException end) {
            return null;
        }
    }

    static void writeFrame(OutputStream out, byte[] message) throws IOException {
        final byte[] frame = new byte[2 + message.length];
        Wire.put16(frame, 0, message.length);
        System.arraycopy(message, 0, frame, 2, message.length);
        out.write(frame);
        out.flush();
    }
}
