package io.ananas.server;

import io.ananas.cache.AnswerCache;
import io.ananas.cache.Insertion;
import io.ananas.cache.TtlBounds;
import io.ananas.message.ClientSubnet;
import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.ExtendedError;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.ResponseCode;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Puts what came from upstream into the cache: answers within the lifetimes that hold for their
 * zone, and failures (RFC 9520) with their reason. Counts what became of each. Thread-safe.
 */
final class AnswerStore {
    /**
     * Bounds of lifetimes that hold for a name and all below it.
     *
     * @param name the zone
     */
    record Zone(Name name, TtlBounds bounds) {}

    private final AnswerCache cache;
    private final InstantSource clock;
    private final List<Zone> zones;
    private final Map<Insertion, LongAdder> insertions = new EnumMap<>(Insertion.class);
    private final Map<ExtendedError, LongAdder> failures = new EnumMap<>(ExtendedError.class);

    AnswerStore(AnswerCache cache, InstantSource clock, List<Zone> zones) {
        this.cache = cache;
        this.clock = clock;
        this.zones = List.copyOf(zones);
        for (Insertion insertion : Insertion.values()) {
            insertions.put(insertion, new LongAdder());
        }
        for (ExtendedError error : ExtendedError.values()) {
            failures.put(error, new LongAdder());
        }
    }

    /** Seconds since 1970. */
    int now() {
        return (int) (clock.millis() / 1_000);
    }

    /** Keeps an answer if it may be kept; says whether a lookup will find it. */
    boolean keep(QuestionKey question, ForwardResult.Answered answer) {
        final ClientSubnet scope = answer.scope();
        final Insertion insertion = cache.insert(answer.response(), scope, bounds(question), now());
        counter(insertion).increment();
        return insertion.isCached();
    }

    private TtlBounds bounds(QuestionKey question) {
        TtlBounds bounds = cache.options().bounds();
        if (!zones.isEmpty()) {
            final Name name = Name.ofWire(question.name(), 0);
            int labels = -1;
            for (Zone zone : zones) {
                if (zone.name().labelCount() > labels && name.isSubdomainOf(zone.name())) {
                    labels = zone.name().labelCount();
                    bounds = zone.bounds();
                }
            }
        }
        return bounds;
    }

    /** Remembers a failure, for a second at least; returns for how many. */
    int keepFailure(QuestionKey question, UpstreamFailure failure) {
        final int cd = question.checkingDisabled() ? MessageLayout.CD : 0;
        final Edns edns =
                Edns.of(Edns.PAYLOAD_SIZE, true)
                        .with(EdnsOption.extendedError(failure.error(), failure.text()))
                        .with(
                                EdnsOption.extendedError(
                                        ExtendedError.CACHED_ERROR,
                                        ExtendedError.CACHED_ERROR.text()));
        final byte[] message =
                new MessageWriter(MessageLayout.MAX_MESSAGE)
                        .header(0, MessageLayout.QR | MessageLayout.RA | cd)
                        .question(Name.ofWire(question.name(), 0), question.type(), RecordClass.IN)
                        .responseCode(ResponseCode.SERVFAIL)
                        .edns(edns)
                        .toByteArray();
        final MessageView view = new MessageView();
        view.parse(message, message.length);
        // rounded up, for a second that has nearly passed would not be one
        final int seconds = cache.insertFailure(view, (int) ((clock.millis() + 999) / 1_000));
        Objects.requireNonNull(failures.get(failure.error())).increment();
        return seconds;
    }

    /** Bounds that TTLs keep in answers that are not in the cache. */
    int maxTtl() {
        return Math.min(cache.options().bounds().maxTtl(), cache.options().maxAnswerTtl());
    }

    /** How many answers met with this. */
    long count(Insertion insertion) {
        return counter(insertion).sum();
    }

    private LongAdder counter(Insertion insertion) {
        return Objects.requireNonNull(insertions.get(insertion));
    }

    /** How many failures for this reason were put by. */
    long failures(ExtendedError error) {
        return Objects.requireNonNull(failures.get(error)).sum();
    }

    /** A desk that answers from this cache. */
    AnswerDesk newDesk(@Nullable SubnetChoice subnets) {
        return new AnswerDesk(cache.newReader(), subnets, maxTtl());
    }
}
