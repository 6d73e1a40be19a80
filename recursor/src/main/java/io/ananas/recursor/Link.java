package io.ananas.recursor;

import io.ananas.message.ExtendedError;
import io.ananas.message.Fault;
import io.ananas.message.MessageLayout;
import io.ananas.message.MessageView;
import io.ananas.message.MessageWriter;
import io.ananas.message.Name;
import io.ananas.message.RecordClass;
import io.ananas.message.RecordType;
import io.ananas.message.ResponseCode;
import io.ananas.recursor.AnswerValidator.Status;
import io.ananas.recursor.AnswerValidator.Verdict;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one (name, type), from a server of the zone that holds it: one link of the chain
 * of aliases that an answer may be. Immutable.
 *
 * @param provenName the name that the response was about: {@code name}, or for a name error found
 *     at a minimised query an ancestor of it
 * @param zone the zone whose server gave it
 * @param answer the RRset asked for; or the CNAME, behind the DNAME that it was made of; or nothing
 * @param authority SOA and proofs of what is not there, besides what the server added
 * @param additional what the server added
 * @param bornAt milliseconds since 1970 when the response came
 * @param lifetime seconds for which it may be used again; 0 for the question in progress only
 * @param server who gave it; null if nobody was asked
 * @param verdict null as long as nobody asked the validator
 */
record Link(
        Name name,
        int type,
        Kind kind,
        int responseCode,
        Name provenName,
        Name zone,
        List<RRset> answer,
        List<RRset> authority,
        List<RRset> additional,
        long bornAt,
        long lifetime,
        @Nullable InetSocketAddress server,
        @Nullable Verdict verdict) {
    enum Kind {
        /** The records are there. */
        ANSWER,
        /** The name is an alias of another. */
        ALIAS,
        /** The name exists and has no records of this type. */
        NO_DATA,
        /** The name does not exist, or the name that an alias makes of it is too long. */
        NAME_ERROR
    }

    Link {
        answer = List.copyOf(answer);
        authority = List.copyOf(authority);
        additional = List.copyOf(additional);
    }

    /** From a response that follows from validated proofs: secure, and for this question only. */
    static Link synthesised(QuestionKey key, MessageView view) {
        final List<RRset> answer =
                RRset.read(view, MessageView.ANSWER, Name.ROOT, false, Integer.MAX_VALUE);
        final boolean error = view.responseCode() == ResponseCode.NXDOMAIN;
        return new Link(
                key.name(),
                key.type(),
                !answer.isEmpty() ? Kind.ANSWER : error ? Kind.NAME_ERROR : Kind.NO_DATA,
                view.responseCode(),
                key.name(),
                Name.ROOT,
                answer,
                RRset.read(view, MessageView.AUTHORITY, Name.ROOT, false, Integer.MAX_VALUE),
                List.of(),
                0,
                0,
                null,
                new Verdict(Status.SECURE, ExtendedError.SYNTHESIZED, ""));
    }

    QuestionKey key() {
        return new QuestionKey(name, type);
    }

    /** Where the alias leads. */
    Name target() {
        return answer.getLast().target();
    }

    boolean isAlive(long now) {
        return now - bornAt < lifetime * 1_000 && now >= bornAt - 1_000;
    }

    boolean isSecure() {
        return verdict != null && verdict.status() == Status.SECURE;
    }

    /**
     * The same with what the validator says of it: if secure without what the verdict does not
     * speak for, and for no longer than it holds.
     */
    Link judged(Verdict judgement) {
        if (judgement.status() != Status.SECURE) {
            return with(judgement, kind, responseCode, answer, authority, lifetime);
        }
        final Set<Integer> unproven = Set.copyOf(judgement.unproven());
        final List<RRset> provenAnswer = new ArrayList<>(answer.size());
        final List<RRset> provenAuthority = new ArrayList<>(authority.size());
        final int behind = prove(answer, 0, unproven, judgement.maxTtl(), provenAnswer);
        prove(authority, behind, unproven, judgement.maxTtl(), provenAuthority);
        return with(
                judgement,
                judgement.nodata() ? Kind.NO_DATA : kind,
                judgement.nodata() ? ResponseCode.NOERROR : responseCode,
                provenAnswer,
                provenAuthority,
                Math.min(lifetime, judgement.maxTtl()));
    }

    /** Copies the sets of which no record is unproven; gives the index behind them. */
    private static int prove(
            List<RRset> sets, int first, Set<Integer> unproven, long maxTtl, List<RRset> proven) {
        int index = first;
        for (final RRset set : sets) {
            final int end = index + set.rdatas().size();
            if (IntStream.range(index, end).noneMatch(unproven::contains)) {
                proven.add(set.withTtl(Math.min(set.ttl(), maxTtl)));
            }
            index = end + set.signatures().size();
        }
        return index;
    }

    private Link with(
            Verdict otherVerdict,
            Kind otherKind,
            int otherCode,
            List<RRset> otherAnswer,
            List<RRset> otherAuthority,
            long otherLifetime) {
        return new Link(
                name,
                type,
                otherKind,
                otherCode,
                provenName,
                zone,
                otherAnswer,
                otherAuthority,
                additional,
                bornAt,
                otherLifetime,
                server,
                otherVerdict);
    }

    /** The same denial for a name below the one that does not exist (RFC 8020). */
    Link below(Name other, int otherType) {
        return new Link(
                other,
                otherType,
                kind,
                responseCode,
                provenName,
                zone,
                answer,
                authority,
                additional,
                bornAt,
                lifetime,
                server,
                verdict);
    }

    /** The same with TTLs as they are at {@code now}; what has ended besides the point is gone. */
    Link aged(long now) {
        final long age = Math.max(0, (now - bornAt) / 1_000);
        return age == 0
                ? this
                : new Link(
                        name,
                        type,
                        kind,
                        responseCode,
                        provenName,
                        zone,
                        aged(answer, age, true),
                        aged(authority, age, false),
                        aged(additional, age, false),
                        bornAt + age * 1_000,
                        Math.max(0, lifetime - age),
                        server,
                        verdict);
    }

    private static List<RRset> aged(List<RRset> sets, long age, boolean keep) {
        final List<RRset> aged = new ArrayList<>(sets.size());
        for (final RRset set : sets) {
            if (set.ttl() > age) {
                aged.add(set.withTtl(set.ttl() - age));
            } else if (keep) {
                aged.add(set.withTtl(0));
            }
        }
        return aged;
    }

    /** As a response of its own, for the validator. */
    MessageView message() {
        final MessageWriter writer = new MessageWriter(MessageLayout.MAX_MESSAGE);
        writer.header(0, MessageLayout.QR | MessageLayout.AA)
                .responseCode(responseCode & MessageLayout.RCODE_MASK)
                .question(provenName, type, RecordClass.IN);
        answer.forEach(set -> set.writeTo(writer, MessageView.ANSWER));
        authority.forEach(set -> set.writeTo(writer, MessageView.AUTHORITY));
        final byte[] octets = writer.toByteArray();
        final MessageView view = new MessageView();
        final Fault fault = view.parse(octets, octets.length);
        if (fault != Fault.NONE) {
            throw new IllegalStateException(
                    "wrote an unsound message for %s: %s".formatted(key(), fault.text()));
        }
        return view;
    }

    /** Octets of heap, about. */
    int weight() {
        int weight = 160 + name.length() + zone.length();
        for (final List<RRset> sets : List.of(answer, authority, additional)) {
            for (final RRset set : sets) {
                weight += set.weight();
            }
        }
        return weight;
    }

    @Override
    public String toString() {
        return "%s %s: %s, from %s"
                .formatted(name, RecordType.text(type), kind, server == null ? zone : server);
    }
}
