package io.ananas.benchmarks.trace;

/**
 * Queries in the order of their time. A question is a number, its key; what the key's name, type
 * and answer are, the {@link Questions} know.
 *
 * @param name what to call it in tables
 * @param millis when each query came, from 0 on
 * @param key what each query asked
 * @param client who asked each query, numbered from 0 on
 * @param questions of every key
 * @param skipped queries that were left out, such as those that never got an answer
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Trace(
        String name, long[] millis, int[] key, int[] client, Questions questions, int skipped) {
    /** Queries. */
    public int length() {
        return key.length;
    }

    /** What a trace asks. */
    public interface Questions {
        /** Keys are 0 up to this. */
        int count();

        /** Seconds for which a new answer may be kept; 0 for not at all. */
        int ttl(int key);

        /**
         * Writes the response that an upstream gives, TTLs whole; returns its length.
         *
         * @param subnet the group of clients that it is for, where answers differ; 0 else
         * @param target 65,535 octets at least
         */
        int response(int key, int subnet, byte[] target);
    }
}
