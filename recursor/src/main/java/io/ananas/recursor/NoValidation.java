package io.ananas.recursor;

import io.ananas.message.MessageView;
import io.ananas.message.Name;

/** Validates nothing: all is insecure. */
final class NoValidation implements AnswerValidator {
    private static final Verdict INSECURE = new Verdict(Status.INSECURE, null, "");

    @Override
    public Verdict validate(Name name, int type, MessageView response, Name zone, Fetcher fetcher) {
        return INSECURE;
    }
}
