package io.ananas.server;

/** Where answers come from that nobody here has: forwarders, or recursion. Thread-safe. */
interface AnswerSource {
    /** Finds the answer; blocks, made for virtual threads. */
    ForwardResult ask(QuestionKey question);

    /** The same, though the answer may be known: to renew it before it expires. */
    default ForwardResult renew(QuestionKey question) {
        return ask(question);
    }
}
