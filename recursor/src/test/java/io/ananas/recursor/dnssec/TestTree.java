package io.ananas.recursor.dnssec;

import io.ananas.recursor.AnswerValidator.Fetcher;
import io.ananas.testkit.MemoryTree;
import java.util.List;

/** Zones in memory where a validator fetches. */
final class TestTree extends MemoryTree implements Fetcher {
    TrustAnchors anchors() {
        return TrustAnchors.of(List.of(anchor()));
    }
}
