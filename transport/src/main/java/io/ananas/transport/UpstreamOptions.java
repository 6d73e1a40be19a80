package io.ananas.transport;

import java.time.Duration;

/**
 * How upstream sockets are used.
 *
 * @param portsPerServer UDP source ports open at a time towards one server
 * @param usesPerPort questions asked from one port before another takes its place
 * @param portAge how long a port takes questions, used or not; at least a millisecond
 * @param caseExact whether a response must repeat the letter case of the question, which then is up
 *     to 1 bit of entropy per letter
 */
public record UpstreamOptions(
        int portsPerServer, int usesPerPort, Duration portAge, boolean caseExact) {
    /** 32 ports, 256 questions or 10 seconds each, letter case free. */
    public static final UpstreamOptions DEFAULT =
            new UpstreamOptions(32, 256, Duration.ofSeconds(10), false);

    public UpstreamOptions {
        if (portsPerServer < 1 || usesPerPort < 1) {
            throw new IllegalArgumentException(
                    "portsPerServer and usesPerPort must be at least 1, not %d and %d"
                            .formatted(portsPerServer, usesPerPort));
        }
        if (portAge.toMillis() < 1) {
            throw new IllegalArgumentException("portAge must be at least 1 ms, not " + portAge);
        }
    }
}
