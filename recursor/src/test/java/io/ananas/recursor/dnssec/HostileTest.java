package io.ananas.recursor.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Fault;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.recursor.AnswerValidator.Fetcher;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.testkit.MemoryZone;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/**
 * Octets changed at random, in the response and in what is fetched: never secure data, never
 * thrown.
 */
class HostileTest {
    private static final int CASES = 1_500;
    private static final String[] NAMES = {
        "www.test", "nothing.test", "any.wild.test", "x.moved.test", "alias.test", "www.plain.test"
    };

    private static TestTree tree(boolean nsec3) {
        final TestTree tree = new TestTree();
        tree.add(MemoryZone.signed(".", 13));
        final MemoryZone zone = MemoryZone.signed("test", 13);
        tree.add(nsec3 ? zone.nsec3(2, "ab", false) : zone);
        zone.add("www A 192.0.2.1").add("*.wild A 192.0.2.2").add("moved DNAME other.test.");
        zone.add("alias CNAME www");
        tree.add(MemoryZone.unsigned("plain.test").add("www A 192.0.2.3"));
        return tree;
    }

    /** Changes up to three octets; null where that left no sound message. */
    private static @Nullable MessageView mutated(MessageView from, Random random) {
        final byte[] octets = java.util.Arrays.copyOf(from.message(), from.length());
        for (int i = random.nextInt(3); i >= 0; i--) {
            octets[2 + random.nextInt(octets.length - 2)] = (byte) random.nextInt(256);
        }
        final MessageView view = new MessageView();
        return view.parse(octets, octets.length) == Fault.NONE ? view : null;
    }

    @Test
    void mutatedMessages() {
        final long seed = 68_401L;
        final Random random = new Random(seed);
        final TestTree[] trees = {tree(false), tree(true)};
        int judged = 0;
        for (int i = 0; i < CASES; i++) {
            final TestTree tree = trees[random.nextInt(2)];
            final String name = NAMES[random.nextInt(NAMES.length)];
            final Message response = tree.respond(MemoryZone.name(name), Type.A);
            if (response == null) {
                throw new IllegalStateException(name);
            }
            final MessageView sound = TestTree.view(response);
            final boolean mutateFetched = random.nextInt(4) == 0;
            final MessageView view = mutateFetched ? sound : mutated(sound, random);
            if (view == null) {
                continue;
            }
            final Fetcher fetcher =
                    (n, t) -> {
                        final MessageView fetched = tree.fetch(n, t);
                        return fetched == null || !mutateFetched
                                ? fetched
                                : mutated(fetched, random);
                    };
            final Verdict verdict =
                    new Fixture(tree)
                            .validator.validate(
                                    Name.of(name), Type.A, view, Name.of("test"), fetcher);
            judged++;
            if (verdict.status() == Status.SECURE && !mutateFetched) {
                assertThat(sameData(sound, view, verdict))
                        .as("seed %d, case %d: %s secure, and changed", seed, i, name)
                        .isTrue();
            }
        }
        assertThat(judged).isGreaterThan(CASES / 4);
    }

    /** Whether every record that the verdict speaks for was in the sound response. */
    private static boolean sameData(MessageView sound, MessageView view, Verdict verdict) {
        for (int i = 0; i < view.endRecord(MessageView.AUTHORITY); i++) {
            if (!verdict.unproven().contains(i) && view.type(i) != Type.RRSIG) {
                boolean found = false;
                for (int j = 0; j < sound.endRecord(MessageView.AUTHORITY); j++) {
                    found |=
                            view.type(i) == sound.type(j)
                                    && view.owner(i).equals(sound.owner(j))
                                    && equalIgnoringCase(view.rdata(i), sound.rdata(j));
                }
                if (!found) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Names in rdata may come in another case. */
    private static boolean equalIgnoringCase(byte[] a, byte[] b) {
        return new String(a, java.nio.charset.StandardCharsets.ISO_8859_1)
                .equalsIgnoreCase(new String(b, java.nio.charset.StandardCharsets.ISO_8859_1));
    }
}
