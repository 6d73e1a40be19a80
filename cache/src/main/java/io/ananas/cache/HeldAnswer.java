package io.ananas.cache;

/**
 * What the cache holds of one question, with all of its records.
 *
 * @param about the question, and what else there is to know
 * @param response the response that it makes, with DNSSEC records and reasons; TTLs are what is
 *     left of them, 0 where it has expired
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HeldAnswer(CachedAnswer about, byte[] response) {}
