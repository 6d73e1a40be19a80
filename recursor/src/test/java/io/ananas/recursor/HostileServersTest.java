package io.ananas.recursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.testkit.PacketMutator;
import io.ananas.testkit.Reply;
import io.ananas.testkit.ReplyMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Servers that send anything at all: no exception, bounded work, and nothing of other zones. */
class HostileServersTest {
    private static final int ROUNDS = 2_000;

    @Test
    void mutatedResponsesOfEveryServer() {
        final long seed = System.nanoTime();
        System.out.println("seed of the mutations: " + seed);
        final Random random = new Random(seed);
        final PacketMutator mutator = new PacketMutator(seed);
        final Lab lab = new Lab();
        final String[] records = {
            "*.a.test. 1 A 192.0.2.5",
            "c.a.test. 1 CNAME w.b.test.",
            "d.a.test. 1 DNAME b.test.",
            "m.a.test. 1 MX 10 mail.a.test.",
            "s.a.test. 1 SRV 1 2 3 host.a.test."
        };
        lab.zone("a.test", "192.0.2.11", records);
        lab.zone("b.test", "192.0.2.12", "*.b.test. 1 TXT hello");
        for (int i = 0; i < ROUNDS; i++) {
            final String name =
                    List.of("w%d.a.test", "c.a.test", "x%d.d.a.test", "m.a.test", "s.a.test")
                            .get(random.nextInt(5))
                            .formatted(i);
            final int type =
                    new int[] {RecordType.A, RecordType.MX, RecordType.SRV, RecordType.TXT}
                            [random.nextInt(4)];
            damage(lab, "192.0.2.11", mutator, random);
            damage(lab, "192.0.2.12", mutator, random);
            final Resolution resolution = lab.recursor().resolve(Name.of(name), type, false);
            assertThat(resolution.view().questionCount()).as("seed %d", seed).isEqualTo(1);
            assertThat(resolution.upstreamQueries()).isLessThanOrEqualTo(64);
            lab.advance(301);
        }
        assertThat(lab.count(Event.UPSTREAM_UNSOUND)).isPositive();
    }

    private static void damage(Lab lab, String server, PacketMutator mutator, Random random) {
        final boolean a = server.endsWith("11");
        final String zone = a ? "a.test." : "b.test.";
        final List<String> answer = new ArrayList<>();
        answer.add(zone + " 1 NS ns." + zone);
        lab.server(server)
                .unscripted()
                .on(
                        query -> random.nextInt(3) > 0,
                        query -> {
                            final ReplyMessage reply =
                                    Reply.answer(
                                                    query.name() + " 1 A 192.0.2.5",
                                                    query.name() + " 1 MX 1 m." + zone,
                                                    query.name() + " 1 TXT t")
                                            .authoritative()
                                            .authority(answer.toArray(String[]::new))
                                            .additional("ns." + zone + " 1 A 192.0.2.11");
                            return reply.changed(mutator::mutate).to(query);
                        });
    }
}
