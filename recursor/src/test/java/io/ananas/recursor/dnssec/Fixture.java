package io.ananas.recursor.dnssec;

import io.ananas.message.Name;
import io.ananas.recursor.AnswerValidator.Verdict;
import io.ananas.testkit.MemoryZone;
import java.time.Instant;
import org.xbill.DNS.Message;

/** A validator before a tree, with a clock of its own. */
final class Fixture {
    final TestTree tree;
    Instant now = MemoryZone.NOW;
    final NegativeTrustAnchors negative = new NegativeTrustAnchors(() -> now);
    final DenialStore denials = new DenialStore(10_000);
    final DnssecValidator validator;

    Fixture(TestTree tree) {
        this(tree, tree.anchors());
    }

    Fixture(TestTree tree, AnchorSource anchors) {
        this(tree, anchors, ValidationLimits.DEFAULT);
    }

    Fixture(TestTree tree, AnchorSource anchors, ValidationLimits limits) {
        this.tree = tree;
        validator =
                new DnssecValidator(
                        anchors,
                        negative,
                        denials,
                        limits,
                        false,
                        CryptoLibrary.AUTO,
                        1,
                        () -> now);
    }

    /** What is said of the response that the servers of the name's zone give. */
    Verdict verdict(String name, int type) {
        final Message response = tree.respond(MemoryZone.name(name), type);
        if (response == null) {
            throw new IllegalStateException("nobody answers " + name);
        }
        final Name zone = Name.of(tree.zoneFor(MemoryZone.name(name), type).origin.toString());
        return validator.validate(Name.of(name), type, TestTree.view(response), zone, tree);
    }
}
