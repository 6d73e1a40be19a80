package io.ananas.message;

import java.util.ArrayList;
import java.util.List;

/**
 * An OPT record (RFC 6891, section 6.1) but for the upper bits of the response code, which {@link
 * MessageWriter} adds.
 *
 * @param payloadSize octets of UDP payload that the sender can take, 0 to 65,535
 * @param version 0
 * @param dnssecOk the DO bit (RFC 3225)
 * @param options in order
 */
public record Edns(int payloadSize, int version, boolean dnssecOk, List<EdnsOption> options) {
    /** What this server offers: fits every path without fragments. */
    public static final int PAYLOAD_SIZE = 1232;

    public Edns {
        if (payloadSize < 0 || payloadSize > 0xffff || version < 0 || version > 0xff) {
            throw new IllegalArgumentException(
                    "payload size must be 0 to 65535 and version 0 to 255, got %d and %d"
                            .formatted(payloadSize, version));
        }
        options = List.copyOf(options);
    }

    /** Version 0 without options. */
    public static Edns of(int payloadSize, boolean dnssecOk) {
        return new Edns(payloadSize, 0, dnssecOk, List.of());
    }

    /** The same with one more option at the end. */
    public Edns with(EdnsOption option) {
        final List<EdnsOption> more = new ArrayList<>(options);
        more.add(option);
        return new Edns(payloadSize, version, dnssecOk, more);
    }

    /** Octets of the whole record. */
    public int length() {
        int length = 11;
        for (final EdnsOption option : options) {
            length += 4 + option.length();
        }
        return length;
    }
}
