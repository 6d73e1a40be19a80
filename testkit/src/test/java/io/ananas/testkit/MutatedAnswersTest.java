package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The decoder of {@code message} against mutants of every kind of answer. */
class MutatedAnswersTest {
    private static final int ANSWERS = 3_000;
    private static final int MUTANTS = 20;

    @Test
    void mutantsAreRefusedOrReadInFull() {
        final long seed = System.nanoTime();
        final AnswerGenerator generator = new AnswerGenerator(seed);
        final PacketMutator mutator = new PacketMutator(seed);
        final MessageView view = new MessageView();
        final Set<Fault> faults = EnumSet.noneOf(Fault.class);
        for (int i = 0; i < ANSWERS; i++) {
            final byte[] wire = generator.next().toWire(true);
            for (int j = 0; j < MUTANTS; j++) {
                final byte[] mutant = mutator.mutate(wire);
                try {
                    final Fault fault = view.parse(mutant, mutant.length);
                    faults.add(fault);
                    if (fault == Fault.NONE) {
                        readEverything(view);
                    }
                } catch (RuntimeException e) {
                    throw new AssertionError("seed %d, answer %d".formatted(seed, i), e);
                }
            }
        }
        assertThat(faults).contains(Fault.NONE, Fault.POINTER, Fault.RDATA, Fault.TRUNCATED);
    }

    private static void readEverything(MessageView view) {
        final DnsMessage message = DnsMessage.parse(Arrays.copyOf(view.message(), view.length()));
        assertThat(
                        message.answer().size()
                                + message.authority().size()
                                + message.additional().size())
                .isEqualTo(view.recordCount());
        for (int i = 0; i < view.recordCount(); i++) {
            final int section = view.section(i);
            final ResourceRecord record =
                    message.section(section).get(i - view.firstRecord(section));
            assertThat(record.owner()).isEqualTo(view.owner(i));
        }
    }
}
