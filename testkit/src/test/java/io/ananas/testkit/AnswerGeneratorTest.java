package io.ananas.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.RecordType;
import io.ananas.message.Wire;
import io.ananas.testkit.AnswerGenerator.Shape;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;

class AnswerGeneratorTest {
    private static final int PER_SHAPE = 400;

    @ParameterizedTest
    @EnumSource(Shape.class)
    void whatIsMadeIsReadBackByOurselvesAndByDnsjava(Shape shape) throws IOException {
        final long seed = System.nanoTime();
        final AnswerGenerator generator = new AnswerGenerator(seed);
        for (int i = 0; i < PER_SHAPE; i++) {
            final String where = "%s, seed %d, number %d".formatted(shape, seed, i);
            final DnsMessage message = generator.next(shape);
            final byte[] plain = message.toWire(false);
            final byte[] compressed = message.toWire(true);
            assertThat(compressed.length).as(where).isLessThanOrEqualTo(plain.length);
            assertThat(CanonicalMessage.diff(message, DnsMessage.parse(plain))).as(where).isEmpty();
            assertThat(CanonicalMessage.diff(message, DnsMessage.parse(compressed)))
                    .as(where)
                    .isEmpty();
            assertSameInDnsjava(message, new Message(plain), where);
            assertSameInDnsjava(message, new Message(compressed), where);
        }
    }

    private static void assertSameInDnsjava(DnsMessage message, Message oracle, String where) {
        final DnsMessage read = DnsMessage.parse(oracle.toWire(65_535));
        assertThat(CanonicalMessage.diff(message, read)).as(where).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void rrsetsAreValid(Shape shape) {
        final long seed = System.nanoTime();
        final AnswerGenerator generator = new AnswerGenerator(seed);
        for (int i = 0; i < PER_SHAPE; i++) {
            final DnsMessage message = generator.next(shape);
            final List<ResourceRecord> records =
                    Stream.of(message.answer(), message.authority(), message.additional())
                            .flatMap(List::stream)
                            .toList();
            assertThat(records).as("seed %d, number %d", seed, i).doesNotHaveDuplicates();
            final Map<List<Object>, Long> ttls = new HashMap<>();
            final Map<Name, Set<Integer>> types = new HashMap<>();
            for (final ResourceRecord record : records) {
                final byte[] rdata = record.rdata();
                final boolean signature = record.type() == RecordType.RRSIG;
                final int type = signature ? Wire.u16(rdata, 0) : record.type();
                final Long ttl = ttls.putIfAbsent(List.of(record.owner(), type), record.ttl());
                assertThat(ttl).as("%s, seed %d", record, seed).isIn(null, record.ttl());
                types.computeIfAbsent(record.owner(), absent -> new HashSet<>()).add(type);
            }
            types.forEach((owner, all) -> {
                if (all.contains(RecordType.CNAME)) {
                    assertThat(all).as("%s, seed %d", owner, seed).hasSize(1);
                }
            });
        }
    }

    @Test
    void theSameSeedMakesTheSame() {
        final AnswerGenerator one = new AnswerGenerator(5);
        final AnswerGenerator other = new AnswerGenerator(5);
        for (int i = 0; i < 50; i++) {
            assertThat(one.next().toWire(true)).isEqualTo(other.next().toWire(true));
        }
        assertThat(AnswerGenerator.answer(6).toWire(true))
                .isEqualTo(new AnswerGenerator(6).next().toWire(true));
        assertThat(AnswerGenerator.answer(6).toWire(true))
                .isNotEqualTo(AnswerGenerator.answer(7).toWire(true));
    }

    @Test
    void extremesAreMet() {
        final List<DnsMessage> messages =
                IntStream.range(0, 3000).mapToObj(AnswerGenerator::answer).toList();
        assertThat(messages)
                .anyMatch(message -> questionName(message).isRoot())
                .anyMatch(message -> questionName(message).length() == MessageLayout.MAX_NAME)
                .anyMatch(message -> questionName(message).toString().contains("\\000"))
                .anyMatch(message -> message.toWire(true).length > 45_000)
                .anyMatch(message -> message.answer().size() > 150)
                .anyMatch(message -> !message.extendedErrors().isEmpty())
                .anyMatch(message -> message.edns() == null);
        final Set<Integer> types = new HashSet<>();
        messages.forEach(message ->
                Stream.of(message.answer(), message.authority(), message.additional())
                        .flatMap(List::stream)
                        .forEach(record -> types.add(record.type())));
        assertThat(types)
                .contains(
                        RecordType.CNAME,
                        RecordType.DNAME,
                        RecordType.SOA,
                        RecordType.NSEC,
                        RecordType.NSEC3,
                        RecordType.RRSIG,
                        RecordType.HTTPS);
        for (final int type : RandomRdata.TYPES) {
            assertThat(types).contains(type);
        }
        assertThat(Collections.max(types)).isGreaterThan(65_300);
    }

    private static Name questionName(DnsMessage message) {
        final DnsMessage.Question question = message.question();
        return question == null ? Name.of("none") : question.name();
    }
}
