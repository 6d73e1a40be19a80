package io.ananas.recursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.CacheOptions;
import io.ananas.cache.Insertion;
import io.ananas.message.MessageView;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.testkit.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Many questions at a time, and what becomes of answers in the answer cache. */
class ConcurrencyTest {
    private final Lab lab = new Lab();

    @Test
    void whatManyNeedAtTheSameTimeIsAskedOnce() throws Exception {
        final CountDownLatch go = new CountDownLatch(1);
        lab.zone("provider.test", "192.0.2.21", "dns.provider.test. 60 A 192.0.2.22");
        lab.tld("a.test. 60 NS dns.provider.test.");
        lab.server("192.0.2.22").zone("a.test", "*.a.test. 60 A 192.0.2.5");
        lab.server("192.0.2.21")
                .on(
                        "dns.provider.test",
                        "A",
                        Reply.answer("dns.provider.test. 60 A 192.0.2.22")
                                .authoritative()
                                .after(go));
        final Recursor recursor = lab.recursor();
        final int clients = 50;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            final List<CompletableFuture<Resolution>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                final Name name = Name.of("w%d.a.test".formatted(i));
                all.add(
                        CompletableFuture.supplyAsync(
                                () -> recursor.resolve(name, RecordType.A, false), threads));
            }
            Awaitility.await().until(() -> lab.count(Event.SHARED_LINK) >= clients - 1);
            go.countDown();
            for (final CompletableFuture<Resolution> each : all) {
                assertThat(each.get().view().responseCode()).isZero();
            }
        }
        assertThat(lab.server("192.0.2.21").count("dns.provider.test", "A")).isEqualTo(1);
        assertThat(lab.root().count(".", "NS")).isEqualTo(1);
    }

    @Test
    void thoseWhoNeedEachOtherDoNotWaitForEachOther() throws Exception {
        final CountDownLatch both = new CountDownLatch(2);
        lab.tld("a.test. 60 NS ns.b.test.", "b.test. 60 NS ns.a.test.");
        lab.tld()
                .on(
                        query -> {
                            if (query.name().equals(Name.of("a.test"))
                                    || query.name().equals(Name.of("b.test"))) {
                                both.countDown();
                            }
                            return false;
                        },
                        Reply.silence());
        final Recursor recursor = lab.recursor();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            final List<CompletableFuture<Resolution>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                final Name name = Name.of("w%d.%s.test".formatted(i, i % 2 == 0 ? "a" : "b"));
                all.add(
                        CompletableFuture.supplyAsync(
                                () -> recursor.resolve(name, RecordType.A, false), threads));
            }
            for (final CompletableFuture<Resolution> each : all) {
                final Resolution failure = each.get(4, java.util.concurrent.TimeUnit.SECONDS);
                assertThat(failure.isFailure()).isTrue();
            }
        }
        assertThat(both.getCount()).isZero();
    }

    @Test
    void responsesGoIntoTheAnswerCacheAsTheyAre() {
        lab.zone(
                "a.test",
                "192.0.2.11",
                "w.a.test. 60 CNAME v.a.test.",
                "v.a.test. 60 A 192.0.2.5",
                "a.test. 600 SOA ns. host. 1 1 1 1 60");
        try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(4 << 20))) {
            assertThat(insert(cache, "w.a.test", "A")).isEqualTo(Insertion.STORED);
            assertThat(insert(cache, "nx.a.test", "A")).isEqualTo(Insertion.STORED);
            assertThat(insert(cache, "a.test", "SOA")).isEqualTo(Insertion.STORED);
            lab.server("192.0.2.11").always(Reply.silence());
            assertThat(insert(cache, "f.a.test", "A").isCached()).isFalse();
        }
    }

    private Insertion insert(AnswerCache cache, String name, String type) {
        final MessageView view = lab.resolve(name, type).view();
        return cache.insert(view, (int) (lab.clock.millis() / 1_000));
    }
}
