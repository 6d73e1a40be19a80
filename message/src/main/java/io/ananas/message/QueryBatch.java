package io.ananas.message;

/**
 * The packets that a listener received in one go, and room for a reply to each.
 *
 * <p>Packets and reply room lie in native memory and are valid only within {@link
 * QueryHandler#handle}. A listener keeps one batch per thread and fills it again and again; nothing
 * is allocated for a reply that is written in place. Behind each packet and behind each reply room
 * lie at least 8 more octets that may be read and overwritten, so that hot code can work in words.
 */
public interface QueryBatch {
    /** Packets in this batch. */
    int size();

    /** Where packet {@code i} begins. */
    long queryAddress(int i);

    /** Octets of packet {@code i}. */
    int queryLength(int i);

    /** Where the reply to packet {@code i} may be written. */
    long replyAddress(int i);

    /** Octets that may be written there, at least 4,096; 65,535 over a stream. */
    int replyCapacity(int i);

    /**
     * Sends {@code length} octets at {@link #replyAddress} when the batch is done; 0, the state at
     * first, sends none.
     */
    void reply(int i, int length);

    /**
     * Sends now what was replied so far, so that it does not wait for the rest of the batch. Does
     * nothing where a batch has one packet only.
     */
    default void flush() {}

    /**
     * Whether packet {@code i} came over a stream, which carries any length and cannot be forged.
     */
    boolean isStream(int i);

    /**
     * Where the client's IP address begins, in network byte order, 4 octets or 16 by {@link
     * #clientAddressLength}. An IPv4 client of an IPv6 socket counts as IPv4.
     */
    long clientAddress(int i);

    /** 4 or 16. */
    int clientAddressLength(int i);

    /**
     * Takes packet {@code i} out of the batch, to be answered later by any thread. Copies the
     * packet; the reply room of the batch is not used.
     */
    Pending detach(int i);

    /** A query that left the hot path: its octets, and the way back to its client. Thread-safe. */
    interface Pending {
        /** The query as it came; not to be changed. */
        byte[] query();

        /** Whether it came over a stream. */
        boolean isStream();

        /** The client's IP address, 4 or 16 octets. */
        byte[] clientAddress();

        /**
         * Sends the first {@code length} octets of {@code message}; at most once. A client that is
         * gone is no error.
         */
        void reply(byte[] message, int length);
    }
}
