package io.ananas.server;

import io.ananas.message.ExtendedError;
import io.ananas.message.Name;
import io.ananas.message.Upstream;
import io.ananas.recursor.Recursor;
import io.ananas.recursor.RecursorOptions;
import io.ananas.recursor.Resolution;
import io.ananas.recursor.UpstreamFactory;
import io.ananas.recursor.dnssec.AnchorSource;
import io.ananas.recursor.dnssec.DenialStore;
import io.ananas.recursor.dnssec.DnssecValidator;
import io.ananas.recursor.dnssec.ManagedKeys;
import io.ananas.recursor.dnssec.NegativeTrustAnchors;
import io.ananas.recursor.dnssec.Synthesis;
import io.ananas.transport.UpstreamSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Answers found by recursion: the recursor, the validator and their memories, put together as the
 * configuration says, and what they did counted by reason. Thread-safe.
 */
final class Recursion implements AnswerSource {
    private static final int DENIAL_RECORDS = 100_000;

    private final RecursionSettings settings;
    private final Recursor recursor;
    private final @Nullable DnssecValidator validator;
    private final NegativeTrustAnchors insecure;
    private final @Nullable AnchorKeeper anchors;
    private final Map<ExtendedError, LongAdder> reasons = new EnumMap<>(ExtendedError.class);

    /**
     * @throws IOException if the state of the trust anchors cannot be read
     */
    Recursion(
            Configuration configuration,
            UpstreamSockets sockets,
            InstantSource clock,
            RandomGenerator random)
            throws IOException {
        settings = configuration.recursion();
        for (ExtendedError error : ExtendedError.values()) {
            reasons.put(error, new LongAdder());
        }
        insecure = new NegativeTrustAnchors(clock);
        settings.validation().insecure().forEach(insecure::add);
        final Recursor.Builder builder =
                Recursor.builder(upstreams(sockets))
                        .withoutFailedAnswers() // the cache remembers them
                        .options(options(configuration))
                        .clock(clock)
                        .random(random);
        if (settings.validation().enabled()) {
            final DenialStore denials = new DenialStore(DENIAL_RECORDS);
            final AnchorSource source = anchorSource(settings.validation(), clock);
            validator =
                    new DnssecValidator(
                            source,
                            insecure,
                            denials,
                            settings.validation().limits(),
                            settings.options().fullAnswers(),
                            settings.validation().crypto(),
                            Math.max(1, Runtime.getRuntime().availableProcessors() - 1),
                            clock);
            builder.validator(validator);
            if (settings.validation().aggressive()) {
                builder.denials((name, type) -> find(denials, name, type, clock));
            }
            recursor = builder.build();
            anchors =
                    source instanceof ManagedKeys keys
                            ? new AnchorKeeper(keys, recursor, clock)
                            : null;
        } else {
            validator = null;
            anchors = null;
            recursor = builder.build();
        }
    }

    private static RecursorOptions options(Configuration configuration) {
        final RecursorOptions options = configuration.recursion().options();
        // what holds for a zone may be longer than what holds for all; the cache looks closer
        int maxTtl = configuration.cache().bounds().maxTtl();
        int maxNegativeTtl = configuration.cache().bounds().maxNegativeTtl();
        for (AnswerStore.Zone zone : configuration.caching().zones()) {
            maxTtl = Math.max(maxTtl, zone.bounds().maxTtl());
            maxNegativeTtl = Math.max(maxNegativeTtl, zone.bounds().maxNegativeTtl());
        }
        return options.withLocalZones(configuration.localZones())
                .withMaxTtl(maxTtl)
                .withMaxNegativeTtl(maxNegativeTtl)
                .withLimits(
                        RecursionConfiguration.with(options.limits(), configuration.resolving()));
    }

    private static AnchorSource anchorSource(
            RecursionSettings.Validation validation, InstantSource clock) throws IOException {
        if (validation.state() == null) {
            return validation.anchors();
        }
        try {
            return new ManagedKeys(validation.anchors(), validation.state(), clock);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(
                    "the state of the trust anchors cannot be read from %s (%s): mend it, or remove it to start again from the configured anchors"
                            .formatted(validation.state(), e),
                    e);
        }
    }

    private static byte @Nullable [] find(
            DenialStore denials, Name name, int type, InstantSource clock) {
        final Synthesis found = denials.find(name, type, clock.instant());
        return found == null ? null : found.response(name, type);
    }

    private static UpstreamFactory upstreams(UpstreamSockets sockets) {
        return new UpstreamFactory() {
            @Override
            public Upstream udp(InetSocketAddress server) {
                return sockets.udp(server);
            }

            @Override
            public Upstream tcp(InetSocketAddress server) {
                return sockets.tcp(server);
            }
        };
    }

    @Override
    public ForwardResult ask(QuestionKey question) {
        return result(
                recursor.resolve(
                        Name.ofWire(question.name(), 0),
                        question.type(),
                        question.checkingDisabled()));
    }

    @Override
    public ForwardResult renew(QuestionKey question) {
        return result(
                recursor.refresh(
                        Name.ofWire(question.name(), 0),
                        question.type(),
                        question.checkingDisabled()));
    }

    private ForwardResult result(Resolution resolution) {
        for (Resolution.Reason reason : resolution.reasons()) {
            Objects.requireNonNull(reasons.get(reason.error())).increment();
        }
        if (!resolution.isFailure()) {
            return new ForwardResult.Answered(resolution.view(), null);
        }
        final Resolution.Reason first = resolution.reasons().getFirst();
        return new ForwardResult.Failed(new UpstreamFailure(first.error(), first.text()));
    }

    /** How many resolutions gave this reason, failed or not. */
    long count(ExtendedError error) {
        final LongAdder counter = reasons.get(error);
        return counter == null ? 0 : counter.sum();
    }

    Recursor recursor() {
        return recursor;
    }

    /** Who validates; null if nobody does. */
    @Nullable DnssecValidator validator() {
        return validator;
    }

    /** Names that are not validated; more can be added. */
    NegativeTrustAnchors insecure() {
        return insecure;
    }

    /** Forgets all that was learnt of names at and below {@code subtree}. */
    void forget(Name subtree) {
        recursor.forget(subtree);
        if (validator != null) {
            validator.forget(subtree);
        }
    }

    /** Forgets what denies a name or a type, and what has failed. */
    void forgetDenials() {
        recursor.forgetDenials();
        if (validator != null) {
            validator.forgetDenials();
        }
    }

    /** To be called about once a second: follows the roll-over of trust anchors. */
    void keepAnchors() {
        if (anchors != null) {
            anchors.tick();
        }
    }

    /** What to tell who has started the server. */
    String greeting() {
        final String begin =
                "recursing from the root (%d root servers)"
                        .formatted(settings.options().rootHints().size());
        if (!settings.validation().enabled()) {
            return begin + ", without validation";
        }
        final int zones = settings.validation().anchors().zones().size();
        return zones == 0
                ? begin + ", without a trust anchor to validate by"
                : begin
                        + ", validating by the trust anchor%s of %s"
                                .formatted(
                                        zones == 1 ? "" : "s",
                                        String.join(
                                                ", ",
                                                settings.validation().anchors().zones().stream()
                                                        .map(Name::toString)
                                                        .sorted()
                                                        .toList()));
    }
}
