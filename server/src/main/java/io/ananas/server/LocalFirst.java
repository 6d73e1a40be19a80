package io.ananas.server;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.recursor.LocalZones;
import org.jspecify.annotations.Nullable;

/**
 * Local data before forwarders, for aliases that lead from one to the other; all other local
 * answers have been given by {@link LocalStage} before. Thread-safe.
 */
final class LocalFirst implements AnswerSource {
    private final LocalZones zones;
    private final AnswerSource others;

    LocalFirst(LocalZones zones, AnswerSource others) {
        this.zones = zones;
        this.others = others;
    }

    @Override
    public ForwardResult ask(QuestionKey question) {
        final ForwardResult local = local(question);
        return local == null ? others.ask(question) : local;
    }

    @Override
    public ForwardResult renew(QuestionKey question) {
        final ForwardResult local = local(question);
        return local == null ? others.renew(question) : local;
    }

    private @Nullable ForwardResult local(QuestionKey question) {
        final byte[] local = zones.answer(Name.ofWire(question.name(), 0), question.type());
        if (local == null) {
            return null;
        }
        final MessageView view = new MessageView();
        if (view.parse(local, local.length) != Fault.NONE) {
            throw new IllegalStateException("an unsound local answer for " + question);
        }
        return new ForwardResult.Answered(view, null);
    }
}
