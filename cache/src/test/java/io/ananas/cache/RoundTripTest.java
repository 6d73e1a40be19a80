package io.ananas.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.MessageLayout;
import io.ananas.message.QueryView;
import io.ananas.message.RecordType;
import io.ananas.testkit.AnswerGenerator;
import io.ananas.testkit.CanonicalMessage;
import io.ananas.testkit.DnsMessage;
import io.ananas.testkit.ResourceRecord;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever answer goes in comes out: names but for their case, TTLs less the time gone by, the
 * order within an RRset free.
 */
class RoundTripTest {
    private static final int NOW = 1_700_000_000;
    private static final int AGE = 7;
    private static final int ANSWERS = 12_000;
    private static final int STREAM_LIMIT = Packets.CAPACITY;
    private static final int KEPT_FLAGS =
            MessageLayout.QR
                    | MessageLayout.RD
                    | MessageLayout.RA
                    | MessageLayout.AD
                    | MessageLayout.CD;

    @Test
    void whatGoesInComesOut() {
        final CacheOptions options = CacheOptions.ofSize(16 << 20).withTtl(0, CacheOptions.MAX_TTL);
        final Set<DnsMessage.Question> asked = new HashSet<>();
        final Map<Insertion, Integer> outcomes = new EnumMap<>(Insertion.class);
        try (AnswerCache cache = AnswerCache.open(options, new Random(1));
                CacheReader reader = cache.newReader();
                Packets packets = new Packets()) {
            for (long seed = 0; seed < ANSWERS; seed++) {
                final DnsMessage sent = AnswerGenerator.answer(seed);
                if (!asked.add(Objects.requireNonNull(sent.question()))) {
                    continue;
                }
                final byte[] wire = sent.toWire(seed % 2 == 0);
                final Insertion insertion = cache.insert(Packets.parse(wire, wire.length), NOW);
                outcomes.merge(insertion, 1, Integer::sum);
                if (insertion.isCached()) {
                    check(seed, sent, reader, packets);
                }
            }
        }
        assertThat(
                        outcomes.getOrDefault(Insertion.STORED, 0)
                                + outcomes.getOrDefault(Insertion.REPLACED, 0))
                .as("%s", outcomes)
                .isGreaterThan(ANSWERS / 2);
    }

    private static void check(long seed, DnsMessage sent, CacheReader reader, Packets packets) {
        final DnsMessage.Question question = Objects.requireNonNull(sent.question());
        final int flags = MessageLayout.RD | MessageLayout.AD | (sent.flags() & MessageLayout.CD);
        final QueryView asked = packets.ask(question.name(), question.type(), flags, 4_096, true);
        final AnswerLifetime lifetime = lifetime(sent);
        final int age = Math.min(AGE, lifetime.seconds() - 1);
        final byte @Nullable [] response = packets.answer(reader, asked, NOW + age, STREAM_LIMIT);
        assertThat(response).as("seed %d: a hit%n%s", seed, sent).isNotNull();
        final DnsMessage got = DnsMessage.parse(Objects.requireNonNull(response));
        if ((got.flags() & MessageLayout.TC) != 0) {
            assertThat(sent.toWire(true).length).as("seed %d: cut", seed).isGreaterThan(60_000);
            return;
        }
        final DnsMessage expected = aged(sent, lifetime, age);
        assertThat(CanonicalMessage.diff(expected, got, KEPT_FLAGS, ttl -> ttl))
                .as("seed %d%nsent %s%ngot %s", seed, sent, got)
                .isEmpty();
        assertThat(reasons(got.edns())).as("seed %d", seed).isEqualTo(reasons(sent.edns()));
        assertThat(lastOctetIsUsed(response)).as("seed %d", seed).isTrue();
    }

    private static boolean lastOctetIsUsed(byte[] response) {
        return Packets.parse(response, response.length).end() == response.length;
    }

    private static AnswerLifetime lifetime(DnsMessage sent) {
        final byte[] wire = sent.toWire(true);
        final AnswerLifetime lifetime =
                new AnswerLifetime(
                        CacheOptions.ofSize(1 << 20).withTtl(0, CacheOptions.MAX_TTL).bounds());
        assertThat(lifetime.judge(Packets.parse(wire, wire.length))).isEqualTo(Insertion.STORED);
        return lifetime;
    }

    /** What the cache makes of TTLs: a denial's SOA as the denial itself, all less the age. */
    private static DnsMessage aged(DnsMessage sent, AnswerLifetime lifetime, int age) {
        return new DnsMessage(
                sent.id(),
                sent.flags(),
                sent.responseCode(),
                sent.question(),
                aged(sent.answer(), lifetime, age, false),
                aged(sent.authority(), lifetime, age, true),
                aged(sent.additional(), lifetime, age, false),
                sent.edns());
    }

    private static List<ResourceRecord> aged(
            List<ResourceRecord> records, AnswerLifetime lifetime, int age, boolean authority) {
        return records.stream()
                .map(record ->
                        ResourceRecord.of(
                                record.owner(),
                                record.type(),
                                record.recordClass(),
                                ttl(record, lifetime, authority) - age,
                                record.rdata()))
                .toList();
    }

    private static long ttl(ResourceRecord record, AnswerLifetime lifetime, boolean authority) {
        if (authority && lifetime.isNegative() && record.type() == RecordType.SOA) {
            return lifetime.seconds();
        }
        return Math.min(CacheOptions.MAX_TTL, record.ttl());
    }

    private static List<EdnsOption> reasons(@Nullable Edns edns) {
        return edns == null
                ? List.of()
                : edns.options().stream()
                        .filter(option -> option.code() == EdnsOption.EXTENDED_ERROR)
                        .toList();
    }
}
