package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PacketMutatorTest {
    @Test
    void mutantsAreOfEveryKind() {
        final byte[] packet =
                Query.of("www.example.test", "A").id(7).dnssecOk().payloadSize(1232).toWire();
        final byte[] before = packet.clone();
        final PacketMutator mutator = new PacketMutator(1);
        final MessageView view = new MessageView();
        final Set<Fault> faults = EnumSet.noneOf(Fault.class);
        int changed = 0;
        for (int i = 0; i < 20_000; i++) {
            final byte[] mutant = mutator.mutate(packet);
            changed += Arrays.equals(mutant, packet) ? 0 : 1;
            faults.add(view.parse(mutant, mutant.length));
        }
        assertThat(packet).isEqualTo(before);
        assertThat(changed).isGreaterThan(19_000);
        assertThat(faults)
                .contains(
                        Fault.NONE,
                        Fault.HEADER,
                        Fault.QUESTIONS,
                        Fault.TRUNCATED,
                        Fault.POINTER,
                        Fault.LABEL,
                        Fault.EDNS,
                        Fault.OPTION);
    }

    @Test
    void theSameSeedMakesTheSame() {
        final PacketMutator one = new PacketMutator(3);
        final PacketMutator other = new PacketMutator(3);
        for (int i = 0; i < 100; i++) {
            assertThat(one.mutate(new byte[40])).isEqualTo(other.mutate(new byte[40]));
            assertThat(one.noise(80)).isEqualTo(other.noise(80)).hasSizeLessThanOrEqualTo(80);
        }
        assertThat(one.mutate(new byte[0])).isNotNull();
    }
}
