package io.ananas.transport;

/** How UDP packets get in and out. */
public enum UdpEngine {
    /**
     * {@code recvmmsg} and {@code sendmmsg} of the C library: Linux with glibc on x86-64, aarch64.
     */
    FFM,
    /** {@code java.nio.channels.DatagramChannel}: everywhere. */
    NIO;

    /** Whether this machine has it. */
    public boolean isSupported() {
        return this == NIO || Libc.isSupported();
    }

    /** The fastest one of this machine. */
    public static UdpEngine preferred() {
        return FFM.isSupported() ? FFM : NIO;
    }
}
