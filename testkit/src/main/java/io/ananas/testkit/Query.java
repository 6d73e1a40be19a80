package io.ananas.testkit;

import io.ananas.message.Edns;
import io.ananas.message.EdnsOption;
import io.ananas.message.MessageLayout;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.testkit.DnsMessage.Question;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A query of a test: RD set and no EDNS, unless told otherwise. Immutable: every method gives a new
 * one.
 *
 * @param id 0 to 65,535
 * @param flags bits of the header
 * @param edns null for none
 */
public record Query(int id, int flags, Question question, @Nullable Edns edns) {
    /** A query of class IN with a random id; {@code type} such as {@code "AAAA"}. */
    public static Query of(String name, String type) {
        return of(Name.of(name), RecordType.parse(type));
    }

    /** A query of class IN with a random id. */
    public static Query of(Name name, int type) {
        return new Query(
                ThreadLocalRandom.current().nextInt(0x10000),
                MessageLayout.RD,
                new Question(name, type, RecordClass.IN),
                null);
    }

    public Query id(int other) {
        return new Query(other, flags, question, edns);
    }

    /** With these bits of the header instead, see {@link MessageLayout}. */
    public Query flags(int bits) {
        return new Query(id, bits, question, edns);
    }

    /** Without RD. */
    public Query noRecursion() {
        return flags(flags & ~MessageLayout.RD);
    }

    /** With CD. */
    public Query checkingDisabled() {
        return flags(flags | MessageLayout.CD);
    }

    /** Of another class. */
    public Query questionClass(int other) {
        return new Query(id, flags, new Question(question.name(), question.type(), other), edns);
    }

    /** With EDNS and this UDP payload size. */
    public Query payloadSize(int octets) {
        final Edns old = ednsOrDefault();
        return edns(new Edns(octets, old.version(), old.dnssecOk(), old.options()));
    }

    /** With EDNS and the DO bit. */
    public Query dnssecOk() {
        final Edns old = ednsOrDefault();
        return edns(new Edns(old.payloadSize(), old.version(), true, old.options()));
    }

    /** With EDNS of a version. */
    public Query ednsVersion(int version) {
        final Edns old = ednsOrDefault();
        return edns(new Edns(old.payloadSize(), version, old.dnssecOk(), old.options()));
    }

    /** With EDNS and one more option. */
    public Query option(EdnsOption option) {
        return edns(ednsOrDefault().with(option));
    }

    /** With this OPT record. */
    public Query edns(Edns other) {
        return new Query(id, flags, question, other);
    }

    private Edns ednsOrDefault() {
        return edns == null ? Edns.of(Edns.PAYLOAD_SIZE, false) : edns;
    }

    /** Its octets. */
    public byte[] toWire() {
        return new DnsMessage(id, flags, 0, question, List.of(), List.of(), List.of(), edns)
                .toWire(true);
    }
}
