package io.ananas.cache;

import io.ananas.message.Memory;
import io.ananas.message.Name;

/**
 * An entry of the log as who manages the cache sees it: a cursor that a shard moves from entry to
 * entry, under its monitor. Nothing of it may be kept; {@link #describe} gives what may.
 */
final class StoredEntry {
    private final EntryReader entries;
    private int header;

    StoredEntry(EntryReader entries) {
        this.entries = entries;
    }

    /** Moves to the entry at an address, which {@code entries} has just read. */
    void moveTo(long address) {
        header = Memory.getIntLE(address);
    }

    int length() {
        return entries.lengthOfHashed();
    }

    Name name() {
        final byte[] wire = new byte[entries.nameLength()];
        Memory.copyTo(entries.nameAddress(), wire, 0, wire.length);
        return Name.ofWire(wire, 0);
    }

    int type() {
        return entries.type();
    }

    int remaining(int now) {
        return EntryLayout.remaining(header, now);
    }

    boolean isFailure() {
        return (entries.flags() & GeneralLayout.FAILURE) != 0;
    }

    int responseCode() {
        return entries.responseCode();
    }

    /** Whether the entry denies something: NXDOMAIN, or NOERROR without an answer. */
    boolean isNegative() {
        return entries.isNegative();
    }

    /** Whether it is an answer, and not one of the cache's own notes. */
    boolean isAnswer() {
        return (entries.flags() & GeneralLayout.SCOPES) == 0;
    }

    /** The response that it makes. */
    byte[] response(EntryResponse writer, long bound, int now) {
        return writer.of(name(), type(), header, entries.body(), bound, remaining(now));
    }

    CachedAnswer describe(int now) {
        return new CachedAnswer(
                name(),
                type(),
                responseCode(),
                remaining(now),
                length(),
                (header & EntryLayout.AUTHENTICATED) != 0,
                (entries.flags() & GeneralLayout.UNCHECKED) != 0,
                isNegative(),
                entries.subnet());
    }
}
