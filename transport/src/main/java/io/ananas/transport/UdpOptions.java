package io.ananas.transport;

/**
 * How to listen for UDP.
 *
 * @param engine how packets get in and out
 * @param threads receiving threads per address, each with a socket of its own where the system
 *     spreads packets over several (SO_REUSEPORT); at least 1
 * @param receiveBuffer octets of kernel buffer to ask for, per socket
 */
public record UdpOptions(UdpEngine engine, int threads, int receiveBuffer) {
    private static final int RECEIVE_BUFFER = 4 << 20;

    public UdpOptions {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1, not " + threads);
        }
    }

    /** The preferred engine and {@code threads} threads. */
    public static UdpOptions of(int threads) {
        return new UdpOptions(UdpEngine.preferred(), threads, RECEIVE_BUFFER);
    }

    public UdpOptions with(UdpEngine other) {
        return new UdpOptions(other, threads, receiveBuffer);
    }
}
