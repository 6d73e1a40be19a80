package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.message.Wire;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key of a managed trust anchor, in one of the states of RFC 5011, section 4. Immutable.
 *
 * @param key without its revoke bit
 * @param since when it came into its state
 */
record ManagedKey(Name zone, Dnskey key, State state, Instant since) {
    enum State {
        /** Seen, not yet for long enough. */
        PENDING,
        /** An anchor. */
        VALID,
        /** An anchor that the zone does not show at present. */
        MISSING,
        /** Given up by its owner: no anchor, never again. */
        REVOKED,
        /** Revoked and gone. */
        REMOVED
    }

    private static final int FIELDS = 7;

    ManagedKey {
        key = key.withoutRevocation();
    }

    boolean isAnchor() {
        return state == State.VALID || state == State.MISSING;
    }

    boolean isRevoked() {
        return state == State.REVOKED || state == State.REMOVED;
    }

    ManagedKey revoke(Instant now) {
        return isRevoked() ? this : to(State.REVOKED, now);
    }

    /**
     * After its zone's keys were seen and validated.
     *
     * @param there whether it is among them, not revoked
     * @return null if it is to be forgotten
     */
    @Nullable ManagedKey observe(boolean there, Instant now) {
        return switch (state) {
            case PENDING ->
                    !there
                            ? null
                            : since.plus(ManagedKeys.ADD_HOLD_DOWN).isAfter(now)
                                    ? this
                                    : to(State.VALID, now);
            case VALID -> there ? this : to(State.MISSING, now);
            case MISSING -> there ? to(State.VALID, now) : this;
            case REVOKED ->
                    !there && !since.plus(ManagedKeys.REMOVE_HOLD_DOWN).isAfter(now)
                            ? to(State.REMOVED, now)
                            : this;
            case REMOVED -> this;
        };
    }

    private ManagedKey to(State next, Instant now) {
        return new ManagedKey(zone, key, next, now);
    }

    /**
     * Reads {@code ". 257 3 8 AwEAA... VALID 2024-07-01T00:00:00Z"}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static ManagedKey parse(String line, String where) {
        final List<String> fields = List.of(line.split("\\s+"));
        try {
            if (fields.size() == FIELDS) {
                final byte[] octets = Base64.getDecoder().decode(fields.get(4));
                final byte[] rdata = new byte[4 + octets.length];
                Wire.put16(rdata, 0, Integer.parseInt(fields.get(1)));
                rdata[2] = (byte) Integer.parseInt(fields.get(2));
                rdata[3] = (byte) Integer.parseInt(fields.get(3));
                System.arraycopy(octets, 0, rdata, 4, octets.length);
                final Dnskey key = Dnskey.parse(rdata);
                if (key != null) {
                    return new ManagedKey(
                            Name.of(fields.getFirst()),
                            key,
                            State.valueOf(fields.get(5)),
                            Instant.parse(fields.get(6)));
                }
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            throw malformed(line, where, e);
        }
        throw malformed(line, where, null);
    }

    private static IllegalArgumentException malformed(
            String line, String where, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "%s: \"%s\" is no managed key; expected zone, flags, protocol, algorithm, key in Base64, one of %s, and a time; mend the line, or remove the file to start again from the configured anchors"
                        .formatted(where, line, List.of(State.values())),
                cause);
    }

    String toLine() {
        return "%s %s %s %s".formatted(zone, key.toText(), state, since);
    }

    /** {@code . key 20326, RSASHA256 (8): VALID since 2024-07-01T00:00:00Z}. */
    @Override
    public String toString() {
        return "%s %s: %s since %s".formatted(zone, key, state, since);
    }
}
