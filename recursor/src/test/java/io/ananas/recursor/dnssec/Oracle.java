package io.ananas.recursor.dnssec;

import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.testkit.MemoryZone;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.dnssec.ValidatingResolver;

/** What dnsjava's own validator says of the same tree. */
final class Oracle {
    private final ValidatingResolver resolver;

    Oracle(TestTree tree) {
        final Clock clock = Clock.fixed(MemoryZone.NOW, ZoneOffset.UTC);
        resolver = new ValidatingResolver(new Head(tree), clock);
        final String anchor = TestTree.ds(tree.zone("."), 2).toString();
        try {
            resolver.loadTrustAnchors(
                    new ByteArrayInputStream(anchor.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Status status(String name, int type) {
        final Message query =
                Message.newQuery(Record.newRecord(MemoryZone.name(name), type, DClass.IN));
        final Message response =
                resolver.sendAsync(query, Runnable::run).toCompletableFuture().join();
        if (response.getHeader().getRcode() == Rcode.SERVFAIL) {
            return Status.BOGUS;
        }
        return response.getHeader().getFlag(Flags.AD) ? Status.SECURE : Status.INSECURE;
    }

    private record Head(TestTree tree) implements Resolver {
        @Override
        public CompletionStage<Message> sendAsync(Message query, Executor executor) {
            final Message response =
                    tree.resolve(query.getQuestion().getName(), query.getQuestion().getType());
            if (response == null) {
                return CompletableFuture.failedFuture(new IOException("no server answers"));
            }
            final Message copy = response.clone();
            copy.getHeader().setID(query.getHeader().getID());
            return CompletableFuture.completedFuture(copy);
        }

        @Override
        public CompletionStage<Message> sendAsync(Message query) {
            return sendAsync(query, Runnable::run);
        }

        @Override
        public void setPort(int port) {}

        @Override
        public void setTCP(boolean flag) {}

        @Override
        public void setIgnoreTruncation(boolean flag) {}

        @Override
        public void setEDNS(int version, int size, int flags, List<EDNSOption> options) {}

        @Override
        public void setTSIGKey(@Nullable TSIG key) {}

        @Override
        public void setTimeout(Duration timeout) {}
    }
}
