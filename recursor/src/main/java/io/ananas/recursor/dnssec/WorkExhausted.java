package io.ananas.recursor.dnssec;

/** A question has used up what it may cost; the message says which limit it was. */
final class WorkExhausted extends RuntimeException {
    WorkExhausted(String message) {
        super(message, null, false, false);
    }
}
